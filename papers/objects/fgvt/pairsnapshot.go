package fgvt

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// names are what the specification, a multi-register, calls the two numbers.
var names = [2]string{"0", "1"}

func write(i, v int) explore.Call {
	return explore.Call{F: "write", Arg: map[string]any{names[i]: v}}
}

func read() explore.Call {
	return explore.Call{F: "read", Arg: []any{names[0], names[1]}}
}

// pairSnapshot holds two numbers, which are written one at a time and read together (Fig. 2 of the
// paper).
type pairSnapshot struct {
	d [2]*mem.Var[int]
}

func (p *pairSnapshot) write(i, v int) {
	p.d[i].Store(v)
}

func (p *pairSnapshot) read() (int, int) {
	for {
		x := p.d[0].Load()
		y := p.d[1].Load()
		if x == p.d[0].Load() { // the same value, though perhaps another write of it
			return x, y
		}
	}
}

// versionedPair is the same with a version beside each number, so that equal means unwritten.
type versionedPair struct {
	d [2]*mem.Atomic[versioned]
}

type versioned struct{ value, version int }

func (p *versionedPair) write(i, v int) {
	for {
		old := p.d[i].Load()
		if p.d[i].CompareAndSwap(old, versioned{v, old.version + 1}) {
			return
		}
	}
}

func (p *versionedPair) read() (int, int) {
	for {
		x := p.d[0].Load()
		y := p.d[1].Load()
		if x == p.d[0].Load() {
			return x.value, y.value
		}
	}
}

type pair interface {
	write(i, v int)
	read() (int, int)
}

func newPairSnapshot(faulty bool) func(m *mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		var p pair
		if faulty {
			p = &pairSnapshot{[2]*mem.Var[int]{mem.NewVar(m, "d[0]", 1), mem.NewVar(m, "d[1]", 1)}}
		} else {
			p = &versionedPair{[2]*mem.Atomic[versioned]{mem.NewAtomic(m, "d[0]", versioned{value: 1}),
				mem.NewAtomic(m, "d[1]", versioned{value: 1})}}
		}
		return func(f string, arg any) any {
			switch f {
			case "write":
				for i, name := range names {
					if v, ok := arg.(map[string]any)[name]; ok {
						p.write(i, v.(int))
					}
				}
				return nil
			case "read":
				x, y := p.read()
				return map[string]any{names[0]: x, names[1]: y}
			}
			panic(unknown(f))
		}
	}
}

package starspec

// What a step looks at, read from the text of the file: which keys of a state that is a dict an
// operation reads and writes, and whether it ever changes the state.
//
// What: step is executed for one operation and a state of which nothing is known, by the rules of
// the language (looks_statements.go, looks_expressions.go, looks_calls.go). What follows from the
// operation alone is computed as the interpreter does; what follows from the state is unknown.
// Where an unknown value decides, both ways are executed, one run after the other. Entries of the
// state that a run reads, and those that the states it returns have otherwise, are what the
// operation touches. If every run returns the state as it was, the operation changes nothing.
//
// Source: symbolic execution (King, CACM 1976), with one symbol, that for what is not known.
//
// Why it may be relied on: two states with the same under the keys that were read take the same run
// and get the same result and the same entries, in every state, so operations without a common key
// commute (model.Instance.Touches). For this, states have to be dicts: init is one, and so is
// whatever step returns for an operation of which nothing is known (dicts).
//
// Invariant: where anything is met that is not modelled exactly, or is too long, the answer is that
// all may be touched and changed. What is unknown never becomes known.
//
// Cost: for each operation with another argument as many runs as there are ways, up to maxWays, of
// maxLooked expressions in all.

import (
	"maps"
	"slices"

	"github.com/linsat/linsat/spec"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// looked is what was found out of an operation.
type looked struct {
	all      bool // it may touch everything
	keys     map[string]starlark.Value
	readOnly bool
}

// pieces returns the keys as the names of pieces, nil for everything.
func (l looked) pieces() []any {
	if l.all {
		return nil
	}
	var pieces []any
	for _, text := range slices.Sorted(maps.Keys(l.keys)) {
		piece, err := fromStarlark(l.keys[text], 1)
		if err != nil {
			return nil
		}
		pieces = append(pieces, piece)
	}
	return pieces
}

// looks finds out what operations touch.
type looks struct {
	p         *program
	functions map[string]*syntax.DefStmt // by where they are
	step      *starlark.Function
	dict      bool // states are dicts
}

// gaveUp is the panic of a run that met what is not modelled, failed that of one in which the file
// fails.
type gaveUp struct{}
type failed struct{}

// run is one execution of a function.
type run struct {
	*looks
	ways   []bool // what unknown conditions were taken for
	at     int
	left   int // expressions
	read   looked
	vague  int  // how many loops are looked at once for all their turns
	nested int  // calls
	hidden bool // a list or dict that is known may also be behind something unknown
}

func newLooks(p *program, step *starlark.Function) *looks {
	l := &looks{p: p, functions: map[string]*syntax.DefStmt{}, step: step}
	for _, s := range p.tree.Stmts {
		if d, ok := s.(*syntax.DefStmt); ok {
			l.functions[d.Def.String()] = d
		}
	}
	l.dict = l.dicts()
	return l
}

// dicts reports whether every state is a dict.
func (l *looks) dicts() bool {
	switch init := l.p.globals["init"].(type) {
	case *starlark.Dict:
	case *starlark.Function:
		if !l.ways(nil, func(r *run) bool { return isDict(r.function(init, []any{unknown{}})) }) {
			return false
		}
	default:
		return false
	}
	return l.ways(nil, func(r *run) bool {
		ok := true
		r.outcomes(r.function(l.step, []any{&state{dict: true}, unknown{}}), func(next any) { ok = ok && isDict(next) })
		return ok
	})
}

// isDict reports whether a value certainly is a dict.
func isDict(v any) bool {
	switch v := v.(type) {
	case *state:
		return v.dict
	case *starlark.Dict, *entries:
		return true
	}
	return false
}

// of finds out what an operation touches.
func (l *looks) of(c spec.Call) looked {
	out := looked{keys: map[string]starlark.Value{}, readOnly: true}
	op := l.p.op(c)
	known := l.ways(&out, func(r *run) bool {
		r.outcomes(r.function(l.step, []any{&state{dict: l.dict}, op}), func(next any) {
			s, ok := next.(*state)
			if !ok || s.vague {
				out.readOnly, out.all = false, true
				return
			}
			for text, e := range s.entries {
				out.readOnly, out.keys[text] = false, e.key
			}
		})
		return true
	})
	if !known {
		return looked{all: true}
	}
	return out
}

// ways executes all ways through f, until one of them is false; what they read is added to out. It
// is false if a run gave up, too.
func (l *looks) ways(out *looked, f func(r *run) bool) bool {
	var ways []bool
	left := maxLooked
	for n := 0; n < maxWays; n++ {
		r := &run{looks: l, ways: ways, left: left, read: looked{keys: map[string]starlark.Value{}}}
		if !r.ended(f) {
			return false
		}
		left = r.left
		if out != nil {
			out.all = out.all || r.read.all
			for text, key := range r.read.keys {
				out.keys[text] = key
			}
		}
		for ways = r.ways; len(ways) > 0 && ways[len(ways)-1]; {
			ways = ways[:len(ways)-1]
		}
		if len(ways) == 0 {
			return true
		}
		ways[len(ways)-1] = true
	}
	return false
}

// ended executes one way. A way on which the file fails ends there, as the operation would.
func (r *run) ended(f func(r *run) bool) (ok bool) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case gaveUp:
			ok = false
		case failed:
			ok = true
		default:
			panic(v)
		}
	}()
	return f(r)
}

// outcomes calls f for the next state of every outcome that step returned.
func (r *run) outcomes(v any, f func(next any)) {
	switch v := v.(type) {
	case *sequence:
		if v.vague {
			panic(gaveUp{})
		}
		if v.tuple {
			if len(v.elems) != 2 {
				panic(failed{})
			}
			r.absorb(v.elems[0]) // the result
			f(v.elems[1])
			return
		}
		for _, e := range v.elems {
			pair, ok := e.(*sequence)
			if !ok {
				e, ok := e.(starlark.Tuple)
				if !ok || len(e) != 2 {
					panic(gaveUp{})
				}
				pair = &sequence{tuple: true, elems: []any{e[0], e[1]}}
			}
			if !pair.tuple || pair.vague || len(pair.elems) != 2 {
				panic(gaveUp{})
			}
			r.absorb(pair.elems[0])
			f(pair.elems[1])
		}
	case starlark.NoneType:
		panic(failed{})
	default:
		panic(gaveUp{})
	}
}

// decided returns whether a condition holds: an unknown one in this run or another.
func (r *run) decided(v any) bool {
	if truth, known := r.truth(v); known {
		return truth
	}
	return r.either()
}

func (r *run) either() bool {
	if r.at == len(r.ways) {
		r.ways = append(r.ways, false)
	}
	r.at++
	return r.ways[r.at-1]
}

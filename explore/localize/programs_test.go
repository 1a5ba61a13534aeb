package localize

import (
	"fmt"
	"math/rand/v2"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// instruction is one step of an operation of a random program.
type instruction struct {
	code string
	x, v int
}

var codes = []string{"load", "load", "load", "store", "store", "cas", "swap", "element", "setElement", "locked",
	"choose", "skip", "await", "cas2", "flip"}

// randomCase draws a test in which every operation runs its own instructions and returns what they
// observed. budget bounds the number of accesses roughly.
func randomCase(r *rand.Rand, budget int) *explore.Case {
	threads := 2 + r.IntN(2)
	if threads == 3 {
		budget -= 2
	}
	ops := map[string][]instruction{}
	c := &explore.Case{Threads: make([][]explore.Call, threads)}
	for i := range c.Threads {
		left := budget/threads + r.IntN(2)
		for left > 0 && len(c.Threads[i]) < 3 {
			name := fmt.Sprintf("op%d", len(ops))
			var code []instruction
			for n := 1 + r.IntN(3); n > 0 && left > 0; n-- {
				in := instruction{codes[r.IntN(len(codes))], r.IntN(2), r.IntN(2)}
				if in.code == "locked" {
					left -= 2
				}
				left--
				code = append(code, in)
			}
			ops[name] = code
			c.Threads[i] = append(c.Threads[i], explore.Call{F: name})
		}
	}
	c.Object = &explore.Object{Name: "random", New: func(m *mem.Memory) explore.Instance { return newRandom(m, ops) }}
	return c
}

func newRandom(m *mem.Memory, ops map[string][]instruction) explore.Instance {
	cells := [2]*mem.Int64{mem.NewInt64(m, "cell", 0), mem.NewInt64(m, "cell", 0)}
	array := [2]*mem.Var[int]{mem.NewVar(m, "array[0]", 0), mem.NewVar(m, "array[1]", 0)}
	lock := mem.NewMutex(m, "lock")
	return func(f string, _ any) any {
		seen := []any{}
		see := func(v any) { seen = append(seen, v) }
		code := ops[f]
		for i := 0; i < len(code); i++ {
			in := code[i]
			switch in.code {
			case "load":
				see(cells[in.x].Load())
			case "store":
				cells[in.x].Store(int64(in.v))
			case "cas":
				see(cells[in.x].CompareAndSwap(int64(in.v), int64(1-in.v)))
			case "swap":
				see(cells[in.x].Swap(int64(in.v)))
			case "cas2":
				see(mem.CompareAndSwap2(&cells[0].Atomic, &cells[1].Atomic, 0, int64(in.v), 1, int64(in.x)))
			case "element":
				see(array[in.x].Load())
			case "setElement":
				array[in.x].Store(in.v)
			case "locked":
				lock.Lock()
				see(array[in.x].Load())
				lock.Unlock()
			case "choose":
				see(m.Choose(2))
			case "skip":
				if len(seen) > 0 && fmt.Sprint(seen[len(seen)-1]) == fmt.Sprint(in.v) {
					i++
				}
			case "flip": // whether an access is the last one depends on the coin behind it
				if m.Choose(2) == in.v {
					return seen
				}
			case "await":
				see(cells[in.x].Await(func(v int64) bool { return v == int64(in.v) }))
			}
		}
		return seen
	}
}

package explore_test

import (
	"context"
	"fmt"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/specs"
)

// register is a compare-and-swap register that reads and writes in two accesses.
var register = &explore.Object{
	Name: "register", Spec: "cas-register", Initial: 0,
	New: func(m *mem.Memory) explore.Instance {
		v := mem.NewVar(m, "v", 0)
		return func(f string, arg any) any {
			switch f {
			case "read":
				return v.Load()
			case "cas":
				pair := arg.([]any)
				if v.Load() != pair[0].(int) {
					return false
				}
				v.Store(pair[1].(int))
				return true
			}
			panic("no operation " + f)
		}
	},
}

func ExampleCheck() {
	c, _ := explore.ParseCase(register, "cas([0,1]) | cas([0,2])")
	r, err := explore.Check(context.Background(), c, specs.CASRegister(),
		explore.CheckOptions{Strategy: explore.DPOR()})
	if err != nil {
		panic(err)
	}
	v := r.Violation
	fmt.Println(r.Verdict, v.Execution.Schedule, v.Preemptions)
	for i := range v.Execution.Ops {
		fmt.Println(v.Execution.Ops[i].Thread, &v.Execution.Ops[i])
	}
	// Output:
	// not linearizable 0110 1
	// 0 cas([0,1]) → true
	// 1 cas([0,2]) → true
}

func ExampleRun() {
	program := func(x *explore.Exec) {
		a, b := mem.NewMutex(x.Memory(), "a"), mem.NewMutex(x.Memory(), "b")
		both := func(first, second *mem.Mutex) func(*explore.Thread) {
			return func(t *explore.Thread) {
				t.Do("both", nil, func() any {
					first.Lock()
					defer first.Unlock()
					second.Lock()
					defer second.Unlock()
					return nil
				})
			}
		}
		x.Go(both(a, b))
		x.Go(both(b, a))
	}
	stats, err := explore.Run(program, explore.Exhaustive(), explore.Options{}, func(e *explore.Execution) bool {
		if e.Outcome == explore.Stuck {
			fmt.Println("deadlock:", e.Schedule)
		}
		return true
	})
	fmt.Println(stats.Executions, stats.Outcomes[explore.Stuck], err)
	// Output:
	// deadlock: 01
	// deadlock: 10
	// 6 2 <nil>
}

package explore

import (
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// latch holds a value that wait looks for under a lock, for reading if its argument is 1, by
// TryLock if it is 2, and after a look at something else if it is 3. Rounds end with Spin; or there
// are so many of them, and then wait stays for ever.
func latch(rounds int) *Object {
	return &Object{Name: "latch", Spec: "register", New: func(m *mem.Memory) Instance {
		mu, value := mem.NewRWMutex(m, "mu"), 0 // no access, as in code that was rewritten
		never := mem.NewInt64(m, "never", 0)
		also := mem.NewInt64(m, "also", 0)
		look := func(how any) (v int) {
			switch how {
			case 1:
				mu.RLock()
				defer mu.RUnlock()
			case 2:
				if !mu.TryLock() {
					return 0
				}
				defer mu.Unlock()
			case 3:
				if also.Load() > 0 {
					return 9
				}
				fallthrough
			default:
				mu.Lock()
				defer mu.Unlock()
			}
			return value
		}
		return func(f string, arg any) any {
			switch f {
			case "wait":
				for n := 1; n != rounds; n++ {
					if v := look(arg); v != 0 {
						return v
					}
					if rounds == 0 {
						m.Spin()
					}
				}
				never.Await(func(v int64) bool { return v > 0 })
			case "set":
				mu.Lock()
				value = arg.(int)
				mu.Unlock()
			case "also":
				also.Store(1)
			case "try":
				if mu.TryLock() {
					mu.Unlock()
					return true
				}
				return false
			}
			return nil
		}
	}}
}

// TestRoundsWithLocksLoseNothing: a loop of which Spin says that it only looks has the results and
// orders of as many rounds as others can make a difference to, and few executions.
func TestRoundsWithLocksLoseNothing(t *testing.T) {
	for test, most := range map[string]int{
		"wait | set(1) set(2)":         6,
		"wait(1) | set(1) set(2)":      15,
		"wait(2) | set(1) set(2)":      45,
		"wait(3) | set(1) also":        11,
		"wait | wait | set(1)":         50,
		"wait(1) | wait | set(1)":      180,
		"wait | try try set(1)":        50,
		"wait | try set(1) try":        52,
		"wait(1) | also try set(1)":    29,
		"wait wait | set(1)":           3,
		"wait(3) | wait | also set(1)": 282,
		"wait(2) | wait(2) | set(1)":   1416,
	} {
		all, found := classesOf(t, latch(4), test), classesOf(t, latch(0), test)
		assert.Empty(t, missing(all.classes, found.classes), test)
		assert.Empty(t, missing(found.classes, all.classes), test)
		assert.LessOrEqual(t, found.executions, most, test)
	}
}

func missing(all, found map[string]bool) (names []string) {
	for name := range all {
		if !found[name] {
			names = append(names, name)
		}
	}
	return names
}

type ran struct {
	classes    map[string]bool
	executions int
}

func classesOf(t *testing.T, o *Object, test string) ran {
	found := ran{classes: map[string]bool{}}
	stats, err := Run(parsed(t, o, test).Program(), DPOR(), Options{MaxRuns: 50_000}, func(e *Execution) bool {
		if e.Outcome == Completed {
			found.classes[string(e.Class(nil))] = true
		}
		return true
	})
	require.NoError(t, err)
	require.True(t, stats.Complete, test)
	found.executions = stats.Executions
	return found
}

// TestRoundsWithoutAnEnd: where nobody changes what threads look for under a lock, they are a
// livelock, and where one keeps the lock, they are stuck.
func TestRoundsWithoutAnEnd(t *testing.T) {
	for outcome, test := range map[Outcome]string{CutOff: "wait | wait(1)", Stuck: "wait | keep"} {
		o := latch(0)
		if outcome == Stuck {
			o = keeping(o)
		}
		outcomes := map[Outcome]int{}
		stats, err := Run(parsed(t, o, test).Program(), DPOR(), Options{}, func(e *Execution) bool {
			outcomes[e.Outcome]++
			assert.LessOrEqual(t, e.Steps, 3*maxIdle)
			return true
		})
		require.NoError(t, err)
		assert.True(t, stats.Complete)
		assert.Equal(t, stats.Executions, outcomes[outcome], test)
	}
}

// keeping adds an operation that takes a lock of its own and never gives it back, and one that
// waits for it.
func keeping(o *Object) *Object {
	return &Object{Name: o.Name, Spec: o.Spec, New: func(m *mem.Memory) Instance {
		mu, done := mem.NewMutex(m, "mu"), false
		return func(f string, _ any) any {
			if f == "keep" {
				mu.Lock()
				return nil
			}
			for {
				mu.Lock()
				d := done
				mu.Unlock()
				if d {
					return nil
				}
				m.Spin()
			}
		}
	}}
}

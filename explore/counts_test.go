package explore

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// collect runs a program and returns the statistics and the classes with the number of executions
// in each.
func collect(t testing.TB, p Program, s Strategy, o Options) (Stats, map[string]int) {
	t.Helper()
	classes := map[string]int{}
	stats, err := Run(p, s, o, func(e *Execution) bool {
		classes[string(e.Class(nil))]++
		return true
	})
	require.NoError(t, err)
	return stats, classes
}

// adders makes a program whose threads make so many accesses each, all in one operation.
func adders(accesses ...int) Program {
	return func(x *Exec) {
		v := mem.NewInt64(x.Memory(), "v", 0)
		for _, n := range accesses {
			x.Go(func(t *Thread) {
				t.Do("add", n, func() any {
					sum := 0
					for range n {
						sum = int(v.Add(1))
					}
					return sum
				})
			})
		}
	}
}

func multinomial(ns ...int) int {
	total, result := 0, 1
	for _, n := range ns {
		for i := 1; i <= n; i++ {
			total++
			result = result * total / i
		}
	}
	return result
}

func TestExhaustiveCountsAreMultinomials(t *testing.T) {
	for _, ns := range [][]int{{1}, {1, 1}, {3, 4}, {5, 5}, {2, 2, 2}, {1, 2, 3}, {3, 3, 3}, {2, 1, 2, 1},
		{1, 1, 1, 1, 1, 1}} {
		stats, _ := collect(t, adders(ns...), Exhaustive(), Options{})
		assert.Equal(t, multinomial(ns...), stats.Executions, "%v", ns)
		assert.True(t, stats.Complete)
		steps := 0
		for _, n := range ns {
			steps += n
		}
		assert.EqualValues(t, steps*stats.Executions, stats.Steps)
	}
}

func TestSerialCounts(t *testing.T) {
	three := [][]Call{calls("inc", "get", "inc"), calls("inc", "inc", "get"), calls("get", "get", "inc")}
	c := &Case{Object: &Object{New: lossy}, Threads: three}
	stats, _ := collect(t, c.Program(), schedule.Serial(), Options{})
	assert.Equal(t, multinomial(3, 3, 3), stats.Executions, "9!/(3!)^3")
	inside, _ := collect(t, c.Program(), schedule.BoundedInside(0), Options{})
	assert.Equal(t, stats.Executions, inside.Executions, "free switches between operations are the serial schedules")
	outside, _ := collect(t, c.Program(), Bounded(0), Options{})
	assert.Equal(t, 6, outside.Executions, "without preemption, only the order of the threads")
}

func TestChoicesAreEnumerated(t *testing.T) {
	seen := map[string]int{}
	p := func(x *Exec) {
		first := x.Memory().Choose(2)
		v := mem.NewVar(x.Memory(), "v", 0)
		x.Go(func(t *Thread) {
			t.Do("f", nil, func() any {
				v.Load()
				return 10*first + x.Memory().Choose(3)
			})
		})
		x.Go(func(t *Thread) { t.Do("g", nil, func() any { return v.Load() }) })
	}
	stats, err := Run(p, Exhaustive(), Options{}, func(e *Execution) bool {
		seen[e.Schedule.String()]++
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, 12, stats.Executions, "2 choices, 3 choices, 2 orders")
	assert.Len(t, seen, 12)
	assert.Equal(t, 1, seen[":10:21"], "%v", seen)
}

// dumbStep is one access of a random program, and dumbLine one thread of operations of them.
type dumbStep struct {
	kind     int // 0 load, 1 store, 2 add, 3 compare-and-swap, 4 lock, 5 unlock, 6 await even
	location int
	a, b     int64
}
type dumbLine [][]dumbStep

func randomDumbLine(r *rand.Rand, operations, length int) dumbLine {
	var l dumbLine
	for range operations {
		var op []dumbStep
		locked := -1
		for range r.IntN(length + 1) {
			in := dumbStep{kind: r.IntN(7), location: r.IntN(2), a: r.Int64N(3), b: r.Int64N(3)}
			switch {
			case in.kind == 4 && locked >= 0:
				in.kind = 0
			case in.kind == 4:
				locked = in.location
			case in.kind == 5 && locked < 0:
				in.kind = 2
			case in.kind == 5:
				in.location, locked = locked, -1
			}
			op = append(op, in)
		}
		l = append(l, op)
	}
	return l
}

// dumbWorld is the state of the dumb enumerator: everything it needs, copied at every step.
type dumbWorld struct {
	vars    [2]int64
	locks   [2]bool
	at      []int // next dumbStep of each thread, over all its operations
	results [][]string
	calls   []string
	last    int
	spent   int
}

// dumbEnumerate walks all interleavings by recursion over copies of the state and reports each end
// as text: results, and which operation had returned when another was called.
func dumbEnumerate(lines []dumbLine, bound int, visit func(string)) {
	type place struct{ op, in int }
	var places [][]place
	w := dumbWorld{last: -1}
	for _, l := range lines {
		var ps []place
		for i, op := range l {
			if len(op) == 0 {
				ps = append(ps, place{i, -1})
			}
			for j := range op {
				ps = append(ps, place{i, j})
			}
		}
		places = append(places, ps)
		w.at = append(w.at, 0)
		w.results = append(w.results, make([]string, len(l)))
	}
	enabled := func(w *dumbWorld, t int) bool {
		if w.at[t] == len(places[t]) {
			return false
		}
		p := places[t][w.at[t]]
		if p.in < 0 {
			return true
		}
		in := lines[t][p.op][p.in]
		return (in.kind != 4 || !w.locks[in.location]) && (in.kind != 6 || w.vars[in.location]%2 == 0)
	}
	var walk func(w dumbWorld)
	walk = func(w dumbWorld) {
		moved := false
		for t := range lines {
			if !enabled(&w, t) {
				continue
			}
			moved = true
			n := w
			if w.last >= 0 && w.last != t && enabled(&w, w.last) {
				n.spent++
				if bound >= 0 && n.spent > bound {
					continue
				}
			}
			n.last = t
			n.at = append([]int(nil), w.at...)
			n.calls = append([]string(nil), w.calls...)
			n.results = append([][]string(nil), w.results...)
			n.results[t] = append([]string(nil), w.results[t]...)
			p := places[t][w.at[t]]
			n.at[t]++
			if p.in <= 0 {
				n.calls = append(n.calls, fmt.Sprintf("call %d.%d", t, p.op))
			}
			if p.in >= 0 {
				in := lines[t][p.op][p.in]
				v := &n.vars[in.location]
				switch in.kind {
				case 0, 6:
					n.results[t][p.op] += fmt.Sprint(*v, " ")
				case 1:
					*v = in.a
				case 2:
					*v += in.a
					n.results[t][p.op] += fmt.Sprint(*v, " ")
				case 3:
					swapped := *v == in.a
					if swapped {
						*v = in.b
					}
					n.results[t][p.op] += fmt.Sprint(swapped, " ")
				case 4:
					n.locks[in.location] = true
				case 5:
					n.locks[in.location] = false
				}
			}
			if n.at[t] == len(places[t]) || places[t][n.at[t]].op != p.op {
				n.calls = append(n.calls, fmt.Sprintf("return %d.%d", t, p.op))
			}
			walk(n)
		}
		if !moved {
			visit(dumbDescribe(&w, places, func(t, i int) int { return places[t][i].op }))
		}
	}
	walk(w)
}

func dumbDescribe[P any](w *dumbWorld, places [][]P, op func(t, i int) int) string {
	var called, returned []string
	precedes := map[string]bool{}
	for _, e := range w.calls {
		what, who, _ := strings.Cut(e, " ")
		if what == "return" {
			returned = append(returned, who)
			continue
		}
		called = append(called, who)
		for _, r := range returned {
			precedes[r+"<"+who] = true
		}
	}
	for t := range places {
		if w.at[t] < len(places[t]) {
			if who := fmt.Sprintf("%d.%d", t, op(t, w.at[t])); !contains(called, who) {
				called = append(called, who)
				for _, r := range returned {
					precedes[r+"<"+who] = true
				}
			}
		}
	}
	var out []string
	for _, who := range called {
		var t, i int
		fmt.Sscanf(who, "%d.%d", &t, &i)
		if contains(returned, who) {
			out = append(out, who+"="+w.results[t][i])
		} else {
			out = append(out, who+" pending")
		}
	}
	for p := range precedes {
		out = append(out, p)
	}
	sort.Strings(out)
	return strings.Join(out, "; ")
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// program gives the lines to the engine.
func dumbProgram(lines []dumbLine) Program {
	return func(x *Exec) {
		m := x.Memory()
		vars := [2]*mem.Int64{mem.NewInt64(m, "x", 0), mem.NewInt64(m, "y", 0)}
		locks := [2]*mem.Mutex{mem.NewMutex(m, "k"), mem.NewMutex(m, "l")}
		for _, l := range lines {
			x.Go(func(t *Thread) {
				for i, op := range l {
					t.Do("op", i, func() any {
						result := ""
						for _, in := range op {
							v := vars[in.location]
							switch in.kind {
							case 0:
								result += fmt.Sprint(v.Load(), " ")
							case 1:
								v.Store(in.a)
							case 2:
								result += fmt.Sprint(v.Add(in.a), " ")
							case 3:
								result += fmt.Sprint(v.CompareAndSwap(in.a, in.b), " ")
							case 4:
								locks[in.location].Lock()
							case 5:
								locks[in.location].Unlock()
							case 6:
								result += fmt.Sprint(v.Await(func(v int64) bool { return v%2 == 0 }), " ")
							}
						}
						return result
					})
				}
			})
		}
	}
}

// wordsOf puts an execution into the words of the dumb enumerator.
func wordsOf(e *Execution) string {
	var out []string
	for i := range e.Ops {
		o := &e.Ops[i]
		who := fmt.Sprintf("%d.%d", o.Thread, o.Arg)
		if o.Return < 0 {
			out = append(out, who+" pending")
		} else {
			out = append(out, fmt.Sprintf("%s=%s", who, o.Result))
		}
		for j := range e.Ops {
			if p := &e.Ops[j]; p.Return >= 0 && p.Return < o.Call {
				out = append(out, fmt.Sprintf("%d.%d<%s", p.Thread, p.Arg, who))
			}
		}
	}
	sort.Strings(out)
	return strings.Join(out, "; ")
}

// TestExhaustiveSearchAgreesWithAnEnumerator compares every execution of random programs, blocking
// ones included, with an enumerator that shares nothing with the engine: how often each result
// occurs, with and without a bound on preemptions. Executions have equal classes exactly if they
// have equal words.
func TestExhaustiveSearchAgreesWithAnEnumerator(t *testing.T) {
	programs, executions, stuck := 0, 0, 0
	for seed := range uint64(testenv.Scale(200, 3000)) {
		r := rand.New(rand.NewPCG(seed, 6))
		lines := []dumbLine{randomDumbLine(r, 1+r.IntN(2), 3), randomDumbLine(r, 1+r.IntN(2), 3)}
		if r.IntN(3) == 0 {
			lines = append(lines, randomDumbLine(r, 1, 2))
		}
		for bound := -1; bound <= 2; bound++ {
			want := map[string]int{}
			dumbEnumerate(lines, bound, func(s string) { want[s]++ })
			strategy := Exhaustive()
			if bound >= 0 {
				strategy = Bounded(bound)
			}
			got := map[string]int{}
			class := map[string]string{}
			stats, err := Run(dumbProgram(lines), strategy, Options{}, func(e *Execution) bool {
				w := wordsOf(e)
				got[w]++
				key := string(e.Class(nil))
				if old, ok := class[key]; ok {
					assert.Equal(t, old, w, "seed %d: equal classes", seed)
				}
				class[key] = w
				return true
			})
			require.NoError(t, err)
			require.Equal(t, want, got, "seed %d bound %d: %v", seed, bound, lines)
			require.Len(t, class, len(got), "seed %d: different classes for equal words", seed)
			executions += stats.Executions
			stuck += stats.Outcomes[Stuck]
		}
		programs++
	}
	assert.Greater(t, stuck, testenv.MoreThan(100))
	t.Logf("%d programs, %d executions, %d stuck", programs, executions, stuck)
}

func registers(m *mem.Memory) Instance {
	a := mem.NewInt64(m, "a", 0)
	b := mem.NewInt64(m, "b", 0)
	return func(f string, arg any) any {
		switch f {
		case "a":
			a.Store(a.Load() + 1)
		case "b":
			b.Store(b.Load() + 1)
		default:
			panic(f)
		}
		return nil
	}
}

// TestDisjointRegisters is the first row of the table of interval orders: 70 executions, 19
// classes.
func TestDisjointRegisters(t *testing.T) {
	c := &Case{Object: &Object{New: registers}, Threads: [][]Call{{{F: "a"}, {F: "a"}}, {{F: "b"}, {F: "b"}}}}
	classes := map[string]bool{}
	stats, err := Run(c.Program(), Exhaustive(), Options{}, func(e *Execution) bool {
		classes[string(e.Class(nil))] = true
		_, err := e.History()
		assert.NoError(t, err)
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, 70, stats.Executions)
	assert.True(t, stats.Complete)
	assert.Len(t, classes, 19)
}

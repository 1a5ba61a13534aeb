package specs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// This file holds k-out-of-order, k-lateness and k-stuttering as the paper defines them:
// quantitative paths through the completed transition system, whose costs are computed of whole
// paths; and compares with them the machines that Relax makes, on sequences of calls.

// item is an inserted value, told apart from equal ones.
type item struct{ value, tag int }

// call is an operation of a collection: what it does, at which end, with which value (0: nothing).
type call struct {
	does  model.Action
	back  bool
	value int
}

// paperStep is one step of a quantitative path: q –call→ q′ of that cost, or q –call→ q with the
// change left out.
type paperStep struct {
	call    call
	before  []item
	after   []item
	cost    int
	leftOut bool
}

// strictSteps applies a call to the contents of a strict object: queue and deque front first, stack
// bottom first, priority queue in any order.
func strictSteps(kind string, q []item, c call, tag int) (out [][]item) {
	atBack := c.back // where the call happens
	switch kind {
	case "queue":
		atBack = c.does == model.Insert
	case "stack":
		atBack = true
	case "priority-queue":
		return strictPriority(q, c, tag)
	}
	if c.does == model.Insert {
		x := item{c.value, tag}
		if atBack {
			return [][]item{append(slices.Clone(q), x)}
		}
		return [][]item{append([]item{x}, q...)}
	}
	switch {
	case len(q) == 0 && c.value == 0:
		return [][]item{{}}
	case len(q) == 0 || c.value == 0:
		return nil
	}
	at := 0
	if atBack {
		at = len(q) - 1
	}
	switch {
	case q[at].value != c.value:
		return nil
	case c.does == model.Peek:
		return [][]item{q}
	}
	return [][]item{slices.Delete(slices.Clone(q), at, at+1)}
}

func strictPriority(q []item, c call, tag int) (out [][]item) {
	if c.does == model.Insert {
		return [][]item{append(slices.Clone(q), item{c.value, tag})}
	}
	if len(q) == 0 && c.value == 0 {
		return [][]item{{}}
	}
	for at, x := range q {
		if x.value != c.value || slices.ContainsFunc(q, func(y item) bool { return y.value < x.value }) {
			continue
		}
		if c.does == model.Peek {
			out = append(out, q)
		} else {
			out = append(out, slices.Delete(slices.Clone(q), at, at+1))
		}
	}
	return out
}

// completed lists q –call→ q′ with the segment cost: the length of the shortest segment of q
// without which the call is allowed, and that stands in q′ where it stood.
func completed(kind string, q []item, c call, tag int) (out []paperStep) {
	found := func(after []item, cost int) {
		if kind == "priority-queue" {
			slices.SortFunc(after, func(a, b item) int { return a.tag - b.tag })
		}
		for k := range out {
			if slices.Equal(out[k].after, after) {
				out[k].cost = min(out[k].cost, cost)
				return
			}
		}
		out = append(out, paperStep{call: c, before: q, after: after, cost: cost})
	}
	// any order of insertions leads to q, so any part of it is a segment
	if kind == "priority-queue" {
		for set := range 1 << len(q) {
			var rest, segment []item
			for i, x := range q {
				if set>>i&1 == 1 {
					segment = append(segment, x)
				} else {
					rest = append(rest, x)
				}
			}
			for _, after := range strictSteps(kind, rest, c, tag) {
				found(append(slices.Clone(after), segment...), len(segment))
			}
		}
		return out
	}
	for from := 0; from <= len(q); from++ {
		for to := from; to <= len(q); to++ {
			u, v, w := q[:from], q[from:to], q[to:]
			for _, after := range strictSteps(kind, slices.Concat(u, w), c, tag) {
				if k := len(after) - len(w); k >= 0 && slices.Equal(after[k:], w) { // u′w
					found(slices.Concat(after[:k], v, w), len(v))
				}
				if k := len(u); len(after) >= k && slices.Equal(after[:k], u) { // uw′
					found(slices.Concat(u, v, after[k:]), len(v))
				}
			}
		}
	}
	return out
}

// next names the item next to leave at an end: by its tag, in a priority queue by its priority.
func next(kind string, q []item, back bool) string {
	switch {
	case len(q) == 0:
		return "none"
	case kind == "priority-queue":
		return fmt.Sprint(slices.MinFunc(q, func(a, b item) int { return a.value - b.value }).value)
	case back || kind == "stack":
		return fmt.Sprint(q[len(q)-1].tag)
	}
	return fmt.Sprint(q[0].tag)
}

// within reports whether the cost of a path is within the bounds.
func within(kind string, path []paperStep, x specs.SemanticRelaxation) bool {
	for i, s := range path {
		removal := s.call.does == model.Remove
		switch {
		case x.OutOfOrder == 0 && x.Lateness == 0 && s.cost > 0:
			return false
		case x.OutOfOrder > 0 && s.cost > x.OutOfOrder:
			return false
		case x.Lateness > 0 && !removal && s.cost > 0:
			return false
		}
		// an interval in which the item next to leave is passed over starts here
		if x.Lateness > 0 && removal && s.cost > 0 {
			late := 0
			for _, t := range path[i:] {
				here := t.call.does == model.Remove && t.call.back == s.call.back
				if here && t.cost > 0 {
					late++
				}
				if late > x.Lateness {
					return false
				}
				if here && t.cost == 0 && !slices.Equal(t.before, t.after) || next(kind, t.before, s.call.back) != next(kind, t.after, s.call.back) {
					break
				}
			}
		}
		left := 0
		for _, t := range path[i:] {
			if !slices.Equal(t.before, t.after) {
				break
			}
			if t.leftOut {
				left++
			}
		}
		if left > x.Stuttering {
			return false
		}
	}
	return true
}

// extend returns the paths within the bounds that continue one of those given by a call. Path costs
// are monotone, so no path beyond the bounds has a continuation within.
func extend(kind string, paths [][]paperStep, c call, x specs.SemanticRelaxation) (out [][]paperStep) {
	for _, path := range paths {
		var q []item
		if len(path) > 0 {
			q = path[len(path)-1].after
		}
		for _, s := range completed(kind, q, c, len(path)+1) {
			ways := []paperStep{s}
			if !slices.Equal(s.after, q) {
				ways = append(ways, paperStep{call: c, before: q, after: q, cost: s.cost, leftOut: true})
			}
			for _, s := range ways {
				if p := append(slices.Clone(path), s); within(kind, p, x) {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// paperNames are the names of insertion, removal and peek, at the front and at the back.
var paperNames = map[string][3][]string{
	"queue":          {{"enq"}, {"deq"}, {"peek"}},
	"stack":          {{"push"}, {"pop"}, {"peek"}},
	"priority-queue": {{"insert"}, {"deletemin"}, {"min"}},
	"deque":          {{"pushfront", "pushback"}, {"popfront", "popback"}, {"peekfront", "peekback"}},
}

// paperAlphabet lists all calls with values 1..values, and binds a history of them one after the
// other.
func paperAlphabet(t *testing.T, kind string, values int, x specs.SemanticRelaxation) ([]call, *model.Instance) {
	var calls []call
	var ops []string
	for does, names := range paperNames[kind] {
		for end, name := range names {
			for v := range values + 1 {
				if does == 0 && v == 0 {
					continue
				}
				calls = append(calls, call{model.Action(does), end == 1, v})
				field := "result"
				if does == 0 {
					field = "arg"
				}
				value := fmt.Sprint(v)
				if v == 0 {
					value = "null"
				}
				n := len(ops)
				ops = append(ops, fmt.Sprintf(`{"process": %d, "f": %q, %q: %s, "call": %d, "return": %d}`, n, name, field, value, 2*n, 2*n+1))
			}
		}
	}
	h, err := history.Read(strings.NewReader(fmt.Sprintf(`{"spec": %q, "operations": [%s]}`, kind, strings.Join(ops, ", "))), history.ReadOptions{})
	require.NoError(t, err)
	return calls, bindRelaxed(t, kind, x, h)
}

func bindRelaxed(t *testing.T, name string, x specs.SemanticRelaxation, h *history.History) *model.Instance {
	t.Helper()
	s, ok := specs.Lookup(name)
	require.True(t, ok)
	r, err := specs.Relax(s, x)
	require.NoError(t, err)
	b, err := r.Bind(model.Whole(h))
	require.NoError(t, err)
	return b
}

func stepAll(m model.Machine, states []model.State, op history.OpID) (out []model.State) {
	for _, s := range states {
		out = m.Step(s, op, out)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// semantics lists all combinations of bounds up to k.
func semantics(k int) (out []specs.SemanticRelaxation) {
	for o := range k + 1 {
		for l := range k + 1 {
			for s := range k + 1 {
				out = append(out, specs.SemanticRelaxation{OutOfOrder: o, Lateness: l, Stuttering: s})
			}
		}
	}
	return out
}

// TestRelaxByDefinition compares the machines with the definition: along random sequences of 6
// calls, on every call that could come next.
func TestRelaxByDefinition(t *testing.T) {
	runs := 2
	if testenv.Full() {
		runs = 10
	}
	for kind := range paperNames {
		for _, values := range []int{2, 4} {
			t.Run(fmt.Sprint(kind, " of ", values), func(t *testing.T) {
				t.Parallel()
				accepted, refused := 0, 0
				for _, x := range semantics(3) {
					calls, b := paperAlphabet(t, kind, values, x)
					for seed := range uint64(runs) {
						r := rand.New(rand.NewPCG(seed, 5))
						m := b.NewMachine()
						states := []model.State{m.Init()}
						paths := [][]paperStep{nil}
						var text []call
						for len(text) < 6 {
							var allowed []int
							var after [][][]paperStep
							for op, c := range calls {
								reached := stepAll(m, states, history.OpID(op))
								ways := extend(kind, paths, c, x)
								require.Equal(t, len(ways) > 0, len(reached) > 0, "%s relaxed by %v, seed %d: %v, then %v", kind, x, seed, text, c)
								if len(ways) == 0 {
									refused++
									continue
								}
								accepted++
								if c.does != model.Insert || len(text) < 2 || r.IntN(3) == 0 {
									allowed, after = append(allowed, op), append(after, ways)
								}
							}
							if len(allowed) == 0 {
								break
							}
							k := r.IntN(len(allowed))
							text = append(text, calls[allowed[k]])
							states, paths = stepAll(m, states, history.OpID(allowed[k])), after[k]
						}
					}
				}
				assert.Positive(t, accepted)
				assert.Positive(t, refused)
			})
		}
	}
}

// TestRelaxSequences: cases that random sequences rarely meet.
func TestRelaxSequences(t *testing.T) {
	for _, x := range []struct {
		spec, by, ops string
		allowed       bool
	}{
		{"queue", "out-of-order=1,stuttering=1", "enq 1; deq→1; deq→1; enq 2; deq→2; deq→2", true},
		{"queue", "out-of-order=1,stuttering=1", "enq 1; deq→1; deq→1; deq→1", false},
		// 1 was passed over twice
		{"queue", "lateness=1,stuttering=1", "enq 1; enq 2; deq→2; deq→2; deq→1", false},
		{"queue", "lateness=2,stuttering=1", "enq 1; enq 2; deq→2; deq→2; deq→1", true},
		// 3 is in front
		{"deque", "lateness=1", "pushback 1; pushback 2; pushback 3; popfront→2; popback→1; popfront→null", true},
		{"deque", "lateness=1", "pushback 1; pushback 2; pushback 3; popfront→2; popback→3; popfront→null", false},
		{"deque", "lateness=1", "pushback 1; pushback 2; pushback 3; popback→2; popfront→3; popback→null", true},
		// 3, at the back, was passed over twice
		{"deque", "lateness=1", "pushback 1; pushback 2; pushback 3; popfront→2; popback→1; popback→null", false},
		{"priority-queue", "lateness=1", "insert 2; insert 3; deletemin→3; insert 1; deletemin→2; deletemin→1; deletemin→null", true},
		{"priority-queue", "lateness=1", "insert 2; insert 3; deletemin→3; insert 2; insert 3; deletemin→3", false},
		{"stack", "lateness=1", "push 1; push 2; pop→1; push 3; pop→2; pop→3", true},
		{"stack", "lateness=1", "push 1; push 2; push 3; pop→1; pop→2; pop→3", false},
	} {
		var ops []string
		for k, op := range strings.Split(x.ops, "; ") {
			f, value, _ := strings.Cut(strings.Replace(op, "→", " ", 1), " ")
			ops = append(ops, fmt.Sprintf(`{"process": 0, "f": %q, "arg": null, "call": %d, "return": %d}`, f, 2*k, 2*k+1))
			if strings.Contains(op, "→") {
				ops[k] = strings.Replace(ops[k], `"arg": null`, `"result": `+value, 1)
			} else {
				ops[k] = strings.Replace(ops[k], "null", value, 1)
			}
		}
		h, err := history.Read(strings.NewReader(fmt.Sprintf(`{"spec": %q, "operations": [%s]}`, x.spec, strings.Join(ops, ", "))), history.ReadOptions{})
		require.NoError(t, err)
		by, err := specs.ParseSemanticRelaxation(x.by)
		require.NoError(t, err)
		m := bindRelaxed(t, x.spec, by, h).NewMachine()
		states := []model.State{m.Init()}
		for op := range ops {
			states = stepAll(m, states, history.OpID(op))
		}
		assert.Equal(t, x.allowed, len(states) > 0, "%s relaxed by %s: %s", x.spec, x.by, x.ops)
	}
}

// TestRelaxEverySequence compares them on every sequence of calls up to a length.
func TestRelaxEverySequence(t *testing.T) {
	longest, bounds := 4, 1
	if testenv.Full() {
		longest, bounds = 6, 3
	}
	for kind, names := range paperNames {
		length := longest
		if len(names[0]) == 2 { // the alphabet of a deque is twice as large
			length -= 1 + longest/5
		}
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for _, x := range semantics(bounds) {
				if x.OutOfOrder == 2 || x.Lateness == 2 || x.Stuttering > 1 {
					continue
				}
				length := length
				if max(x.OutOfOrder, x.Lateness) > 1 {
					length--
				}
				calls, b := paperAlphabet(t, kind, 2, x)
				m := b.NewMachine()
				var walk func(states []model.State, paths [][]paperStep, text []call)
				walk = func(states []model.State, paths [][]paperStep, text []call) {
					require.Equal(t, len(paths) > 0, len(states) > 0, "%s relaxed by %v: %v", kind, x, text)
					if len(text) == length || len(paths) == 0 {
						return
					}
					for op, c := range calls {
						if c.does == model.Peek && len(text) < length-1 && x.Stuttering+x.Lateness == 0 {
							continue // without counts a peek says nothing of what comes after
						}
						walk(stepAll(m, states, history.OpID(op)), extend(kind, paths, c, x), append(slices.Clone(text), c))
					}
				}
				walk([]model.State{m.Init()}, [][]paperStep{nil}, nil)
			}
		})
	}
}

// stutters reports whether a specification has a stuttering: not one whose states stand for
// several.
func stutters(s model.Spec) bool {
	_, err := specs.Relax(s, specs.SemanticRelaxation{Stuttering: 1})
	return err == nil
}

// TestStutteringByDefinition: for every specification, a sequence of operations is allowed exactly
// if the operations whose change is left out can be chosen so that no more than k of them find the
// object in a state that nothing changes in between.
func TestStutteringByDefinition(t *testing.T) {
	runs := uint64(150)
	if testenv.Full() {
		runs = 5000
	}
	for _, s := range specs.All() {
		name := s.Info().Name
		if !stutters(s) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			only := 0 // sequences that a relaxation alone allows
			for seed := range runs {
				h, err := gen.Small(name, seed, gen.SmallOptions{Keys: 1, NoEdges: true})
				require.NoError(t, err)
				if len(h.Ops) == 0 {
					continue
				}
				r := rand.New(rand.NewPCG(seed, 6))
				ops := make([]history.OpID, 1+r.IntN(6))
				for k := range ops {
					ops[k] = history.OpID(r.IntN(len(h.Ops)))
				}
				bound, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				strict := bound.NewMachine()
				least := leastStuttering(strict, strict.Init(), ops, 0)
				for k := range 4 {
					m := bindRelaxed(t, name, specs.SemanticRelaxation{Stuttering: k}, h).NewMachine()
					states := []model.State{m.Init()}
					for _, op := range ops {
						states = stepAll(m, states, op)
					}
					require.Equal(t, least <= k, len(states) > 0, "stuttering=%d, seed %d, operations %v", k, seed, ops)
				}
				if least > 0 && least < 4 {
					only++
				}
			}
			assert.Positive(t, only)
		})
	}
}

// leastStuttering returns the least greatest number of changes left out in a state, over all ways
// from s, in which left have been left out.
func leastStuttering(m model.Machine, s model.State, ops []history.OpID, left int) int {
	if len(ops) == 0 {
		return left
	}
	least := 100
	for _, t := range m.Step(s, ops[0], nil) {
		if t == s {
			least = min(least, leastStuttering(m, s, ops[1:], left))
			continue
		}
		least = min(least, max(left, leastStuttering(m, t, ops[1:], 0)), leastStuttering(m, s, ops[1:], left+1))
	}
	return least
}

// TestRelaxMonotone: bounds of 0 allow what the strict specification does, and greater ones never
// less.
func TestRelaxMonotone(t *testing.T) {
	runs := uint64(100)
	if testenv.Full() {
		runs = 3000
	}
	for _, s := range specs.All() {
		name := s.Info().Name
		if !stutters(s) {
			continue
		}
		_, ordered := paperNames[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			grows := 0
			for seed := range runs {
				h, err := gen.Small(name, seed, gen.SmallOptions{NoEdges: true})
				require.NoError(t, err)
				if len(h.Ops) == 0 {
					continue
				}
				r := rand.New(rand.NewPCG(seed, 7))
				ops := make([]history.OpID, 1+r.IntN(6))
				for k := range ops {
					ops[k] = history.OpID(r.IntN(len(h.Ops)))
				}
				allowed := func(b *model.Instance) bool {
					m := b.NewMachine()
					states := []model.State{m.Init()}
					for _, op := range ops {
						states = stepAll(m, states, op)
					}
					return len(states) > 0
				}
				strict, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				verdicts := map[specs.SemanticRelaxation]bool{}
				for _, x := range semantics(3) {
					if !ordered && x.OutOfOrder+x.Lateness > 0 {
						continue
					}
					verdicts[x] = allowed(bindRelaxed(t, name, x, h))
				}
				require.Equal(t, allowed(strict), verdicts[specs.SemanticRelaxation{}], "seed %d, operations %v", seed, ops)
				for x, yes := range verdicts {
					if !yes {
						continue
					}
					for y, also := range verdicts {
						if wider(y, x) {
							require.True(t, also, "%v allows what %v does not, seed %d, operations %v", x, y, seed, ops)
							if !verdicts[specs.SemanticRelaxation{}] {
								grows++
							}
						}
					}
				}
			}
			assert.Positive(t, grows)
		})
	}
}

// wider reports whether x bounds nothing more tightly than y: how far removals may reach, how often
// they may pass an item over, how far other operations may reach, and how many changes may be left
// out.
func wider(x, y specs.SemanticRelaxation) bool {
	limits := func(x specs.SemanticRelaxation) [4]int {
		const none = 1000
		switch {
		case x.OutOfOrder == 0 && x.Lateness == 0:
			return [4]int{0, 0, 0, x.Stuttering}
		case x.OutOfOrder == 0:
			return [4]int{none, x.Lateness, 0, x.Stuttering}
		case x.Lateness == 0:
			return [4]int{x.OutOfOrder, none, x.OutOfOrder, x.Stuttering}
		}
		return [4]int{x.OutOfOrder, x.Lateness, 0, x.Stuttering}
	}
	a, b := limits(x), limits(y)
	return a[0] >= b[0] && a[1] >= b[1] && a[2] >= b[2] && a[3] >= b[3]
}

func TestParseSemantics(t *testing.T) {
	for text, want := range map[string]specs.SemanticRelaxation{
		"out-of-order=2,lateness=3,stuttering=1": {OutOfOrder: 2, Lateness: 3, Stuttering: 1},
		" lateness = 2 ":                         {Lateness: 2},
		"stuttering=1,out-of-order=4":            {OutOfOrder: 4, Stuttering: 1},
		"out-of-order=2,lateness=0":              {},
		"out-of-order=0,lateness=2,stuttering=1": {Stuttering: 1},
		"stuttering=0":                           {},
	} {
		x, err := specs.ParseSemanticRelaxation(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, x, text)
		again, err := specs.ParseSemanticRelaxation(x.String())
		if x == (specs.SemanticRelaxation{}) {
			assert.Equal(t, "nothing", x.String())
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, x, again)
	}
	for text, want := range map[string]string{
		"":                            "a relaxation is missing",
		"lateness=1,":                 "a relaxation is missing",
		"order=1":                     `unknown relaxation "order" (want out-of-order, lateness or stuttering)`,
		"lateness":                    `bound "" of relaxation lateness is not a number from 0 to 1073741824`,
		"lateness=-1":                 `bound "-1" of relaxation lateness is not a number from 0 to 1073741824`,
		"lateness=99999999999":        `bound "99999999999" of relaxation lateness is not a number from 0 to 1073741824`,
		"stuttering=1.5":              `bound "1.5" of relaxation stuttering is not a number from 0 to 1073741824`,
		"out-of-order=1,lateness=two": `bound "two" of relaxation lateness is not a number from 0 to 1073741824`,
		"lateness=1,lateness=1":       "relaxation lateness is given twice",
	} {
		_, err := specs.ParseSemanticRelaxation(text)
		assert.EqualError(t, err, want, text)
	}
}

func TestRelax(t *testing.T) {
	r, err := specs.Relax(specs.Queue(), specs.SemanticRelaxation{OutOfOrder: 2, Stuttering: 1})
	require.NoError(t, err)
	info := r.Info()
	assert.Equal(t, "queue relaxed(out-of-order=2,stuttering=1)", info.Name)
	assert.Nil(t, info.Classes)
	assert.Empty(t, info.Drain)
	strict, by, ok := specs.Relaxed(r)
	assert.True(t, ok)
	assert.Equal(t, specs.Queue(), strict)
	assert.Equal(t, specs.SemanticRelaxation{OutOfOrder: 2, Stuttering: 1}, by)
	_, _, ok = specs.Relaxed(specs.Queue())
	assert.False(t, ok)

	_, err = specs.Relax(r, specs.SemanticRelaxation{Lateness: 1})
	assert.EqualError(t, err, "queue relaxed(out-of-order=2,stuttering=1) is relaxed already")
	_, err = specs.Relax(specs.Register(), specs.SemanticRelaxation{Lateness: 1})
	assert.EqualError(t, err, "register has no order among items: out-of-order and lateness are for queue, stack, deque and priority-queue")
	_, err = specs.Relax(specs.Register(), specs.SemanticRelaxation{Stuttering: -1})
	assert.EqualError(t, err, "the bounds of a relaxation are numbers from 0 to 1073741824")
}

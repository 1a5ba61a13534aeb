package specs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
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
				if here && t.cost == 0 && !slices.Equal(t.before, t.after) ||
					next(kind, t.before, s.call.back) != next(kind, t.after, s.call.back) {
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
				ops = append(ops, fmt.Sprintf(`{"process": %d, "f": %q, %q: %s, "call": %d, "return": %d}`, n, name,
					field, value, 2*n, 2*n+1))
			}
		}
	}
	h, err := history.Read(strings.NewReader(fmt.Sprintf(`{"spec": %q, "operations": [%s]}`, kind,
		strings.Join(ops, ", "))), history.ReadOptions{})
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

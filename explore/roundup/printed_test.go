package roundup

import (
	"fmt"
	"slices"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/quasi/displacement"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The paper's algorithms as they are printed, and what is wrong with them.

// call is an event of a history: the invocation of an operation, or its response.
type call struct {
	op       int
	response bool
}

// printedLinearizations is compute_linearizations of Algorithm 1: as long as calls overlap, the
// first two are put one after the other, once in each order. It returns the sequences of
// operations.
func printedLinearizations(history []call) map[string]bool {
	found := map[string]bool{}
	for open := [][]call{history}; len(open) > 0; {
		h := open[0]
		open = open[1:]
		at := slices.IndexFunc(h, func(c call) bool { return !c.response })
		for at >= 0 && at+1 < len(h) && h[at+1].response {
			at += 2
			if at >= len(h) {
				at = -1
			}
		}
		if at < 0 {
			var order []int
			for i := 0; i < len(h); i += 2 {
				order = append(order, h[i].op)
			}
			found[fmt.Sprint(order)] = true
			continue
		}
		first, second := h[at].op, h[at+1].op
		open = append(open, sequenced(h, at, first), sequenced(h, at, second))
	}
	return found
}

// sequenced puts the call of op, its response behind it, at a place, before all else that follows.
func sequenced(h []call, at, op int) []call {
	out := append(slices.Clone(h[:at]), call{op, false}, call{op, true})
	for _, c := range h[at:] {
		if c.op != op {
			out = append(out, c)
		}
	}
	return out
}

// Of three overlapping calls the printed algorithm never puts the third first, so that it refuses
// histories that are linearizable in no other way, such as a write behind two reads of its value.
// linsat has all six.
func TestAlgorithm1LosesLinearizations(t *testing.T) {
	overlapping := []call{{0, false}, {1, false}, {2, false}, {0, true}, {1, true}, {2, true}}
	printed := printedLinearizations(overlapping)
	assert.Equal(t, map[string]bool{"[0 1 2]": true, "[0 2 1]": true, "[1 0 2]": true, "[1 2 0]": true}, printed)
	assert.NotContains(t, printed, "[2 0 1]", "write, read, read")

	all := 0
	x := &extension{process: [][]int32{{0}, {1}, {2}}, need: [][][]int32{{{0, 0, 0}}, {{0, 0, 0}}, {{0, 0, 0}}}}
	x.each(func([]int32, []byte) bool { all++; return true })
	assert.Equal(t, 6, all)

	two := []call{{0, false}, {1, false}, {1, true}, {0, true}}
	assert.Len(t, printedLinearizations(two), 2, "two calls are right")
}

// Fig. 6: a call of one thread overlaps two of another, one after the other. The first step makes
// History 1, in which calls still overlap, and History 2. With two threads nothing is lost.
func TestFigure6(t *testing.T) {
	drawn := []call{{0, false}, {1, false}, {0, true}, {2, false}, {2, true}, {1, true}}
	assert.Equal(t, []call{{0, false}, {0, true}, {1, false}, {2, false}, {2, true}, {1, true}},
		sequenced(drawn, 0, 0), "History 1")
	assert.Equal(t, []call{{1, false}, {1, true}, {0, false}, {0, true}, {2, false}, {2, true}},
		sequenced(drawn, 0, 1), "History 2")
	assert.Equal(t, map[string]bool{"[0 1 2]": true, "[0 2 1]": true, "[1 0 2]": true}, printedLinearizations(drawn))

	e := &explore.Execution{Ops: []explore.Op{{Thread: 0, Call: 0, Return: 2}, {Thread: 1, Call: 1, Return: 5},
		{Thread: 0, Call: 3, Return: 4}}}
	x := newExtension(e)
	listed := map[string]bool{}
	x.each(func(order []int32, _ []byte) bool {
		listed[fmt.Sprint(order)] = true
		return true
	})
	assert.Equal(t, printedLinearizations(drawn), listed)
	assert.Equal(t, int64(3), x.count())
}

// permuter is Algorithm 2. Its mended forms differ in what their fields say.
type permuter struct {
	k      int
	states []*state
	// keepDone: line 36 adds to done instead of replacing it. exceptSelected: line 59 leaves out
	// the event that was selected, instead of all that are done. later: line 60 increments
	// lateness, as the text says, instead of decrementing it.
	keepDone, exceptSelected, later bool
}

type state struct {
	enabled, newlyEnabled map[int]int // event → lateness
	selected              int
	done                  map[int]bool
}

// firstRun is first_run and init_enabled_and_lateness, on the events 0 to n-1.
func (p *permuter) firstRun(n int) {
	for ev := range n {
		p.states = append(p.states, &state{map[int]int{}, map[int]int{}, ev, map[int]bool{ev: true}})
		for at, lateness := ev, 0; ; at, lateness = at-1, lateness-1 {
			p.states[at].enabled[ev] = lateness
			if lateness == -p.k || at == 0 {
				p.states[at].newlyEnabled[ev] = lateness
				break
			}
		}
	}
}

// pick is pick_an_enabled_event; -1 stands for null.
func (p *permuter) pick(s *state) int {
	best := -1
	for ev, lateness := range s.enabled {
		switch {
		case lateness == p.k && s.done[ev]:
			return -1
		case lateness == p.k:
			return ev
		case !s.done[ev] && (best < 0 || ev < best):
			best = ev
		}
	}
	return best
}

// backtrackRun is backtrack_run; nil stands for null.
func (p *permuter) backtrackRun() []int {
	at := len(p.states) - 1
	for at >= 0 && p.pick(p.states[at]) < 0 {
		at--
	}
	if at < 0 {
		return nil
	}
	for _, s := range p.states[at+1:] {
		s.done, s.enabled = map[int]bool{}, map[int]int{}
	}
	for {
		s := p.states[at]
		ev := p.pick(s)
		s.selected = ev
		if !p.keepDone {
			s.done = map[int]bool{}
		}
		s.done[ev] = true
		if at++; at == len(p.states) {
			break
		}
		p.update(s, p.states[at])
	}
	var out []int
	for _, s := range p.states {
		out = append(out, s.selected)
	}
	return out
}

// update is update_enabled_and_lateness.
func (p *permuter) update(prev, s *state) {
	s.enabled = map[int]int{}
	for ev, lateness := range prev.enabled {
		gone := prev.done[ev]
		if p.exceptSelected {
			gone = ev == prev.selected
		}
		switch {
		case gone:
		case p.later:
			s.enabled[ev] = lateness + 1
		default:
			s.enabled[ev] = lateness - 1
		}
	}
	for ev, lateness := range s.newlyEnabled {
		s.enabled[ev] = lateness
	}
}

// permutations are what compute_quasi_permutations makes of n events, with the original first.
// ended reports whether it came to an end within so many runs.
func (p *permuter) permutations(n, runs int) (out []string, ended bool) {
	p.firstRun(n)
	out = append(out, fmt.Sprint(seq(n)))
	for range runs {
		r := p.backtrackRun()
		if r == nil {
			return out, true
		}
		out = append(out, fmt.Sprint(r))
	}
	return out, false
}

func seq(n int) []int {
	var out []int
	for i := range n {
		out = append(out, i)
	}
	return out
}

// The printed algorithm forgets at each state what it has tried there, so it never ends, even on
// the paper's own example of three events that move by one place. Three lines mended, it makes
// exactly the rearrangements that linsat makes.
func TestAlgorithm2DoesNotEnd(t *testing.T) {
	const runs = 10000
	printed, ended := (&permuter{k: 1}).permutations(3, runs)
	require.False(t, ended)
	require.Len(t, printed, runs+1)
	require.Less(t, len(distinct(printed)), 7, "there are six orders of three events")

	_, ended = (&permuter{k: 1, exceptSelected: true, later: true}).permutations(3, runs)
	require.False(t, ended, "line 36 alone is enough")

	example, ended := (&permuter{k: 1, keepDone: true, exceptSelected: true, later: true}).permutations(3, runs)
	require.True(t, ended)
	require.Equal(t, []string{"[0 1 2]", "[0 2 1]", "[1 0 2]"}, example, "Fig. 7")

	for _, c := range []struct{ n, k int }{{1, 1}, {4, 1}, {4, 2}, {5, 2}, {6, 3}, {6, 5}} {
		mended, ended := (&permuter{k: c.k, keepDone: true, exceptSelected: true, later: true}).permutations(c.n, runs)
		require.True(t, ended)
		var ours []string
		displacement.Rearrangements(c.n, int32(c.k), func(a []int32) bool {
			ours = append(ours, fmt.Sprint(a))
			return true
		})
		require.ElementsMatch(t, ours, mended, "%+v", c)
	}

	// Each of the other two lines matters as well.
	for name, p := range map[string]permuter{
		"line 59": {keepDone: true, later: true},
		"line 60": {keepDone: true, exceptSelected: true},
	} {
		p.k = 1
		wrong, ended := p.permutations(3, runs)
		require.False(t, ended && slices.Equal(wrong, example), name)
	}
}

func distinct(of []string) map[string]bool {
	out := map[string]bool{}
	for _, s := range of {
		out[s] = true
	}
	return out
}

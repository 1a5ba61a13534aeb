//go:build !linsat_native

package cdsspec_test

import (
	"testing"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
	internal "github.com/linsat/linsat/internal/relaxed/cdsspec"
	"github.com/stretchr/testify/assert"
)

// points runs body as a call of a method with point "p" on an object of three locations, and
// returns the names of the call's ordering points.
func points(t *testing.T, labels []string, body func(x *c11.Exec, v []*c11.Int[int])) []string {
	t.Helper()
	s := &cdsspec.Structure[none]{Name: "s", HappensBefore: []string{"M -> M"}}
	m := &cdsspec.Method[none, none, none]{Of: s, Name: "M", Points: labels, PostCondition: func(*none, none,
		none) bool {
		return false
	}}
	r := check(t, func(x *c11.Exec) {
		v := []*c11.Int[int]{c11.NewInt(x, "a", 0), c11.NewInt(x, "b", 0), c11.NewInt(x, "c", 0)}
		x.Go(func() {
			call := m.Begin(x, s, none{})
			body(x, v)
			call.End(none{})
		})
	}, cdsspec.Options{})
	f := finding(t, r, cdsspec.Correctness) // shows the calls
	names := []string{}
	for _, p := range internal.Inside(f).Ordering.Calls[0].Points {
		names = append(names, f.Graph.Events[p].Loc)
	}
	return names
}

// TestPoints: which accesses the annotations make ordering points.
func TestPoints(t *testing.T) {
	p := []string{"p"}
	add := func(v *c11.Int[int]) { v.FetchAdd(1, c11.Relaxed) }
	for _, c := range []struct {
		name string
		want []string
		body func(x *c11.Exec, v []*c11.Int[int])
	}{
		{"at once", []string{"a"}, func(x *c11.Exec, v []*c11.Int[int]) {
			add(v[0])
			cdsspec.Point(x, true, "p")
			add(v[1])
		}},
		{"condition false", []string{}, func(x *c11.Exec, v []*c11.Int[int]) {
			add(v[0])
			cdsspec.Point(x, false, "p")
		}},
		{"other label", []string{}, func(x *c11.Exec, v []*c11.Int[int]) { add(v[0]); cdsspec.Point(x, true, "q") }},
		{"several", []string{"a", "b"}, func(x *c11.Exec, v []*c11.Int[int]) {
			for _, u := range v[:2] {
				add(u)
				cdsspec.Point(x, true, "p")
			}
		}},
		{"one twice", []string{"a"}, func(x *c11.Exec, v []*c11.Int[int]) {
			add(v[0])
			cdsspec.Point(x, true, "p")
			cdsspec.Point(x, true, "p")
		}},
		{"not a cell, not a fence", []string{"a"}, func(x *c11.Exec, v []*c11.Int[int]) {
			add(v[0])
			c11.NewCell(x, "plain", 1).Load()
			x.Fence(c11.SeqCst)
			cdsspec.Point(x, true, "p")
		}},
		{"potential alone", []string{}, func(x *c11.Exec, v []*c11.Int[int]) {
			add(v[0])
			cdsspec.PotentialPoint(x, true, "p")
		}},
		{"confirmed later", []string{"a"}, func(x *c11.Exec, v []*c11.Int[int]) {
			add(v[0])
			cdsspec.PotentialPoint(x, true, "maybe")
			add(v[1])
			cdsspec.ConfirmPoint(x, true, "maybe", "p")
		}},
		{"the latest is confirmed", []string{"b"}, func(x *c11.Exec, v []*c11.Int[int]) {
			add(v[0])
			cdsspec.PotentialPoint(x, true, "maybe")
			add(v[1])
			cdsspec.PotentialPoint(x, true, "maybe")
			add(v[2])
			cdsspec.PotentialPoint(x, false, "maybe")
			cdsspec.ConfirmPoint(x, true, "maybe", "p")
		}},
		{"not confirmed", []string{}, func(x *c11.Exec, v []*c11.Int[int]) {
			add(v[0])
			cdsspec.PotentialPoint(x, true, "maybe")
			cdsspec.ConfirmPoint(x, false, "maybe", "p")
			cdsspec.ConfirmPoint(x, true, "other", "p")
			cdsspec.ConfirmPoint(x, true, "maybe", "q")
		}},
		{"cleared", []string{"c"}, func(x *c11.Exec, v []*c11.Int[int]) {
			add(v[0])
			cdsspec.Point(x, true, "p")
			add(v[1])
			cdsspec.PotentialPoint(x, true, "maybe")
			cdsspec.ClearPoints(x, true, "p")
			cdsspec.ConfirmPoint(x, true, "maybe", "p")
			add(v[2])
			cdsspec.Point(x, true, "p")
		}},
		{"not cleared", []string{"a"}, func(x *c11.Exec, v []*c11.Int[int]) {
			add(v[0])
			cdsspec.Point(x, true, "p")
			cdsspec.ClearPoints(x, false, "p")
			cdsspec.ClearPoints(x, true, "q")
		}},
	} {
		assert.Equal(t, c.want, points(t, p, c.body), c.name)
	}
}

// counter has primitive and aggregate methods: Add, Twice that adds twice, Bump whose work is an
// Add, and Atomically, which claims that its two adds happen at once.
type counterMethods struct {
	add, twice, bump, atomically *cdsspec.Method[int, none, none]
	read                         *cdsspec.Method[int, none, int]
}

func newCounterMethods() counterMethods {
	s := &cdsspec.Structure[int]{Name: "counter"}
	return counterMethods{
		add: &cdsspec.Method[int, none, none]{Of: s, Name: "Add", Points: []string{"add"},
			SideEffect: func(n *int, _, _ none) { *n++ }},
		twice: &cdsspec.Method[int, none, none]{Of: s, Name: "Twice", PostCondition: func(n *int, _, _ none) bool {
			return false
		}},
		bump: &cdsspec.Method[int, none, none]{Of: s, Name: "Bump", Points: []string{"add"},
			PreCondition: func(n *int, _, _ none) bool {
				return *n < 1
			}, PostCondition: func(n *int, _, _ none) bool { return *n == 1 }},
		atomically: &cdsspec.Method[int, none, none]{Of: s, Name: "Atomically", Points: []string{"add"},
			PostCondition: func(n *int, _, _ none) bool { return *n%2 == 0 }},
		read: &cdsspec.Method[int, none, int]{Of: s, Name: "Read", Points: []string{"read"},
			PostCondition: func(n *int, _ none, got int) bool { return *n == got }},
	}
}

func (m counterMethods) doAdd(x *c11.Exec, n *c11.Int[int]) {
	call := m.add.Begin(x, n, none{})
	n.FetchAdd(1, c11.AcqRel)
	cdsspec.Point(x, true, "add")
	call.End(none{})
}

func (m counterMethods) around(x *c11.Exec, n *c11.Int[int], outer *cdsspec.Method[int, none, none], adds int) {
	call := outer.Begin(x, n, none{})
	for range adds {
		m.doAdd(x, n)
	}
	call.End(none{})
}

func (m counterMethods) doRead(x *c11.Exec, n *c11.Int[int]) {
	call := m.read.Begin(x, n, none{})
	got := n.Load(c11.Acquire)
	cdsspec.Point(x, true, "read")
	call.End(got)
}

// TestSharedPoints: a call inside another shares its points, and both are checked there. An
// aggregate has no place: others see it half done. A method that claims the points of two calls
// inside it is refuted by a read between them.
func TestSharedPoints(t *testing.T) {
	run := func(body func(m counterMethods, x *c11.Exec, n *c11.Int[int])) *cdsspec.Report {
		m := newCounterMethods()
		return check(t, func(x *c11.Exec) {
			n := c11.NewInt(x, "n", 0)
			x.Go(func() { body(m, x, n) })
			x.Go(func() { m.doRead(x, n) })
		}, cdsspec.Options{Mode: cdsspec.Strict})
	}
	r := run(func(m counterMethods, x *c11.Exec, n *c11.Int[int]) { m.around(x, n, m.twice, 2) })
	assert.Equal(t, map[cdsspec.Verdict]int{cdsspec.Passed: 3}, r.Counts, r.Text())

	r = run(func(m counterMethods, x *c11.Exec, n *c11.Int[int]) { m.around(x, n, m.bump, 1) })
	assert.Equal(t, map[cdsspec.Verdict]int{cdsspec.Passed: 2}, r.Counts, r.Text())

	r = run(func(m counterMethods, x *c11.Exec, n *c11.Int[int]) {
		m.around(x, n, m.bump, 1)
		m.around(x, n, m.bump, 1)
	})
	assert.Equal(t, cdsspec.Correctness, r.Verdict)
	f := finding(t, r, cdsspec.Correctness)
	assert.Equal(t, "Bump", internal.Inside(f).Ordering.Calls[internal.Inside(f).Trial.Failure.Call].Method.Name)
	assert.Contains(t, f.Text(), "pre-condition of Bump() (thread 1) does not hold in state 1")

	// (n = 1) is between the two adds: before one point of Atomically, and after the other
	r = run(func(m counterMethods, x *c11.Exec, n *c11.Int[int]) { m.around(x, n, m.atomically, 2) })
	assert.Equal(t, map[cdsspec.Verdict]int{cdsspec.Passed: 2, cdsspec.Cycle: 1}, r.Counts, r.Text())

	r = run(func(m counterMethods, x *c11.Exec, n *c11.Int[int]) { m.around(x, n, m.atomically, 1) })
	assert.Equal(t, map[cdsspec.Verdict]int{cdsspec.Correctness: 2}, r.Counts, r.Text())
}

//go:build !linsat_native

package cdsspec_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
	internal "github.com/linsat/linsat/internal/relaxed/cdsspec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func check(t *testing.T, p c11.Program, o cdsspec.Options) *cdsspec.Report {
	t.Helper()
	r, err := cdsspec.Check(context.Background(), p, o)
	require.NoError(t, err)
	return r
}

func finding(t *testing.T, r *cdsspec.Report, v cdsspec.Verdict) *cdsspec.Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.Verdict == v {
			return f
		}
	}
	require.Fail(t, "no such finding", "%s in\n%s", v, r.Text())
	return nil
}

// TestRCU: updates and reads pass in every mode.
func TestRCU(t *testing.T) {
	for _, mode := range []cdsspec.Mode{cdsspec.Loose, cdsspec.Strict, cdsspec.Random} {
		r := check(t, func(x *c11.Exec) {
			u := newRCU(x, "u")
			x.Go(func() { u.update(x, 1); u.read(x) })
			x.Go(func() { u.update(x, 2); u.read(x) })
		}, cdsspec.Options{Mode: mode})
		assert.Equal(t, cdsspec.Passed, r.Verdict, r.Text())
		assert.True(t, r.Stats.All)
		assert.Empty(t, r.Unused)
	}
}

// TestFigure3: two updates and two reads of two objects, where both reads find nothing. This is
// accepted, although no sequential history that keeps program order explains it.
func TestFigure3(t *testing.T) {
	var r1, r2 snapshot
	both := 0
	r := check(t, func(x *c11.Exec) {
		a, b := newRCU(x, "x"), newRCU(x, "y")
		one := x.Go(func() { a.update(x, 1); r1 = b.read(x) })
		two := x.Go(func() { b.update(x, 1); r2 = a.read(x) })
		one.Join()
		two.Join()
		if r1.data == 0 && r2.data == 0 {
			both++
		}
	}, cdsspec.Options{Mode: cdsspec.Strict})
	assert.Equal(t, cdsspec.Passed, r.Verdict, r.Text())
	assert.Positive(t, both)

	// update x, read y → 0 | update y, read x → 0, in all interleavings that keep program order
	explained := 0
	for _, order := range [][4]int{{0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0}, {1, 0, 0, 1}, {1, 0, 1, 0}, {1, 1, 0, 0}} {
		var state [2]int
		var next [2]int
		passes := true
		for _, thread := range order {
			if next[thread] == 0 {
				state[thread] = 1
			} else {
				passes = passes && state[1-thread] == 0
			}
			next[thread]++
		}
		if passes {
			explained++
		}
	}
	assert.Zero(t, explained)
}

// cell is a register over one atomic, for specifications of every kind.
type cell struct{ v *c11.Atomic[int] }

func newCell(x *c11.Exec, name string) *cell { return &cell{c11.NewAtomic(x, name, 0)} }

type register struct{ value int }

// registerMethods makes a write and a read of a register specification.
func registerMethods(rules ...string) (write *cdsspec.Method[register, int, none],
	read *cdsspec.Method[register, none, int]) {
	s := &cdsspec.Structure[register]{Name: "register", HappensBefore: rules}
	return &cdsspec.Method[register, int, none]{
			Of: s, Name: "Write", Points: []string{"write"},
			SideEffect: func(s *register, v int, _ none) { s.value = v },
		}, &cdsspec.Method[register, none, int]{
			Of: s, Name: "Read", Points: []string{"read"},
			Conditions:    map[string]func(none, int) bool{"found": func(_ none, v int) bool { return v != 0 }},
			PostCondition: func(s *register, _ none, v int) bool { return s.value == v },
		}
}

func writeCell(x *c11.Exec, m *cdsspec.Method[register, int, none], c *cell, v int, o c11.Order) {
	call := m.Begin(x, c, v)
	c.v.Store(v, o)
	cdsspec.Point(x, true, "write")
	call.End(none{})
}

func readCell(x *c11.Exec, m *cdsspec.Method[register, none, int], c *cell, o c11.Order) int {
	call := m.Begin(x, c, none{})
	v := c.v.Load(o)
	cdsspec.Point(x, true, "read")
	call.End(v)
	return v
}

// TestSynchronization: a rule holds with release and acquire, and not without either; a guard takes
// the reads that find nothing out of it; without rules nothing is asked for. A read does not
// release, so not even SeqCst makes it happen before a later write.
func TestSynchronization(t *testing.T) {
	for _, c := range []struct {
		store, load c11.Order
		rules       []string
		want        cdsspec.Verdict
	}{
		{c11.Release, c11.Acquire, []string{"Write -> Read"}, cdsspec.Passed},
		{c11.Relaxed, c11.Acquire, []string{"Write -> Read"}, cdsspec.Synchronization},
		{c11.Release, c11.Relaxed, []string{"Write -> Read"}, cdsspec.Synchronization},
		{c11.Release, c11.Relaxed, []string{"Write->Read ( found )"}, cdsspec.Synchronization},
		{c11.Relaxed, c11.Relaxed, nil, cdsspec.Passed},
		{c11.SeqCst, c11.SeqCst, []string{"Write -> Read", "Read -> Write"}, cdsspec.Synchronization},
	} {
		write, read := registerMethods(c.rules...)
		r := check(t, func(x *c11.Exec) {
			v := newCell(x, "v")
			x.Go(func() { writeCell(x, write, v, 1, c.store) })
			x.Go(func() { readCell(x, read, v, c.load) })
		}, cdsspec.Options{Mode: cdsspec.Strict})
		assert.Equal(t, c.want, r.Verdict, "%v: %s", c, r.Text())
		if c.want == cdsspec.Synchronization {
			f := finding(t, r, c.want)
			assert.Contains(t, f.Text(), internal.Inside(f).Missing.Rule.Text)
			assert.Contains(t, f.Text(), "before")
		}
	}
}

// TestGuards: a read that is later than a write of 0 finds nothing, so the guard does not hold and
// nothing is asked for.
func TestGuards(t *testing.T) {
	for rule, want := range map[string]cdsspec.Verdict{"Write -> Read(found)": cdsspec.Passed,
		"Write -> Read": cdsspec.Synchronization} {
		write, read := registerMethods(rule)
		r := check(t, func(x *c11.Exec) {
			v := newCell(x, "v")
			x.Go(func() { writeCell(x, write, v, 0, c11.Relaxed) })
			x.Go(func() { readCell(x, read, v, c11.Relaxed) })
		}, cdsspec.Options{})
		assert.Equal(t, want, r.Verdict, r.Text())
	}
}

// TestIDs: rules are about calls of one ID, by default the object; an ID may come from arguments
// and results.
func TestIDs(t *testing.T) {
	type pool struct{}
	run := func(id func(a int, r int) any) *cdsspec.Report {
		s := &cdsspec.Structure[pool]{HappensBefore: []string{"Put -> Get"}}
		put := &cdsspec.Method[pool, int, int]{Of: s, Name: "Put", Points: []string{"put"}, ID: id}
		get := &cdsspec.Method[pool, int, int]{Of: s, Name: "Get", Points: []string{"get"}, ID: id}
		return check(t, func(x *c11.Exec) {
			v := c11.NewAtomic(x, "v", 0)
			w := c11.NewAtomic(x, "w", 0)
			x.Go(func() {
				for i := range 2 { // the first relaxed, the second releases
					call := put.Begin(x, v, i+1)
					v.Store(i+1, []c11.Order{c11.Relaxed, c11.Release}[i])
					cdsspec.Point(x, true, "put")
					call.End(i + 1)
				}
				w.Store(1, c11.Relaxed)
			})
			x.Go(func() {
				call := get.Begin(x, v, 0)
				got := v.Load(c11.Acquire)
				cdsspec.Point(x, true, "get")
				call.End(got)
			})
		}, cdsspec.Options{})
	}
	// get 1 is later than put 1, which does not release
	assert.Equal(t, cdsspec.Synchronization, run(nil).Verdict)
	assert.Equal(t, cdsspec.Synchronization, run(func(_, r int) any { return r }).Verdict)
	// all IDs differ
	assert.Equal(t, cdsspec.Passed, run(func(a, r int) any { return [2]int{a, r} }).Verdict)
	// only what is about 2
	assert.Equal(t, cdsspec.Passed, run(func(a, r int) any {
		if r == 2 {
			return 2
		}
		return [2]int{a, r}
	}).Verdict)
}

// TestBarrier: each of two calls happens before the end of the other, if both directions are asked
// for.
func TestBarrier(t *testing.T) {
	type gate struct{}
	run := func(o c11.Order) *cdsspec.Report {
		s := &cdsspec.Structure[gate]{HappensBefore: []string{"Wait -> Wait"}}
		wait := &cdsspec.Method[gate, int, none]{Of: s, Name: "Wait", Points: []string{"arrive"}}
		return check(t, func(x *c11.Exec) {
			n := c11.NewInt(x, "n", 0)
			for i := range 2 {
				x.Go(func() {
					call := wait.Begin(x, n, i)
					n.FetchAdd(1, o)
					cdsspec.Point(x, true, "arrive")
					n.Await(func(v int) bool { return v == 2 }, c11.Acquire)
					call.End(none{})
				})
			}
		}, cdsspec.Options{Mode: cdsspec.Strict})
	}
	assert.Equal(t, cdsspec.Passed, run(c11.AcqRel).Verdict)
	assert.Equal(t, cdsspec.Synchronization, run(c11.Relaxed).Verdict)
}

// TestOrderOfDetection: a race and an uninitialised load end everything; a condition that does not
// hold hides missing synchronisation; a wait without end is a verdict.
func TestOrderOfDetection(t *testing.T) {
	write, read := registerMethods("Write -> Read")
	wrong := &cdsspec.Method[register, none, int]{Of: read.Of, Name: "Read", Points: read.Points,
		PostCondition: func(*register, none, int) bool { return false }}
	r := check(t, func(x *c11.Exec) {
		v := newCell(x, "v")
		x.Go(func() { writeCell(x, write, v, 1, c11.Relaxed) })
		x.Go(func() { readCell(x, wrong, v, c11.Relaxed) })
	}, cdsspec.Options{})
	assert.Equal(t, map[cdsspec.Verdict]int{cdsspec.Correctness: 2}, r.Counts)
	assert.Contains(t, r.Text(), "post-condition of Read")

	r = check(t, func(x *c11.Exec) {
		v, plain := newCell(x, "v"), c11.NewCell(x, "plain", 0)
		x.Go(func() { plain.Store(1); writeCell(x, write, v, 1, c11.Relaxed) })
		x.Go(func() {
			if readCell(x, read, v, c11.Relaxed) == 1 {
				plain.Load()
			}
		})
	}, cdsspec.Options{})
	assert.Equal(t, cdsspec.DataRace, r.Verdict)
	assert.Equal(t, map[cdsspec.Verdict]int{cdsspec.DataRace: 1, cdsspec.Passed: 1}, r.Counts, r.Text())

	r = check(t, func(x *c11.Exec) {
		v := c11.NewUninitialized[int](x, "v")
		x.Go(func() { v.Store(1, c11.Relaxed) })
		x.Go(func() { v.Load(c11.Relaxed) })
	}, cdsspec.Options{})
	assert.Equal(t, cdsspec.UninitializedLoad, r.Verdict)

	r = check(t, func(x *c11.Exec) {
		v := newCell(x, "v")
		x.Go(func() { v.v.Await(func(v int) bool { return v == 1 }, c11.Relaxed) })
	}, cdsspec.Options{})
	assert.Equal(t, cdsspec.Endless, r.Verdict)

	r = check(t, func(x *c11.Exec) { panic("assertion") }, cdsspec.Options{})
	assert.Equal(t, cdsspec.Panicked, r.Verdict)
	assert.Contains(t, r.Text(), "assertion")

	r = check(t, func(x *c11.Exec) { x.Go(func() { x.Assume(false) }) }, cdsspec.Options{})
	assert.Equal(t, cdsspec.Blocked, r.Verdict)

	r = check(t, func(x *c11.Exec) {
		v := newCell(x, "v")
		x.Go(func() {
			for range 10 {
				v.v.Load(c11.Relaxed)
			}
		})
	}, cdsspec.Options{Options: c11.Options{MaxEvents: 5}})
	assert.Equal(t, cdsspec.Bounded, r.Verdict)
	assert.False(t, r.Stats.All)
}

// pair is two registers that one call writes: with a point at each, or only at the first.
func pairProgram(t *testing.T, points []string, o cdsspec.Options) *cdsspec.Report {
	t.Helper()
	type state struct{ a, b int }
	s := &cdsspec.Structure[state]{Name: "pair"}
	set := &cdsspec.Method[state, int, none]{Of: s, Name: "Set", Points: points, SideEffect: func(s *state, v int,
		_ none) {
		*s = state{v, v}
	}}
	get := &cdsspec.Method[state, none, [2]int]{Of: s, Name: "Get", Points: points,
		PostCondition: func(s *state, _ none, r [2]int) bool { return s.a == r[0] && s.b == r[1] }}
	return check(t, func(x *c11.Exec) {
		a, b := c11.NewAtomic(x, "a", 0), c11.NewAtomic(x, "b", 0)
		this := new(int)
		x.Go(func() {
			call := set.Begin(x, this, 1)
			a.Store(1, c11.Relaxed)
			cdsspec.Point(x, true, "a")
			b.Store(1, c11.Relaxed)
			cdsspec.Point(x, true, "b")
			call.End(none{})
		})
		x.Go(func() {
			call := get.Begin(x, this, none{})
			r := [2]int{}
			r[0] = a.Load(c11.Relaxed)
			cdsspec.Point(x, true, "a")
			r[1] = b.Load(c11.Relaxed)
			cdsspec.Point(x, true, "b")
			call.End(r)
		})
	}, o)
}

// TestCycle: with two ordering points, the reads of (1, 0) and (0, 1) are before and after the
// write. With one they are wrong in the only order.
func TestCycle(t *testing.T) {
	r := pairProgram(t, []string{"a", "b"}, cdsspec.Options{})
	assert.Equal(t, cdsspec.Cycle, r.Verdict)
	assert.Equal(t, map[cdsspec.Verdict]int{cdsspec.Cycle: 2, cdsspec.Passed: 2}, r.Counts)
	f := finding(t, r, cdsspec.Cycle)
	assert.Contains(t, f.Text(), "reads from")
	assert.Contains(t, f.Text(), "modification order (read-write)")
	assert.Len(t, internal.Inside(f).Ordering.Cycle, 2)

	r = pairProgram(t, []string{"a"}, cdsspec.Options{})
	assert.Equal(t, map[cdsspec.Verdict]int{cdsspec.Correctness: 2, cdsspec.Passed: 2}, r.Counts)
	assert.NotEmpty(t, internal.Inside(r.Findings[0]).Trial.Failure.State)
}

// TestModesDiffer: without ordering points some orders of a write and a read pass.
func TestModesDiffer(t *testing.T) {
	run := func(o cdsspec.Options) map[cdsspec.Verdict]int {
		return pairProgram(t, []string{"none"}, o).Counts
	}
	assert.Equal(t, map[cdsspec.Verdict]int{cdsspec.Correctness: 2, cdsspec.Passed: 2},
		run(cdsspec.Options{Mode: cdsspec.Loose}))
	assert.Equal(t, map[cdsspec.Verdict]int{cdsspec.Correctness: 4}, run(cdsspec.Options{Mode: cdsspec.Strict}))
	seen := map[string]bool{}
	for seed := range uint64(10) {
		counts := run(cdsspec.Options{Mode: cdsspec.Random, Seed: seed})
		assert.Equal(t, counts, run(cdsspec.Options{Mode: cdsspec.Random, Seed: seed}))
		seen[fmt.Sprint(counts)] = true
	}
	assert.Len(t, seen, 1) // either order passes one of the four executions
	r := pairProgram(t, []string{"none"}, cdsspec.Options{})
	assert.Equal(t, []string{`no execution reaches the ordering point "none" of Get`,
		`no execution reaches the ordering point "none" of Set`}, r.Unused)
}

// TestFirst stops at the first execution that does not pass.
func TestFirst(t *testing.T) {
	r := pairProgram(t, []string{"none"}, cdsspec.Options{Mode: cdsspec.Strict, First: true})
	assert.Equal(t, 1, r.Counts[cdsspec.Correctness])
	assert.False(t, r.Stats.All)
}

// TestMisuse: annotations that make no sense are errors, and name the place.
func TestMisuse(t *testing.T) {
	write, read := registerMethods()
	for want, body := range map[string]func(x *c11.Exec, c *cell){
		"in no call": func(x *c11.Exec, c *cell) { cdsspec.Point(x, true, "write") },
		"has no End": func(x *c11.Exec, c *cell) { write.Begin(x, c, 1) },
		"no atomic access": func(x *c11.Exec, c *cell) {
			c.v.Load(c11.Relaxed)
			write.Begin(x, c, 1)
			cdsspec.Point(x, true, "write")
		},
		"innermost open": func(x *c11.Exec, c *cell) {
			a := write.Begin(x, c, 1)
			read.Begin(x, c, none{})
			a.End(none{})
		},
		"two methods of": func(x *c11.Exec, c *cell) {
			read.Begin(x, c, none{}).End(0)
			m := cdsspec.Method[register, int, int]{Of: read.Of, Name: "Read"}
			m.Begin(x, c, 1).End(1)
		},
		"not of the form": func(x *c11.Exec, c *cell) {
			w, _ := registerMethods("Write to Read")
			w.Begin(x, c, 1).End(none{})
		},
		"names condition ok": func(x *c11.Exec, c *cell) {
			w, _ := registerMethods("Write(ok) -> Read")
			w.Begin(x, c, 1).End(none{})
		},
		"specification of M panics": func(x *c11.Exec, c *cell) {
			m := cdsspec.Method[register, int, int]{Of: read.Of, Name: "M", Points: []string{"p"},
				SideEffect: func(*register, int, int) { panic("boom") }}
			m.Begin(x, c, 1).End(1)
		},
	} {
		_, err := cdsspec.Check(context.Background(), func(x *c11.Exec) {
			c := newCell(x, "c")
			x.Go(func() { body(x, c) })
		}, cdsspec.Options{})
		assert.ErrorContains(t, err, want)
	}
	r := check(t, func(x *c11.Exec) {
		c := newCell(x, "c")
		w, _ := registerMethods("Write -> Raed")
		x.Go(func() { w.Begin(x, c, 1).End(none{}) })
	}, cdsspec.Options{})
	assert.Contains(t, r.Unused, `the rule "Write -> Raed" is about Raed, which no execution calls`)
}

// TestCancelled: a context that is over is an error.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := cdsspec.Check(ctx, func(x *c11.Exec) {}, cdsspec.Options{})
	assert.ErrorIs(t, err, context.Canceled)
}

// TestAnnotationsAreNotes: begin, point and end of every call, each where it stands.
func TestAnnotationsAreNotes(t *testing.T) {
	_, err := c11.Run(func(x *c11.Exec) {
		r := newRCU(x, "r")
		x.Go(func() { r.update(x, 1) })
		x.Go(func() { r.read(x) })
	}, c11.Options{}, func(g *c11.Graph) bool {
		assert.Equal(t, c11.Complete, g.Outcome)
		assert.Len(t, g.Notes, 6)
		at := map[int][]c11.Kind{}
		for _, n := range g.Notes {
			if n.Before >= 0 {
				at[n.Thread] = append(at[n.Thread], g.Events[n.Before].Kind)
			}
		}
		assert.Equal(t, []c11.Kind{c11.UpdateEvent, c11.UpdateEvent}, at[1], g.Text())
		assert.Equal(t, []c11.Kind{c11.ReadEvent, c11.ReadEvent}, at[2], g.Text())
		return true
	})
	require.NoError(t, err)
}

// TestPageShowsTheExample: the program of docs/explore.md is that of Example.
func TestPageShowsTheExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/explore.md")
	require.NoError(t, err)
	code, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), "```go\n")
	shown, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	assert.Contains(t, string(code), strings.Replace(shown, "type none = struct{}\n", "", 1))
	assert.Contains(t, string(page), "passed: 4 executions")
}

//go:build !linsat_native

package cdsspec_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
	internal "github.com/linsat/linsat/internal/relaxed/cdsspec"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recordRegister records calls of registerMethods.
func recordRegister(method string, args, result any) cdsspec.Operation {
	if method == "Write" {
		return cdsspec.Operation{F: "write", Arg: args}
	}
	return cdsspec.Operation{F: "read", Result: result}
}

func histories(t *testing.T, p c11.Program, points bool) *cdsspec.Report {
	t.Helper()
	r, err := cdsspec.CheckHistories(context.Background(), p, spec.MustLookup("register"), recordRegister,
		cdsspec.Options{Points: points})
	require.NoError(t, err)
	return r
}

// TestHistories: the verdicts without points agree with the annotated ones for a register, which is
// coherent, and synchronised or not.
func TestHistories(t *testing.T) {
	for _, c := range []struct {
		store, load c11.Order
		initial     int
	}{{c11.Release, c11.Acquire, 0}, {c11.Relaxed, c11.Acquire, 0}, {c11.Release, c11.Relaxed, 0},
		{c11.Relaxed, c11.Relaxed, 0}} {
		write, read := registerMethods("Write -> Read")
		p := func(x *c11.Exec) {
			v := newCell(x, "v")
			writeCell(x, write, v, 7, c11.Release)
			x.Go(func() { writeCell(x, write, v, 1, c.store); writeCell(x, write, v, 2, c.store) })
			x.Go(func() { readCell(x, read, v, c.load); readCell(x, read, v, c.load) })
		}
		annotated := check(t, p, cdsspec.Options{Mode: cdsspec.Strict})
		for _, points := range []bool{false, true} {
			r := histories(t, p, points)
			assert.Equal(t, annotated.Verdict, r.Verdict, "%v", c)
			assert.Equal(t, annotated.Counts, r.Counts, "%v", c)
		}
	}
}

// TestNeeded names the pair of calls that lacks synchronisation, and only that: the read of 2 needs
// the write of 2, not the one before it, and a read of the first value needs nothing.
func TestNeeded(t *testing.T) {
	write, read := registerMethods()
	r := histories(t, func(x *c11.Exec) {
		v := newCell(x, "v")
		writeCell(x, write, v, 7, c11.Relaxed)
		x.Go(func() { writeCell(x, write, v, 1, c11.Relaxed); writeCell(x, write, v, 2, c11.Relaxed) })
		x.Go(func() { readCell(x, read, v, c11.Relaxed) })
	}, false)
	assert.Equal(t, map[cdsspec.Verdict]int{cdsspec.Passed: 1, cdsspec.Synchronization: 2}, r.Counts, r.Text())
	f := finding(t, r, cdsspec.Synchronization)
	require.Len(t, internal.Inside(f).Needed, 1)
	b, a := &internal.Inside(f).Ordering.Calls[internal.Inside(f).Needed[0][0]],
		&internal.Inside(f).Ordering.Calls[internal.Inside(f).Needed[0][1]]
	assert.Equal(t, "Write", b.Method.Name)
	assert.Equal(t, b.Args, a.Result)
	assert.Contains(t, f.Text(), "needs Write(")
}

// TestHistoriesWithPoints: two writers and two readers of different objects. With happens-before
// alone a register in two copies is linearizable; the points of one copy refute it.
func TestHistoriesWithPoints(t *testing.T) {
	write, read := registerMethods()
	p := func(x *c11.Exec) {
		v, shadow := newCell(x, "v"), c11.NewAtomic(x, "shadow", 0)
		writeCell(x, write, v, 7, c11.Relaxed)
		shadow.Store(7, c11.Relaxed)
		x.Go(func() {
			call := write.Begin(x, v, 1)
			v.v.Store(1, c11.Relaxed)
			cdsspec.Point(x, true, "write")
			shadow.Store(1, c11.Relaxed)
			call.End(none{})
		})
		x.Go(func() {
			call := read.Begin(x, v, none{})
			v.v.Load(c11.Relaxed)
			cdsspec.Point(x, true, "read")
			call.End(shadow.Load(c11.Relaxed))
		})
	}
	alone, both, annotated := histories(t, p, false), histories(t, p, true), check(t, p, cdsspec.Options{})
	assert.Zero(t, alone.Counts[cdsspec.Correctness], alone.Text())
	assert.Equal(t, 2, both.Counts[cdsspec.Correctness], both.Text())
	assert.Equal(t, 2, annotated.Counts[cdsspec.Correctness], annotated.Text())
	assert.Contains(t, both.Text(), "not linearizable")
}

// TestObjects: the objects of an execution are judged together. The reads of both first values are
// before both writes, which program order does not allow.
func TestObjects(t *testing.T) {
	write, read := registerMethods()
	r := histories(t, func(x *c11.Exec) {
		a, b := newCell(x, "a"), newCell(x, "b")
		writeCell(x, write, a, 7, c11.Relaxed)
		writeCell(x, write, b, 8, c11.Relaxed)
		x.Go(func() { writeCell(x, write, a, 1, c11.Release); readCell(x, read, b, c11.Acquire) })
		x.Go(func() { writeCell(x, write, b, 1, c11.Release); readCell(x, read, a, c11.Acquire) })
	}, true)
	assert.Equal(t, map[cdsspec.Verdict]int{cdsspec.Passed: 3, cdsspec.Cycle: 1}, r.Counts, r.Text())
}

// TestReplay makes the execution of a finding again.
func TestReplay(t *testing.T) {
	write, read := registerMethods("Write -> Read")
	p := func(x *c11.Exec) {
		v := newCell(x, "v")
		x.Go(func() { writeCell(x, write, v, 1, c11.Relaxed) })
		x.Go(func() { readCell(x, read, v, c11.Relaxed) })
	}
	f := finding(t, check(t, p, cdsspec.Options{}), cdsspec.Synchronization)
	g, err := c11.Replay(p, c11.Options{}, f.Steps)
	require.NoError(t, err)
	assert.Equal(t, f.Graph.Key(), g.Key())
	assert.Contains(t, f.Text(), f.Steps)
}

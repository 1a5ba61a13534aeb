//go:build !linsat_native

package c11_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/c11"
	"github.com/stretchr/testify/assert"
)

// Orders of the litmus tests.
const (
	na  = c11.NotAtomic // where a fence may stand: none
	rlx = c11.Relaxed
	acq = c11.Acquire
	rel = c11.Release
	ar  = c11.AcqRel
	sc  = c11.SeqCst
)

// Steps of a litmus test: o is the order, n the register of a read.
type step func(x *c11.Exec, v map[string]*c11.Atomic[int], r []int)

func w(at string, value int, o c11.Order) step {
	return func(_ *c11.Exec, v map[string]*c11.Atomic[int], _ []int) { v[at].Store(value, o) }
}

func rd(at string, n int, o c11.Order) step {
	return func(_ *c11.Exec, v map[string]*c11.Atomic[int], r []int) { r[n] = v[at].Load(o) }
}

func add(at string, o c11.Order) step {
	return func(_ *c11.Exec, v map[string]*c11.Atomic[int], _ []int) {
		v[at].Update(func(n int) int { return n + 1 }, o)
	}
}

func fence(o c11.Order) step {
	return func(x *c11.Exec, _ map[string]*c11.Atomic[int], _ []int) {
		if o != na {
			x.Fence(o)
		}
	}
}

// atEnd are reads of main after all threads, which find the last writes.
type atEnd []step

// weak is a litmus test with the result that some orders forbid.
type weak struct {
	name    string
	result  string // of the registers
	threads [][]step
	end     atEnd
	allowed bool
}

// table has the tests, with the verdicts of RC11 (Lahav and others, PLDI 2017, with the release
// sequences of C++20). They are those of the models of C11 that herd7 is shipped with, but for load
// buffering, which RC11 forbids for all orders.
func table() (out []weak) {
	test := func(name, result string, allowed bool, threads ...[]step) {
		out = append(out, weak{name: name, result: result, threads: threads, allowed: allowed})
	}
	final := func(name, result string, allowed bool, end atEnd, threads ...[]step) {
		out = append(out, weak{name, result, threads, end, allowed})
	}
	for _, c := range []struct {
		write, read, one, two c11.Order
		allowed               bool
	}{
		{rlx, rlx, na, na, true}, {rel, acq, na, na, true}, {sc, sc, na, na, false}, {sc, acq, na, na, true},
		{rel, sc, na, na, true},
		{rlx, rlx, sc, sc, false}, {rlx, rlx, sc, na, true}, {rlx, rlx, ar, ar, true}, {rel, acq, sc, ar, true},
		{sc, rlx, na, sc, true},
	} {
		test("SB", "0 0", c.allowed,
			[]step{w("x", 1, c.write), fence(c.one), rd("y", 0, c.read)},
			[]step{w("y", 1, c.write), fence(c.two), rd("x", 1, c.read)})
	}
	for _, c := range []struct {
		write, read, one, two c11.Order
		allowed               bool
	}{
		{rlx, rlx, na, na, true}, {rel, acq, na, na, false}, {rel, rlx, na, na, true}, {rlx, acq, na, na, true},
		{sc, sc, na, na, false},
		{rlx, rlx, rel, acq, false}, {rlx, acq, rel, na, false}, {rel, rlx, na, acq, false}, {rlx, rlx, acq, rel, true},
		{rlx, rlx, ar, ar, false}, {rlx, rlx, sc, sc, false}, {rlx, rlx, rel, na, true},
	} {
		test("MP", "1 0", c.allowed,
			[]step{w("x", 1, rlx), fence(c.one), w("y", 1, c.write)},
			[]step{rd("y", 0, c.read), fence(c.two), rd("x", 1, rlx)})
	}
	for _, o := range [][2]c11.Order{{rlx, rlx}, {acq, rlx}, {rlx, rel}, {acq, rel}, {sc, sc}} {
		test("LB", "1 1", false,
			[]step{rd("x", 0, o[0]), w("y", 1, o[1])},
			[]step{rd("y", 1, o[0]), w("x", 1, o[1])})
	}
	for _, c := range []struct {
		write, read, between c11.Order
		allowed              bool
	}{
		{rlx, rlx, na, true}, {rel, acq, na, true}, {sc, sc, na, false}, {sc, acq, na, true}, {rel, sc, na, true},
		{rlx, rlx, sc, false}, {rlx, rlx, ar, true},
	} {
		test("IRIW", "1 0 1 0", c.allowed,
			[]step{w("x", 1, c.write)}, []step{w("y", 1, c.write)},
			[]step{rd("x", 0, c.read), fence(c.between), rd("y", 1, c.read)},
			[]step{rd("y", 2, c.read), fence(c.between), rd("x", 3, c.read)})
	}
	for _, o := range []c11.Order{rlx, acq, sc} {
		test("CoRR", "1 0", false, []step{w("x", 1, rlx)}, []step{rd("x", 0, o), rd("x", 1, o)})
		test("CoRR2", "1 2 2 1", false, []step{w("x", 1, rlx)}, []step{w("x", 2, rlx)},
			[]step{rd("x", 0, o), rd("x", 1, o)}, []step{rd("x", 2, o), rd("x", 3, o)})
	}
	end := atEnd{rd("x", 0, rlx), rd("y", 1, rlx)}
	final("CoWW", "1 0", false, end, []step{w("x", 1, rlx), w("x", 2, rlx)})
	final("CoRW", "1 1 0", false, atEnd{rd("x", 0, rlx)}, []step{rd("x", 1, rlx), w("x", 1, rlx)})
	for _, c := range []struct {
		first, second, between c11.Order
		allowed                bool
	}{
		{rlx, rlx, na, true}, {rel, rel, na, true}, {sc, sc, na, false}, {rlx, rlx, sc, false}, {rlx, rlx, ar, true},
		{sc, rel, na, true},
	} {
		final("2+2W", "1 1", c.allowed, end,
			[]step{w("x", 1, c.first), fence(c.between), w("y", 2, c.second)},
			[]step{w("y", 1, c.first), fence(c.between), w("x", 2, c.second)})
	}
	for _, c := range []struct {
		one, two, three c11.Order // of the writes of y and z, and of the reads
		allowed         bool
	}{
		{rel, rel, acq, false}, {rlx, rel, acq, true}, {rel, rlx, acq, true}, {rel, rel, rlx, true},
		{rlx, rlx, rlx, true}, {sc, sc, sc, false},
	} {
		test("ISA2", "1 1 0", c.allowed,
			[]step{w("x", 1, rlx), w("y", 1, c.one)},
			[]step{rd("y", 0, c.three), w("z", 1, c.two)},
			[]step{rd("z", 1, c.three), rd("x", 2, rlx)})
	}
	for _, c := range []struct {
		first, write, read c11.Order
		allowed            bool
	}{
		{rlx, rel, acq, false}, {acq, rel, acq, false}, {acq, rlx, acq, true}, {acq, rel, rlx, true},
		{rlx, rlx, rlx, true}, {sc, sc, sc, false},
	} {
		test("WRC", "1 1 0", c.allowed,
			[]step{w("x", 1, rlx)},
			[]step{rd("x", 0, c.first), w("y", 1, c.write)},
			[]step{rd("y", 1, c.read), rd("x", 2, rlx)})
	}
	for _, c := range []struct {
		write, read, one, two c11.Order
		allowed               bool
	}{
		{rlx, rlx, na, na, true}, {rel, acq, na, na, true}, {sc, sc, na, na, false}, {rlx, rlx, sc, sc, false},
		{rlx, acq, na, sc, true}, {rlx, rlx, ar, ar, true},
	} {
		test("RWC", "1 0 0", c.allowed,
			[]step{w("x", 1, c.write)},
			[]step{rd("x", 0, c.read), fence(c.one), rd("y", 1, c.read)},
			[]step{w("y", 1, c.write), fence(c.two), rd("x", 2, c.read)})
	}
	for _, c := range []struct {
		write, read c11.Order
		allowed     bool
	}{{rlx, rlx, true}, {rel, acq, false}, {rel, rlx, true}, {rlx, acq, true}, {sc, sc, false}} {
		final("S", "2 1", c.allowed, atEnd{rd("x", 0, rlx)},
			[]step{w("x", 2, rlx), w("y", 1, c.write)},
			[]step{rd("y", 1, c.read), w("x", 1, rlx)})
	}
	for _, c := range []struct {
		write, read, between c11.Order
		allowed              bool
	}{{rlx, rlx, na, true}, {rel, acq, na, true}, {sc, sc, na, false}, {rlx, rlx, sc, false}, {rlx, rlx, ar, true}} {
		final("R", "2 0", c.allowed, atEnd{rd("y", 0, rlx)},
			[]step{w("x", 1, c.write), fence(c.between), w("y", 1, c.write)},
			[]step{w("y", 2, c.write), fence(c.between), rd("x", 1, c.read)})
	}
	// Release sequences go through updates of any order, and in C++20 through nothing else.
	test("release sequence, update", "2 0", false,
		[]step{w("x", 1, rlx), w("y", 1, rel)}, []step{add("y", rlx)}, []step{rd("y", 0, acq), rd("x", 1, rlx)})
	test("release sequence, own write", "2 0", true,
		[]step{w("x", 1, rlx), w("y", 1, rel), w("y", 2, rlx)}, []step{rd("y", 0, acq), rd("x", 1, rlx)})
	final("updates are atomic", "1", false, atEnd{rd("x", 0, rlx)}, []step{add("x", rlx)}, []step{add("x", rlx)})
	return out
}

// The result of each litmus test occurs exactly if the model allows it.
func TestLitmusTable(t *testing.T) {
	for _, c := range table() {
		registers := len(strings.Fields(c.result))
		results := litmus(t, registers, func(x *c11.Exec, r []int) {
			v := map[string]*c11.Atomic[int]{}
			for _, name := range []string{"x", "y", "z"} {
				v[name] = c11.NewAtomic(x, name, 0)
			}
			clear(r)
			var threads []*c11.Thread
			for _, steps := range c.threads {
				threads = append(threads, x.Go(func() {
					for _, s := range steps {
						s(x, v, r)
					}
				}))
			}
			if len(c.end) == 0 {
				return
			}
			for _, thread := range threads {
				thread.Join()
			}
			for _, s := range c.end {
				s(x, v, r)
			}
		})
		assert.Equal(t, c.allowed, slices.Contains(results, c.result), "%s: %s of %v", c.name, c.result, results)
	}
	assert.Greater(t, len(table()), 75)
}

package verify

// Cores.
//
// What: checks that leaving out everything but the core only makes more orders possible, and that
// the core has none, by trying all: an operation that comes after no other one that is left is put
// next, reads as soon as one finds what it returned.
//
// Why it is right: a read changes nothing, so one that can be put next, can be put there in every
// order in which it comes later. A read that is left out is in nobody's way. So is a write, or what
// else leaves a value behind: without it, versions are the same but for its own, which nothing in
// the core finds, and nearer.
//
// Cost: exponential in what overlaps; bounded by maxSteps.

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/verify/base"
)

// Core checks that a core shows that the answer is no.
func (v *Verifier) Core(ctx context.Context, q stale.Question, core *stale.Core) error {
	k := slices.IndexFunc(v.h.Objects, func(o stale.Object) bool { return o.Name == core.Object })
	if k < 0 {
		return base.Faultf(core.Object, "there is no such object")
	}
	j := &judged{v, &v.h.Objects[k], q}
	if j.regular() {
		if err := j.readsAndWrites(); err != nil {
			return err
		}
	}
	in := make([]bool, len(j.o.Ops))
	for _, id := range core.Operations {
		at, err := j.find(id)
		if err != nil {
			return err
		}
		if in[at] {
			return base.Faultf(j.name(id), "it stands there twice")
		}
		in[at] = true
	}
	if err := j.closed(in); err != nil {
		return err
	}
	t := &trial{judged: j, ctx: ctx, dead: map[string]struct{}{}}
	for i := range j.o.Ops {
		if in[i] {
			t.ops = append(t.ops, &j.o.Ops[i])
		}
	}
	if q.Kind == stale.WeaklyRegular {
		return t.someReadFails()
	}
	if q.Kind == stale.Late {
		t.bound = int(min(q.Bound, int64(len(t.ops))))
	}
	t.done = make([]bool, len(t.ops))
	possible := t.possible([]int32{j.o.Initial})
	switch {
	case t.err != nil:
		return t.err
	case possible:
		return base.Faultf(j.title(), "the operations of the core have an order as the question asks for")
	}
	return nil
}

// closed checks that what is left out of a core is in nobody's way.
func (j *judged) closed(in []bool) error {
	found, some := map[int32]bool{}, false
	for i := range j.o.Ops {
		for _, m := range j.o.Ops[i].Modes {
			switch {
			case !in[i]:
			case m.Test == model.Is:
				found[m.V] = true
			case m.Test == model.Not:
				some = true
			}
		}
	}
	for i := range j.o.Ops {
		for _, m := range j.o.Ops[i].Modes {
			if !in[i] && m.Leaves != model.Keep && (some || found[m.Leaves]) {
				return base.Faultf(j.name(j.o.Ops[i].ID), "what it leaves may be what the core finds, and it is left out")
			}
		}
	}
	return nil
}

// trial tries all orders of a core.
type trial struct {
	*judged
	ctx   context.Context
	ops   []*stale.Op
	bound int
	done  []bool
	dead  map[string]struct{}
	steps int
	err   error
}

// possible reports whether what is left can be put behind versions, the last ones so far.
func (t *trial) possible(versions []int32) bool {
	if t.steps++; t.steps > maxSteps {
		t.err = base.ErrTooLarge
	} else if t.steps&1023 == 0 && t.ctx.Err() != nil {
		t.err = context.Cause(t.ctx)
	}
	if t.err != nil {
		return false
	}
	var put []int
	defer func() {
		for _, i := range put {
			t.done[i] = false
		}
	}()
	for more := true; more; {
		more = false
		for i, o := range t.ops {
			if o.Read && !t.done[i] && t.free(i) && slices.ContainsFunc(versions, o.Modes[0].Allows) {
				t.done[i], more = true, true
				put = append(put, i)
			}
		}
	}
	left := false
	for i, o := range t.ops {
		left = left || !t.done[i] && !o.Pending()
	}
	if !left {
		return true
	}
	key := t.key(versions)
	if _, known := t.dead[key]; known {
		return false
	}
	for i, o := range t.ops {
		if o.Read || t.done[i] || !t.free(i) {
			continue
		}
		t.done[i] = true
		for _, m := range o.Modes {
			if !m.Allows(versions[len(versions)-1]) {
				continue
			}
			next := versions
			if m.Leaves != model.Keep {
				next = append(slices.Clone(versions[max(0, len(versions)-t.bound):]), m.Leaves)
			}
			if t.possible(next) {
				return true
			}
		}
		t.done[i] = false
	}
	t.dead[key] = struct{}{}
	return false
}

// free reports whether operation i comes after none of those that are left.
func (t *trial) free(i int) bool {
	for k, o := range t.ops {
		if k != i && !t.done[k] && t.precedes(o, t.ops[i]) {
			return false
		}
	}
	return true
}

// key names what is done and the versions.
func (t *trial) key(versions []int32) string {
	key := make([]byte, 0, len(t.done)/8+4*len(versions)+1)
	for i := 0; i < len(t.done); i += 8 {
		b := byte(0)
		for k := i; k < min(i+8, len(t.done)); k++ {
			if t.done[k] {
				b |= 1 << (k - i)
			}
		}
		key = append(key, b)
	}
	for _, v := range versions {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	return string(key)
}

// someReadFails checks that some read of the core can return no write of it, each in an order of
// its own.
func (t *trial) someReadFails() error {
	for _, read := range t.ops {
		if !read.Read {
			continue
		}
		// Whatever the order, another write is between w and the read.
		over := func(w *stale.Op) bool {
			return slices.ContainsFunc(t.ops, func(x *stale.Op) bool {
				return !x.Read && t.precedes(x, read) && (w == nil || t.precedes(w, x))
			})
		}
		can := read.Modes[0].Allows(t.o.Initial) && !over(nil)
		for _, w := range t.ops {
			can = can || !w.Read && read.Modes[0].Allows(w.Modes[0].Leaves) && !t.precedes(read, w) && !over(w)
		}
		if !can {
			return nil
		}
	}
	return base.Faultf(t.title(), "every read of the core may return what it did")
}

package verify

// Cores.
//
// What: checks that leaving out everything but the core only makes more orders possible, and that
// the core has none, by trying all: an operation that comes after no other one that is left is put
// next, reads as soon as one finds what it returned.
//
// Why it is right: a read changes nothing, so one that can be put next, can be put there in every
// order in which it comes later. A read that is left out is in nobody's way. So is a write, or what
// else leaves a value behind: without it, versions are the same but for its own, and nearer, and
// those of the core that find such a value returned before it was called.
//
// Cost: exponential in what overlaps; bounded by maxSteps.

import (
	"context"
	"encoding/binary"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/verify/base"
)

// Core checks that a core shows that the answer is no.
func (v *Verifier) Core(ctx context.Context, q stale.Question, core *stale.Core) error {
	if core.Lemmas != nil {
		return v.refuted(ctx, q, core)
	}
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
	t.sort()
	possible := t.possible(from{}, []int32{j.o.Initial})
	switch {
	case t.err != nil:
		return t.err
	case possible:
		return base.Faultf(j.title(), "the operations of the core have an order as the question asks for")
	}
	return nil
}

// refuted checks that a core has no order by its lemmas.
func (v *Verifier) refuted(ctx context.Context, q stale.Question, core *stale.Core) error {
	if err := v.Closed(core.Operations); err != nil {
		return err
	}
	c, err := v.Clauses(q, core.Operations)
	if err != nil {
		return err
	}
	return c.Check(ctx, core.Lemmas)
}

// closed checks that what is left out of a core is in nobody's way.
func (j *judged) closed(in []bool) error {
	// The last return of those that find a value, and of those that do not find some value.
	found, not := map[int32]history.Rank{}, history.Rank(-1)
	for i := range j.o.Ops {
		for _, m := range j.o.Ops[i].Modes {
			switch {
			case !in[i]:
			case m.Test == model.Is:
				found[m.V] = max(found[m.V], j.o.Ops[i].Return)
			case m.Test == model.Not:
				not = max(not, j.o.Ops[i].Return)
			}
		}
	}
	for i := range j.o.Ops {
		o := &j.o.Ops[i]
		for _, m := range o.Modes {
			last, is := found[m.Leaves]
			if !in[i] && m.Leaves != model.Keep && (is && o.Call <= last || o.Call <= not) {
				return base.Faultf(j.name(o.ID), "what it leaves may be what the core finds, and it is left out")
			}
		}
	}
	return nil
}

// trial tries all orders of a core.
type trial struct {
	*judged
	ctx           context.Context
	ops           []*stale.Op
	reads, others []int // by call
	returns       []int // by return: all that others can come before
	writes        []int // the same of those that are no reads
	bound         int
	done          []bool
	left          int // of those that returned
	dead          map[string]struct{}
	steps         int
	err           error
}

func (t *trial) sort() {
	t.done = make([]bool, len(t.ops))
	for i, o := range t.ops {
		t.returns = append(t.returns, i)
		if !o.Pending() {
			t.left++
		}
		if o.Read {
			t.reads = append(t.reads, i)
		} else {
			t.others = append(t.others, i)
		}
	}
	t.writes = slices.Clone(t.others)
	for _, list := range [][]int{t.returns, t.writes} {
		sort.Slice(list, func(i, j int) bool { return t.ops[list[i]].Return < t.ops[list[j]].Return })
	}
}

// from is where what is left begins in the lists of a trial.
type from struct{ reads, others, returns, writes int }

// next skips what is done.
func (t *trial) next(f from) from {
	for _, l := range []struct {
		list []int
		at   *int
	}{{t.reads, &f.reads}, {t.others, &f.others}, {t.returns, &f.returns}, {t.writes, &f.writes}} {
		for *l.at < len(l.list) && t.done[l.list[*l.at]] {
			*l.at++
		}
	}
	return f
}

// possible reports whether what is left can be put behind versions, the last ones so far.
func (t *trial) possible(f from, versions []int32) bool {
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
		t.left += len(put)
	}()
	for more := true; more; {
		f, more = t.next(f), false
		for _, i := range t.reads[f.reads:] {
			if t.done[i] {
				continue
			}
			if !t.free(f, i) {
				break // and so are those called later
			}
			if slices.ContainsFunc(versions, t.ops[i].Modes[0].Allows) {
				t.done[i], more = true, true
				t.left--
				put = append(put, i)
			}
		}
	}
	if t.left == 0 {
		return true
	}
	key := t.key(f, versions)
	if _, known := t.dead[key]; known {
		return false
	}
	for _, i := range t.others[f.others:] {
		if t.done[i] {
			continue
		}
		if !t.free(f, i) {
			break
		}
		if t.putNext(f, i, versions) {
			return true
		}
	}
	t.dead[key] = struct{}{}
	return false
}

// putNext reports whether what is left can be put behind versions with operation i first.
func (t *trial) putNext(f from, i int, versions []int32) bool {
	o := t.ops[i]
	t.done[i] = true
	if !o.Pending() {
		t.left--
	}
	for _, m := range o.Modes {
		if !m.Allows(versions[len(versions)-1]) {
			continue
		}
		next := versions
		if m.Leaves != model.Keep {
			next = append(slices.Clone(versions[max(0, len(versions)-t.bound):]), m.Leaves)
		}
		if t.possible(f, next) {
			return true
		}
	}
	t.done[i] = false
	if !o.Pending() {
		t.left++
	}
	return false
}

// free reports whether operation i comes after none of those that are left. Of these the first to
// return matters: what one that returns later precedes, it precedes.
func (t *trial) free(f from, i int) bool {
	list := t.returns[f.returns:]
	if t.regular() && t.ops[i].Read {
		list = t.writes[f.writes:]
	}
	for _, k := range list {
		if k != i && !t.done[k] {
			return !t.precedes(t.ops[k], t.ops[i])
		}
	}
	return true
}

// key names what is done and the versions. Behind the first operation of a list that is left and
// not free none is done, since it was not free either.
func (t *trial) key(f from, versions []int32) string {
	var key []byte
	for _, l := range []struct {
		list []int
		at   int
	}{{t.reads, f.reads}, {t.others, f.others}} {
		key = binary.AppendUvarint(key, uint64(l.at))
		for k, i := range l.list[l.at:] {
			if t.done[i] {
				key = binary.AppendUvarint(key, uint64(k)+1)
			} else if !t.free(f, i) {
				break
			}
		}
		key = append(key, 0)
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

package verify

// Queues in which values repeat, with a factor for the removals: the verifier tries all ways to
// pair insertions with removals again.
//
// What: ρ″ has the pattern of ρ′, so the places of removals are filled one after the other, each
// with the removal that has the place in ρ′ and with the content that has it in ρ″. The i-th
// content that is a value is the i-th value inserted. The i-th rank of the removals of a content in
// ρ′ is matched with its i-th place in ρ″: no other matching of two ascending sequences has a
// smaller greatest difference. A configuration is a set of insertions, a set of removals, the
// number of drains used, and what is unmatched by content: ranks without a place, or places without
// a rank.
//
// Why this decides which ρ′ exist: as for pairings without a factor (package verify, pairing.go).
// An insertion comes just before the place that its value has in ρ″; a place at which nothing is
// found splits the used operations from the unused ones.
//
// What is left out: an operation, if another unused one of the same action and content is called no
// later and returns no later.
//
// Cost: configurations × operations open at once × contents.

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// Paired checks that b's partition, a queue all of whose operations returned, is not
// quasi-linearizable under q. It visits at most limit configurations and returns how many it
// visited; the error wraps ErrRearranged if there are ρ′ and ρ″.
func Paired(ctx context.Context, b *model.Instance, q *quasi.Question, limit int) (cases int, err error) {
	t, ok := b.Theory.(*model.CollectionTheory)
	switch {
	case !ok || t.Discipline != model.FIFO || len(t.Initial) != 1 || len(b.Partition.Edges) > 0 ||
		b.Partition.Drains > 0 || b.Partition.Len() == 0:
		return 0, base.Faultf("", "the partition is not one FIFO queue without explicit order")
	case q.Meaning != quasi.Slots || q.Causal:
		return 0, base.Faultf("", "the meaning is not slots without causality")
	}
	p := &pairing{start: t.Initial[0], left: make([]int32, t.Values+2)}
	if err := p.read(b, t, q); err != nil {
		return 0, err
	}
	return p.exhaust(ctx, limit)
}

// Contents of places besides values.
const (
	nothingFound = model.Nothing
	anyValue     = -2 // what a drain takes
)

// pairing is the search.
type pairing struct {
	start   []int32
	in, out *base.End
	bound   int
	drains  int
	places  int     // removals and drains
	left    []int32 // by content, see index: removals and drains of it
}

// pairCase is a configuration after place places.
type pairCase struct {
	in, out       base.EndSet
	place         int
	start, drains int     // used
	loose         []loose // by place
	filled        []int32 // by content, see index: places
}

// loose is an unmatched rank of ρ′, whose content has no place in ρ″ yet, or an unmatched place of
// ρ″, whose content has no rank yet.
type loose struct {
	content int32
	place   int
	rank    bool
}

// index numbers contents from 0.
func index(content int32) int { return int(content) + 2 }

// read reads the partition.
func (p *pairing) read(b *model.Instance, t *model.CollectionTheory, q *quasi.Question) error {
	ops := b.Partition.Ops
	removals, stays := model.NoClass, len(p.start)
	for i := range ops {
		class := b.Class[i]
		switch {
		case ops[i].Pending():
			return base.Faultf(base.Op(b.Partition, history.OpID(i)), "pending operations are not supported")
		case t.Does[i] == model.Peek || t.Value[i] == model.Anything:
			return base.Faultf(base.Op(b.Partition, history.OpID(i)),
				"it is neither an insertion nor a removal with a known result")
		case class < 0 || int(class) >= len(q.Factor):
			return base.Faultf(base.Op(b.Partition, history.OpID(i)), "it has no class")
		case t.Does[i] == model.Insert:
			if q.Factor[class] != 0 {
				return base.Faultf(base.Op(b.Partition, history.OpID(i)), "insertions that may move are not supported")
			}
			stays++
			continue
		case removals >= 0 && class != removals:
			return base.Faultf(base.Op(b.Partition, history.OpID(i)),
				"it is of another class than the removals before it")
		}
		removals = class
		p.bound = int(q.Factor[class])
		p.left[index(t.Value[i])]++
		if t.Value[i] != nothingFound {
			stays--
		}
	}
	for i := range ops {
		if t.Does[i] == model.Insert && b.Class[i] == removals {
			return base.Faultf(base.Op(b.Partition, history.OpID(i)), "it is of the class of the removals")
		}
	}
	p.in = base.NewEnd(ops, t.Value, func(op history.OpID) bool { return t.Does[op] == model.Insert })
	p.out = base.NewEnd(ops, t.Value, func(op history.OpID) bool { return t.Does[op] == model.Remove })
	if q.Drain {
		p.drains = max(0, stays)
		p.left[index(anyValue)] = int32(p.drains)
	}
	p.places = len(p.out.Member) + p.drains
	return nil
}

// exhaust visits all configurations that can be reached.
func (p *pairing) exhaust(ctx context.Context, limit int) (cases int, err error) {
	cases, met, err := base.Visit(ctx, pairCase{filled: make([]int32, len(p.left))}, limit,
		func(c pairCase) bool {
			return c.place == p.places
		}, func(name []byte, c pairCase) []byte { return c.key(name) }, p.next)
	if met {
		err = ErrRearranged
	}
	return cases, err
}

// key appends what identifies a configuration; what is filled follows from the rest.
func (c pairCase) key(key []byte) []byte {
	key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(c.start)), uint64(c.drains))
	key = c.out.Key(c.in.Key(key))
	for _, x := range c.loose {
		away := uint64(c.place-x.place) * 2
		if x.rank {
			away++
		}
		key = binary.AppendUvarint(binary.AppendVarint(key, int64(x.content)), away)
	}
	return key
}

// next appends the successors of c.
func (p *pairing) next(out []pairCase, c pairCase) []pairCase {
	if c.place >= len(p.out.Member) { // a drain
		c.drains++
		return p.fill(out, c, anyValue, history.Never, history.Never)
	}
	free, returned, called := p.out.Free(c.out)
	for _, k := range p.out.Best(free, func(int) bool { return false }, true) {
		d := c
		d.out = p.out.With(c.out, k)
		out = p.fill(out, d, p.out.Value[k], returned, max(called, p.out.Op(k).Call))
	}
	return out
}

// fill gives the next place of ρ′ to a removal whose own content is own, with every content that
// the place can have in ρ″. returned is the first return of the removals that were unused before,
// called the call of the last one used.
func (p *pairing) fill(out []pairCase, c pairCase, own int32, returned, called history.Rank) []pairCase {
	c.place++
	yield := func(c pairCase, content int32) {
		if c.filled[index(content)] < p.left[index(content)] && p.match(&c, own, content) {
			out = append(out, c)
		}
	}
	if c.start < len(p.start) {
		v := p.start[c.start]
		c.start++
		yield(c, v)
		yield(c, anyValue)
		return out
	}
	free, inserted, _ := p.in.Free(c.in)
	if called < inserted || inserted == history.Never {
		yield(c, nothingFound)
	}
	free = slices.DeleteFunc(free, func(k int) bool { return returned < p.in.Op(k).Call })
	for _, k := range p.in.Best(free, func(int) bool { return false }, true) {
		d := c
		d.in = p.in.With(c.in, k)
		yield(d, p.in.Value[k])
		yield(d, anyValue)
	}
	return out
}

// match records that the last place has a removal with content own in ρ′ and the given content in
// ρ″. It returns false if something would have to move further than the bound, since loose ranks
// and places are matched at the next place or later. After the last place nothing is loose, since
// every content has as many places as removals.
func (p *pairing) match(c *pairCase, own, content int32) bool {
	c.filled, c.loose = slices.Clone(c.filled), slices.Clone(c.loose)
	c.filled[index(content)]++
	c.join(loose{own, c.place, true})
	c.join(loose{content, c.place, false})
	return !slices.ContainsFunc(c.loose, func(x loose) bool { return c.place-x.place >= p.bound })
}

// join matches x with the first loose rank, or place, of its content; if there is none, x becomes
// loose.
func (c *pairCase) join(x loose) {
	k := slices.IndexFunc(c.loose, func(y loose) bool { return y.content == x.content && y.rank != x.rank })
	if k < 0 {
		c.loose = append(c.loose, x)
		return
	}
	c.loose = slices.Delete(c.loose, k, k+1)
}

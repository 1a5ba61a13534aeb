package base

// Queues in which values repeat: all ways to pair insertions with removals, tried again; also under
// a factor for the removals, where plain linearizability is factor 0.
//
// What: the i-th value that leaves a queue is the i-th that came in. The search fills one place of
// that order after the other: an insertion puts a value in, which peeks may see, and a removal
// takes it out. Between two places an empty result may come. What else is in the queue meanwhile
// does not matter. A configuration is a set of insertions, a set of operations at the front, and
// the value in place, if any; one is only in place after a peek, since a value is looked at in the
// step that puts it there.
//
// Under a factor, ρ″ has the pattern of ρ′: a place is filled with the removal that has it in ρ′,
// and with the content that has it in ρ″. The i-th rank of the removals of a content in ρ′ is
// matched with its i-th place in ρ″: no other matching of two ascending sequences has a smaller
// greatest difference. A configuration also has what is unmatched: ranks without a place, or places
// without a rank, by content. Drains come last; what one takes is a content of its own.
//
// Why this decides: let u be an insertion, f an operation at the front, both in the orders of the
// places. Together with precedence these orders, and u before the f of its place, have a circle
// only with an edge from some f back to some u that precedence gives, because no operation used
// precedes an earlier one of its own end. Precedence is an interval order: of two such edges in a
// circle one can be skipped. What is left is an f that precedes the u of its own or an earlier
// place, which insert refuses: f is unused when u is used. An empty result adds that what is used
// comes before what is not; the same argument gives the two conditions in empty.
//
// What is left out: an operation k, if another one j of the same end with the same value can be
// used now and does not return later; at the front, where there may be empty results, only if it
// was not called later either. In any solution that uses k now, let j and k change places, or let k
// stay out if j does. While j is used and k is not, the unused operations return no sooner. At the
// place of j, k can be used, since it could be already now, when more was unused. Calls of used
// operations matter for empty results alone, and those look at the calls at the front.
//
// Cost: configurations × operations open at once, × contents under a factor.

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Pairing is a search for a way to pair the operations of one queue.
type Pairing struct {
	theory  *model.CollectionTheory
	in, out *end
	empties bool       // an operation at the front that completed may have found nothing
	filled  []pairCase // room for next

	bound, drains int
	left          []int32 // by content, see index: removals and drains of it; nil without a factor
}

// pairCase is a configuration. value is the one in place, vacant if there is none.
type pairCase struct {
	in, out       endSet
	value         int32
	required      int // completed operations at the front that are not used
	start, drains int // values of the start and drains that are used
	place         int
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

const (
	vacant  int32 = -3
	drained       = model.Anything // the content that a drain takes
)

// index numbers contents from 0.
func index(content int32) int { return int(content) + 2 }

// NewPairing returns the search for a queue with these operations.
func NewPairing(ops []history.Op, t *model.CollectionTheory) *Pairing {
	p := &Pairing{theory: t}
	p.in = newEnd(ops, t.Value, func(op history.OpID) bool { return t.Does[op] == model.Insert })
	p.out = newEnd(ops, t.Value, func(op history.OpID) bool {
		// A peek that never returns changes nothing.
		return t.Does[op] == model.Remove || t.Does[op] == model.Peek && !ops[op].Pending()
	})
	p.empties = slices.ContainsFunc(p.out.value[:p.out.completed], func(v int32) bool { return v < 0 })
	return p
}

// Relax lets removals move by bound places, and adds drains; all operations returned, with results
// that are known, and none is a peek.
func (p *Pairing) Relax(bound, drains int) {
	p.bound, p.drains, p.left = bound, drains, make([]int32, p.theory.Values+2)
	p.left[index(drained)] = int32(drains)
	for _, v := range p.out.value {
		p.left[index(v)]++
	}
}

// Exhaust visits every configuration that can be reached, depth first and none twice, until one
// needs nothing more. It returns how many it visited and whether it met such a one; ErrTooLarge
// beyond limit, and the cause where ctx ended it.
func (p *Pairing) Exhaust(ctx context.Context, limit int) (cases int, met bool, err error) {
	seen := map[string]bool{}
	stack := []pairCase{{value: vacant, required: p.out.completed, filled: make([]int32, len(p.left))}}
	var key []byte
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if c.required == 0 && c.drains == p.drains {
			return len(seen), true, nil
		}
		if key = c.appendKey(key[:0]); seen[string(key)] {
			continue
		}
		if len(seen) >= limit {
			return len(seen), false, ErrTooLarge
		}
		seen[string(key)] = true
		if len(seen)%1024 == 0 && ctx.Err() != nil {
			return len(seen), false, context.Cause(ctx)
		}
		stack = p.next(stack, c)
	}
	return len(seen), false, nil
}

// appendKey appends what tells c from others; what is filled follows from the rest.
func (c *pairCase) appendKey(key []byte) []byte {
	key = binary.AppendUvarint(binary.AppendVarint(key, int64(c.value)), uint64(c.start))
	key = c.out.appendKey(c.in.appendKey(key))
	key = binary.AppendUvarint(key, uint64(c.drains))
	for _, x := range c.loose {
		away := uint64(c.place-x.place) * 2
		if x.rank {
			away++
		}
		key = binary.AppendUvarint(binary.AppendVarint(key, int64(x.content)), away)
	}
	return key
}

// next appends the configurations that follow from c; the last one is visited first.
func (p *Pairing) next(out []pairCase, c pairCase) []pairCase {
	if c.value != vacant {
		return p.look(out, c)
	}
	p.filled = p.insert(p.filled[:0], c)
	for _, d := range p.filled {
		out = p.look(out, d)
	}
	return p.empty(out, c)
}

func (p *Pairing) sees(k int) bool { return p.theory.Does[p.out.member[k]] == model.Peek }

// look uses an operation at the front, or a drain, where a value is in place.
func (p *Pairing) look(out []pairCase, c pairCase) []pairCase {
	free, _, _ := p.out.free(c.out)
	for _, k := range p.out.best(free, p.sees, p.empties) {
		out = p.use(out, c, k, c.value)
	}
	return p.drain(out, c, c.value)
}

// use uses an operation at the front at a place with a content: a value, or nothing.
func (p *Pairing) use(out []pairCase, c pairCase, k int, content int32) []pairCase {
	own := p.out.value[k]
	c.out = p.out.with(c.out, k)
	if !p.out.pending(k) {
		c.required--
	}
	if !p.sees(k) {
		c.value = vacant
	}
	switch {
	case p.left != nil:
		return p.fill(out, c, own, content)
	case own == content || own == model.Anything:
		return append(out, c)
	}
	return out
}

// drain uses a drain once all removals are used.
func (p *Pairing) drain(out []pairCase, c pairCase, content int32) []pairCase {
	if c.required > 0 || c.drains == p.drains {
		return out
	}
	c.drains++
	c.value = vacant
	return p.fill(out, c, drained, content)
}

// insert puts a value in place.
func (p *Pairing) insert(out []pairCase, c pairCase) []pairCase {
	if start := p.theory.Initial[0]; c.start < len(start) {
		c.value = start[c.start]
		c.start++
		return append(out, c)
	}
	_, returned, _ := p.out.free(c.out)
	free, _, _ := p.in.free(c.in)
	free = slices.DeleteFunc(free, func(k int) bool { return returned < p.in.op(k).Call })
	for _, k := range p.in.best(free, func(int) bool { return false }, false) {
		d := c
		d.in, d.value = p.in.with(c.in, k), p.in.value[k]
		out = append(out, d)
	}
	return out
}

// empty uses a place at which nothing is found, with everything used before it and all else after.
func (p *Pairing) empty(out []pairCase, c pairCase) []pairCase {
	if !p.empties || c.start < len(p.theory.Initial[0]) {
		return out
	}
	_, inserted, _ := p.in.free(c.in)
	free, _, called := p.out.free(c.out)
	for _, k := range p.out.best(free, p.sees, true) {
		if !p.out.pending(k) && inserted >= max(called, p.out.op(k).Call) {
			out = p.use(out, c, k, model.Nothing)
		}
	}
	if inserted == history.Never {
		out = p.drain(out, c, model.Nothing)
	}
	return out
}

// fill fills a place with a removal whose own content is own, and with a content that is there: a
// removal of that content has the place in ρ″, or a drain.
func (p *Pairing) fill(out []pairCase, c pairCase, own, content int32) []pairCase {
	c.place++
	try := func(c pairCase, content int32) {
		if c.filled[index(content)] < p.left[index(content)] && p.match(&c, own, content) {
			out = append(out, c)
		}
	}
	if try(c, content); content != model.Nothing {
		try(c, drained)
	}
	return out
}

// match records that the last place has a removal with content own in ρ′ and the given content in
// ρ″. It returns false if something would have to move further than the bound, since loose ranks
// and places are matched at the next place or later. After the last place nothing is loose, since
// every content has as many places as removals.
func (p *Pairing) match(c *pairCase, own, content int32) bool {
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

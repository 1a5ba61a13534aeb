package cds

import (
	"fmt"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
)

type table struct{ m map[int]int }

// pair is the arguments of a put.
type pair struct{ key, content int }

var hashtableSpec = cdsspec.Structure[table]{
	Name:          "hash table",
	Init:          func() *table { return &table{map[int]int{}} },
	HappensBefore: []string{"Put -> Get", "Put -> Put"},
}

var hashtableGet = cdsspec.Method[table, int, int]{
	Of: &hashtableSpec, Name: "Get", Points: []string{"no key", "read"},
	ID:           func(key, _ int) any { return key },
	PreCondition: func(s *table, key, got int) bool { return got == s.m[key] },
}

var hashtablePut = cdsspec.Method[table, pair, int]{
	Of: &hashtableSpec, Name: "Put", Points: []string{"claim", "write"},
	ID:           func(to pair, _ int) any { return to.key },
	PreCondition: func(s *table, to pair, old int) bool { return old == s.m[to.key] },
	SideEffect:   func(s *table, to pair, _ int) { s.m[to.key] = to.content },
}

// hashtable is the lock-free hash table of Cliff Click (JavaOne 2007) without its resize, which the
// paper's driver doesn't reach: an array of pairs, each claimed by a compare-and-swap of its key
// and then given a value by another one. Key 0 is none. What asks for a resize in the original is
// kept, with its orders; the copy is in hashtable_resize.go.
type hashtable struct {
	x     *c11.Exec
	pairs *c11.Atomic[*pairs]
}

type pairs struct {
	next *c11.Atomic[*pairs] // the table that replaces this one
	used *c11.Int[int]
	keys []*c11.Atomic[int]
	vals []*c11.Atomic[*value]
}

// value is what a put stores: a pointer, as in the original.
type value struct{ v *c11.Cell[int] }

func (v *value) String() string {
	if v == nil {
		return "null"
	}
	return "a value"
}

func newHashtable(x *c11.Exec, size int) *hashtable {
	p := &pairs{next: c11.NewAtomic(x, "newkvs", (*pairs)(nil)), used: c11.NewInt(x, "slots", 0)}
	for i := range size {
		p.keys = append(p.keys, c11.NewAtomic(x, fmt.Sprintf("key[%d]", i), 0))
		p.vals = append(p.vals, c11.NewAtomic(x, fmt.Sprintf("val[%d]", i), (*value)(nil)))
	}
	return &hashtable{x, c11.NewAtomic(x, "kvs", p)}
}

// get returns the value of the key, 0 if there is none.
func (h *hashtable) get(key int) int {
	call := hashtableGet.Begin(h.x, h, key)
	got := h.pairs.Load(c11.Acquire).get(h.x, key)
	call.End(got)
	return got
}

func (p *pairs) get(x *c11.Exec, key int) int {
	for i := range p.keys {
		at := (key + i) % len(p.keys)
		k := p.keys[at].Load(c11.Relaxed)
		cdsspec.Point(x, k == 0, "no key")
		v := p.val(at)
		if k == 0 {
			return 0
		}
		cdsspec.Point(x, k == key, "read")
		if k == key {
			return v.content()
		}
	}
	return 0
}

// put gives the key a value and returns the old one, 0 if there was none.
func (h *hashtable) put(key, content int) int {
	call := hashtablePut.Begin(h.x, h, pair{key, content})
	to := &value{c11.NewCell(h.x, "content", content)}
	p := h.pairs.Load(c11.Acquire)
	at, v := p.claim(h.x, key)
	if p.next.Load(c11.Acquire) != nil {
		panic("cds: a resize of the hash table")
	}
	for done := false; !done; {
		_, done = p.vals[at].CompareAndSwap(v, to, c11.AcqRel, c11.Relaxed)
		cdsspec.Point(h.x, done, "write")
		if !done {
			v = p.val(at)
		}
	}
	old := v.content()
	call.End(old)
	return old
}

// claim returns the pair of the key, and its value; if no pair has the key, it takes a free one.
func (p *pairs) claim(x *c11.Exec, key int) (int, *value) {
	for i := range p.keys {
		at := (key + i) % len(p.keys)
		k := p.keys[at].Load(c11.Relaxed)
		v := p.val(at)
		if k == 0 {
			seen, ok := p.keys[at].CompareAndSwap(0, key, c11.Relaxed, c11.Relaxed)
			cdsspec.Point(x, ok, "claim")
			if ok {
				p.used.FetchAdd(1, c11.Relaxed)
				return at, v
			}
			k = seen
		}
		if k == key {
			return at, v
		}
	}
	panic("cds: the hash table is full")
}

func (p *pairs) val(at int) *value { return p.vals[at].Load(c11.Acquire) }

func (v *value) content() int {
	if v == nil {
		return 0
	}
	return v.v.Load()
}

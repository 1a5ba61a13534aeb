package isolationtest

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/isolation"
)

// Random returns a history of so many transactions on two objects, of few values. They run one
// after the other, but some reads are of earlier states or of anything; times are of the
// order in which they run, or of another one. Some are open, some aborted.
func Random(r *rand.Rand, txns int) *isolation.History {
	h := &isolation.History{Values: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}}
	lists := r.IntN(3)
	for x := range 2 {
		o := isolation.Object{Name: string(rune('x' + x)), List: lists == 1 || lists == 2 && x == 0}
		h.Objects = append(h.Objects, o)
	}
	g := &generator{r: r, h: h, repeat: r.IntN(4) == 0, stale: []int{0, 2, 3, 5}[r.IntN(4)],
		values: [][]int32{{0}, {0}}, lists: [][]int32{{}, {}}}
	sessions, mixed := 1+r.IntN(txns+1), r.IntN(2) == 0
	for k := range txns {
		at := 4 * k
		if mixed {
			at = r.IntN(4 * txns)
		}
		t := g.txn()
		// Ranks are distinct in a history: those of one transaction have its remainder.
		t.Call, t.Return = history.Rank(at*2*txns+k), history.Rank((at+r.IntN(8))*2*txns+txns+k)
		t.Session = int32(r.IntN(sessions))
		if t.Status == isolation.Open {
			t.Return = history.Never
		}
		h.Txns = append(h.Txns, t)
	}
	slices.SortFunc(h.Txns, func(a, b isolation.Txn) int { return cmp.Compare(a.Call, b.Call) })
	for k := range h.Txns {
		h.Txns[k].Op = history.OpID(k)
	}
	return h
}

type generator struct {
	r      *rand.Rand
	h      *isolation.History
	repeat bool
	stale  int
	next   int32
	values [][]int32 // by object: what a register has had
	lists  [][]int32 // by object: the list
}

func (g *generator) txn() (t isolation.Txn) {
	switch g.r.IntN(8) {
	case 0:
		t.Status = isolation.Open
	case 1:
		t.Status = isolation.Aborted
	}
	happens := t.Status == isolation.Committed || g.r.IntN(3) == 0
	own := [2][]int32{}
	for range 1 + g.r.IntN(3) {
		x := int32(g.r.IntN(2))
		a := isolation.Access{Object: x}
		list := g.h.Objects[x].List
		if g.r.IntN(2) == 0 {
			if t.Status != isolation.Open {
				g.read(&a, own[x])
				t.Accesses = append(t.Accesses, a)
			}
			continue
		}
		g.next = min(g.next+1, int32(len(g.h.Values))-1)
		a.Kind, a.Value = isolation.Write, g.next
		if g.repeat {
			a.Value = int32(g.r.IntN(3))
		}
		if list {
			a.Kind = isolation.Append
		}
		own[x] = append(own[x], a.Value)
		t.Accesses = append(t.Accesses, a)
	}
	for x := range own {
		if len(own[x]) > 0 && happens {
			g.values[x] = append(g.values[x], own[x][len(own[x])-1])
			g.lists[x] = append(g.lists[x], own[x]...)
		}
	}
	return t
}

// read fills in what a transaction that wrote own to the object reads.
func (g *generator) read(a *isolation.Access, own []int32) {
	had, list := g.values[a.Object], g.lists[a.Object]
	strange := g.r.IntN(40) == 0
	if g.stale > 0 && g.r.IntN(g.stale) == 0 {
		list = list[:g.r.IntN(len(list)+1)]
		had = had[:1+g.r.IntN(len(had))]
	}
	a.Value = had[len(had)-1]
	if len(own) > 0 {
		a.Value = own[len(own)-1]
	}
	if g.h.Objects[a.Object].List {
		a.Value, a.List = 0, slices.Concat(list, own)
		if k := len(a.List); strange && k > 0 {
			a.List[g.r.IntN(k)] = int32(g.r.IntN(6))
		}
	} else if strange {
		a.Value = int32(g.r.IntN(6))
	}
}

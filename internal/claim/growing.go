package claim

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Has claims that an element of a set that only grows is there once Op (Start: the start) returned.
type Has struct {
	Op      history.OpID
	Element int32
}

func (c Has) holds(w *Whole) bool {
	g := w.growing()
	switch {
	case g == nil || c.Op != Start && !w.are(c.Op):
		return false
	case c.Op == Start:
		return g.Has(g.Initial, c.Element)
	case w.ops[c.Op].Pending():
		return false
	case g.Does[c.Op] == model.GrowthReads:
		return g.Has(g.Found[c.Op], c.Element)
	}
	does := g.Does[c.Op]
	return g.Element[c.Op] == c.Element && does != model.GrowthSilent && does != model.GrowthMisses
}

// Lacks claims that an element is not there when Op is called.
type Lacks struct {
	Op      history.OpID
	Element int32
}

func (c Lacks) holds(w *Whole) bool {
	g := w.growing()
	if g == nil || !w.are(c.Op) || w.ops[c.Op].Pending() {
		return false
	}
	if g.Does[c.Op] == model.GrowthReads {
		return !g.Has(g.Found[c.Op], c.Element)
	}
	return g.Element[c.Op] == c.Element && (g.Does[c.Op] == model.GrowthMisses || g.Does[c.Op] == model.GrowthAddsNew)
}

// Repeats claims that Op lists an element twice.
type Repeats struct {
	Op      history.OpID
	Element int32
}

func (c Repeats) holds(w *Whole) bool {
	g := w.growing()
	return g != nil && w.are(c.Op) && g.Does[c.Op] == model.GrowthRepeated && g.Element[c.Op] == c.Element
}

// NotAdded claims that an element is not there at the start, and that nothing was called that adds
// it before By returned.
type NotAdded struct {
	By      history.OpID
	Element int32
}

func (c NotAdded) holds(w *Whole) bool {
	g := w.growing()
	return g != nil && w.are(c.By) && !g.Has(g.Initial, c.Element) && w.each(func(i history.OpID, o *history.Op) bool {
		adds := g.Does[i] == model.GrowthAdds || g.Does[i] == model.GrowthAddsNew
		return !adds || g.Element[i] != c.Element || o.Call > w.ops[c.By].Return
	})
}

// Fate claims what became of some elements, as far as reads of the whole set tell.
type Fate struct {
	Is       FateKind
	Elements []int32
}

// FateKind is what became of an element.
type FateKind uint8

// The fates. An element is missed by a read that was called when it was certainly there.
const (
	Lost        FateKind = iota // missed, after the last read that found it was called
	NeverRead                   // missed, and no read found it
	FoundAgain                  // missed, and found by a read that was called later
	ReadEarly                   // found by a read that returned before any add of it was called
	ListedTwice                 // listed twice by one read
)

func (c Fate) holds(w *Whole) bool {
	if w.growing() == nil || len(c.Elements) == 0 {
		return false
	}
	if w.grown == nil {
		w.grown = w.fates(w.growing())
	}
	for _, x := range c.Elements {
		if f := w.grown[x]; !f.is(c.Is) {
			return false
		}
	}
	return true
}

// grown is what the operations say of one element. Ranks are -1 for none.
type grown struct {
	since, added  history.Rank // it is there after this return; the first call of what adds it
	found, missed history.Rank // the last call of a read that finds it, misses it
	early, twice  bool
}

func (f grown) is(kind FateKind) bool {
	switch kind {
	case Lost:
		return f.found >= 0 && f.missed > f.found
	case NeverRead:
		return f.found < 0 && f.missed >= 0
	case FoundAgain:
		return f.missed >= 0 && f.missed < f.found
	case ReadEarly:
		return f.early
	}
	return f.twice
}

func (w *Whole) fates(g *model.GrowingTheory) []grown {
	all := make([]grown, len(g.Values))
	for x := range all {
		all[x] = grown{since: history.Never, added: history.Never, found: -1, missed: -1}
		if g.Has(g.Initial, int32(x)) {
			all[x].since, all[x].added = -1, -1
		}
	}
	reads := func(f func(x *grown, o *history.Op, has bool)) {
		for i := range w.ops {
			if g.Does[i] != model.GrowthReads {
				continue
			}
			for x := range all {
				f(&all[x], &w.ops[i], g.Has(g.Found[i], int32(x)))
			}
		}
	}
	reads(func(x *grown, o *history.Op, has bool) {
		if has {
			x.since, x.found = min(x.since, o.Return), max(x.found, o.Call)
		}
	})
	for i := range w.ops {
		if g.Element[i] < 0 {
			continue
		}
		x, o := &all[g.Element[i]], &w.ops[i]
		switch g.Does[i] {
		case model.GrowthAdds, model.GrowthAddsNew:
			x.since, x.added = min(x.since, o.Return), min(x.added, o.Call)
		case model.GrowthFinds:
			x.since = min(x.since, o.Return)
		case model.GrowthRepeated:
			x.twice = true
		}
	}
	reads(func(x *grown, o *history.Op, has bool) {
		x.early = x.early || has && o.Return < x.added
		if !has && x.since < o.Call {
			x.missed = max(x.missed, o.Call)
		}
	})
	return all
}

// growing is the theory of the partition if it is a set from which nothing is removed, else nil.
func (w *Whole) growing() *model.GrowingTheory { return model.As[*model.GrowingTheory](w.b) }

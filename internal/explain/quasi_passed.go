package explain

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// What most cores of values under a factor say.
//
// What: one removal passes over more items than it may. If more items than the bound are there,
// should leave first, and leave later, then some of the removals of these would have to move
// further than the bound to leave first: so many places are taken in between. Only a removal that
// moves to before these items are put in is another way, so in a stack and a priority queue there
// must be as many removals between, or none that can come before.
//
// Why: of the removals after r in ρ′, at most as many as the bound come before r in ρ″. For r moves
// by d; if it moves back, each of them that comes first moves further back than r's new place, and
// only the places up to the bound before are in reach. The same holds forwards.

// PassedOver finds a removal of a core of values that passes over more items than the bound, which
// it returns, too; false if the core has none.
func PassedOver(b *model.Instance, q *quasi.Question, core *Core) (over claim.PassedOver, bound int, found bool) {
	t, ok := b.Axiomatic().(*model.CollectionTheory)
	if !ok || q.Meaning == quasi.Classes && t.Discipline != model.FIFO {
		return over, 0, false
	}
	var kept, insertions []history.OpID
	for _, f := range core.Facts {
		if f.Kind == EdgeFact {
			continue
		}
		for _, i := range f.Operations {
			if kept = append(kept, i); t.Does[i] == model.Insert {
				insertions = append(insertions, i)
			}
		}
	}
	judge := claim.Of(b, 0)
	holds := func(c claim.PassedOver) bool { return judge.All([]claim.Claim{c}) }
	for _, by := range kept {
		if t.Does[by] != model.Remove || b.Class[by] < 0 {
			continue
		}
		bound = int(q.Factor[b.Class[by]])
		for _, x := range insertions {
			if t.Value[x] != t.Value[by] {
				continue
			}
			over = claim.PassedOver{By: by, Insertion: x}
			for _, y := range insertions {
				if y != x && holds(claim.PassedOver{By: by, Insertion: x, Over: []history.OpID{y}}) {
					over.Over = append(over.Over, y)
				}
			}
			if len(over.Over) <= bound {
				continue
			}
			for _, i := range kept {
				between := append(over.Between, i)
				if t.Discipline != model.FIFO && len(over.Between) < bound && i != by &&
					holds(claim.PassedOver{By: by, Insertion: x, Over: over.Over, Between: between}) {
					over.Between = between
				}
			}
			late := t.Discipline == model.FIFO || len(over.Between) == bound
			if (late || judge.All([]claim.Claim{claim.InBeforeAll{Insertions: over.Over}})) && holds(over) {
				return over, bound, true
			}
		}
	}
	return over, 0, false
}

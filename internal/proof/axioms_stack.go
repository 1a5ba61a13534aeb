package proof

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// lifo is SL(i,r,j,q) and SN(i,r,j).
func (w *Window) lifo(t *model.CollectionTheory, c *clause, args []history.OpID) bool {
	i, r, j := args[0], args[1], args[2]
	if !w.holds(t, i) || !w.holds(t, j) || !w.finds(t, r) || !w.together(t, i, j, r) {
		return false
	}
	if len(args) == 3 {
		c.unless(SourceOf(r, i), TakesEffect(j), LessThan(i, j), LessThan(j, r))
		c.taken(j, r)
		return true
	}
	q := args[3]
	if !w.takesOut(t, q) || !w.together(t, i, j, r, q) {
		return false
	}
	c.unless(SourceOf(r, i), SourceOf(q, j), LessThan(i, j), LessThan(j, r))
	c.or(LessThan(q, r))
	return true
}

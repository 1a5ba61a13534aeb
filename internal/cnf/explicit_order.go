package cnf

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// explicit adds the explicit edges; those of pending operations hold if they take effect.
func (b *Builder) explicit(part *model.Partition) {
	if len(part.Edges) == 0 {
		return
	}
	local := make([]history.OpID, part.Len())
	for i := range local {
		local[i] = -1
	}
	for i, k := range b.Keep {
		local[k] = history.OpID(i)
	}
	for _, e := range part.Edges {
		x, y := local[e.Before], local[e.After]
		switch {
		case x < 0 || y < 0:
		case b.In[x] == True && b.In[y] == True:
			b.Force(given, x, y)
		default:
			b.Clause(given, By(x, y), -b.In[x], -b.In[y], b.Order.Before(x, y))
		}
	}
}

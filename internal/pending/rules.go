// Package pending has the techniques on pending operations, over the search of package wgl: each
// decides a partition, or prunes its search, or decides nothing. Package search has the table that
// says in which order they are tried.
package pending

import (
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/wgl"
)

// NewRun returns a run on a layout, pruned by what the instance says about its states.
func NewRun(l *layout.Layout, b engine.Account) *wgl.Run {
	r := wgl.NewRun(l, b)
	countStates(r)
	lookAhead(r)
	return r
}

package words

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
)

// overtakenSentences says that an item is overtaken.
func overtakenSentences(r *result.Result, o *explain.Overtaken) []claim.Sentence {
	name := func(op history.OpID) string { return Numbered(r.Partition, op) }
	list := func(ops []history.OpID) string { return numberedList(r.Partition, ops) }
	var what string
	switch r.Instance().Axiomatic().(*model.CollectionTheory).Discipline {
	case model.FIFO:
		what = "what came in after it"
	case model.LIFO:
		what = "what lies below it"
	case model.ByPriority:
		what = "what is worse, while it is there"
	}
	one := len(o.By) == 1
	takes, comes := "take", "come"
	if one {
		takes, comes = "takes", "comes"
	}
	first := fmt.Sprintf("CONTRADICTION: what %s puts in is overtaken, whatever the order: %s %s %s, and %s before all "+
		"that can take it.", name(o.Insertion), list(o.By), takes, what, comes)
	claims := []claim.Claim{claim.Certified{}}
	within := fmt.Sprintf("Within %s it may be overtaken by %s", r.Quasi.Factor.String(r.Spec.Info()),
		Count(o.Bound, "removal"))
	if len(o.Since) > 0 {
		late := o.Late(r.Instance())
		for _, p := range late {
			claims = append(claims, claim.Between{First: o.Insertion, Last: p, Removals: o.Since})
		}
		within += fmt.Sprintf(", and %s cannot leave before %s: %s between", list(late), name(o.Insertion),
			comesBetween(r.Partition, o.Since))
	}
	return []claim.Sentence{claim.Say(first, o.Overtaken), claim.Say(within+".", o.Overtaken, claims...)}
}

// comesBetween says that removals come.
func comesBetween(p *model.Partition, ops []history.OpID) string {
	if len(ops) == 1 {
		return numberedList(p, ops) + " comes"
	}
	return numberedList(p, ops) + " come"
}

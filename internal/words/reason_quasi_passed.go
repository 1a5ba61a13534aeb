package words

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
)

// passedSentences says that a removal passes over too many items.
func passedSentences(r *result.Result, over claim.PassedOver, bound int) []claim.Sentence {
	name := func(op history.OpID) string { return Numbered(r.Partition, op) }
	list := func(ops []history.OpID) string { return numberedList(r.Partition, ops) }
	var came, which string
	switch r.Instance().Axiomatic().(*model.CollectionTheory).Discipline {
	case model.FIFO:
		which = "item from the front"
		came = fmt.Sprintf("%s came in before %s", list(over.Over), name(over.Insertion))
	case model.LIFO:
		which = "item from the top"
		came = fmt.Sprintf("%s came in after %s and before it", list(over.Over), name(over.Insertion))
	case model.ByPriority:
		which = "best item"
		came = fmt.Sprintf("%s are better and came in before it", list(over.Over))
	}
	first := fmt.Sprintf("CONTRADICTION: %s takes at least the %s %s, whatever the order: %s, and what they put in is "+
		"taken later or never.", name(over.By), ordinal(len(over.Over)+1), which, came)
	told := []claim.Sentence{claim.Say(first, over)}
	within := fmt.Sprintf("Within %s it may pass over %s", r.Quasi.Factor.String(r.Spec.Info()), Count(bound, "item"))
	claims := []claim.Claim{claim.Certified{}}
	switch late := r.Instance().Axiomatic().(*model.CollectionTheory).Discipline == model.FIFO; {
	case late || len(over.Between) == 0 && bound == 0:
	case len(over.Between) < bound:
		claims = append(claims, claim.InBeforeAll{Insertions: over.Over})
		within += ", and it cannot leave before those came in: no removal was called before they had"
	default:
		within += fmt.Sprintf(", and it cannot leave before those came in: %s came between", list(over.Between))
	}
	return append(told, claim.Say(within+".", over, claims...))
}

// numberedList lists operations, the first of them if they are many.
func numberedList(p *model.Partition, ops []history.OpID) string {
	var names []string
	for k, i := range ops {
		if k == maxListed && len(ops) > maxListed+1 {
			names = append(names, fmt.Sprintf("%d more", len(ops)-maxListed))
			break
		}
		names = append(names, Numbered(p, i))
	}
	return join(names)
}

// ordinal is the word for the place of an item.
func ordinal(n int) string {
	words := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh"}
	if n <= len(words) {
		return words[n-1]
	}
	return fmt.Sprintf("%dth", n)
}

package words

import (
	"fmt"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
)

// distanceTeller tells a contradiction of distances.
type distanceTeller struct {
	r      *result.Result
	number map[*explain.Distance]int
	steps  []claim.Sentence
	named  []history.OpID
	said   map[history.OpID]bool // in this sentence
	claims []claim.Claim         // of this sentence
}

// distanceSentences says how distances lead from an operation back to itself, and lists the
// operations that it names; nil if those are too many steps to be read.
func distanceSentences(r *result.Result, chain []*explain.Distance) (told []claim.Sentence, named []history.OpID) {
	t := &distanceTeller{r: r, number: map[*explain.Distance]int{}}
	if len(chain) == 0 {
		return nil, nil
	}
	if t.prepare(chain); len(t.steps) > fewListed {
		return nil, nil
	}
	t.begin()
	start := t.point(chain[0].From)
	text := fmt.Sprintf("CONTRADICTION: within %s, %s before itself: %s.", withinBounds(r), start, t.chain(chain))
	told = append(told, claim.Say(text, claim.Certified{}, t.claims...))
	told = append(told, t.steps...)
	told = append(told, claim.Say("(The numbers are places among the removals.)", claim.Certified{}))
	return told, inorder.Distinct(t.named)
}

// prepare tells the steps that a chain cites, those first on which they rest.
func (t *distanceTeller) prepare(chain []*explain.Distance) {
	for _, x := range chain {
		if x.Rule < explain.First || t.number[x] > 0 {
			continue
		}
		for _, on := range x.On {
			t.prepare(on)
		}
		t.number[x] = len(t.steps) + 1
		t.begin()
		text := fmt.Sprintf("%d. %s.", t.number[x], t.step(x))
		t.steps = append(t.steps, claim.Say(text, claim.Certified{}, t.claims...))
	}
}

func (t *distanceTeller) begin() { t.said, t.claims = map[history.OpID]bool{}, nil }

// op returns an operation in full the first time in a sentence, then its number.
func (t *distanceTeller) op(i history.OpID) string {
	if t.said[i] {
		return "#" + t.r.Partition.ID(i)
	}
	t.said[i], t.named = true, append(t.named, i)
	return Numbered(t.r.Partition, i)
}

func (t *distanceTeller) item(i history.OpID) string { return "the item of " + t.op(i) }

// point says that something comes or leaves.
func (t *distanceTeller) point(p explain.Point) string {
	switch p.Kind {
	case explain.Leaves:
		return t.item(p.Op) + " leaves"
	case explain.In:
		return t.op(p.Op) + " comes in"
	}
	return t.op(p.Op) + " comes"
}

// step tells what a rule gives.
func (t *distanceTeller) step(x *explain.Distance) string {
	should := map[model.Discipline]string{model.FIFO: "came in first", model.LIFO: "lies on top",
		model.ByPriority: "is better"}[t.r.Instance().Axiomatic().(*model.CollectionTheory).Discipline]
	switch x.Rule {
	case explain.First:
		t.claims = append(t.claims, claim.Sooner{X: x.From.Op, Y: x.To.Op})
		return fmt.Sprintf("%s leaves before %s, since it %s and is there by then: %s", t.item(x.From.Op),
			t.item(x.To.Op), should, t.chain(x.On[0]))
	case explain.Absent:
		t.claims = append(t.claims, claim.Sooner{X: x.To.Op, Y: x.From.Op})
		return fmt.Sprintf("%s comes in only after %s has left, since its item %s but leaves later: %s",
			t.op(x.To.Op), t.item(x.From.Op), should, t.chain(x.On[0]))
	}
	text := t.apart(x) + ", since in between leaves "
	for k := 0; k < len(x.On); k += 2 {
		far, near := x.On[k], x.On[k+1]
		item := near[0].From
		if item == x.From {
			item, far, near = near[len(near)-1].To, near, far
		}
		if k > 0 {
			text += ", and "
		}
		text += fmt.Sprintf("%s (%s; %s)", t.item(item.Op), t.chain(far), t.chain(near))
	}
	return text
}

// apart says how far two points are apart.
func (t *distanceTeller) apart(x *explain.Distance) string {
	to := t.point(x.To)
	if x.From == x.To {
		return to + " after itself"
	}
	from := t.point(x.From)
	switch {
	case x.Least > 0:
		return fmt.Sprintf("%s at least %s after %s", to, Count(x.Least, "place"), from)
	case x.Least == 0:
		return fmt.Sprintf("%s no earlier than %s", to, from)
	}
	return fmt.Sprintf("%s at most %s before %s", to, Count(-x.Least, "place"), from)
}

// chain tells distances that add up.
func (t *distanceTeller) chain(chain []*explain.Distance) string {
	var links []string
	sum := 0
	for _, x := range chain {
		sum += x.Least
		links = append(links, fmt.Sprintf("%s (%s)", t.link(x), signed(x.Least)))
	}
	if len(chain) == 1 {
		return links[0]
	}
	return strings.Join(links, ", ") + ": " + signed(sum) + " in all"
}

func signed(n int) string {
	if n < 0 {
		return fmt.Sprintf("−%d", -n)
	}
	return fmt.Sprintf("+%d", n)
}

// link tells one distance of a chain.
func (t *distanceTeller) link(x *explain.Distance) string {
	switch x.Rule {
	case explain.InOrder:
		t.claims = append(t.claims, claim.Between{First: x.From.Op, Last: x.To.Op, Removals: x.Between})
		text := t.op(x.From.Op) + " returned before " + t.op(x.To.Op)
		if len(x.Between) > 0 {
			t.named = append(t.named, x.Between...)
			text += ", with " + numberedList(t.r.Partition, x.Between) + " between"
		}
		return text
	case explain.Moved:
		c, near := claim.Takes{By: x.From.Op, Insertion: x.To.Op}, ", which leaves at most "
		if x.From.Kind == explain.Leaves {
			c, near = claim.Takes{By: x.To.Op, Insertion: x.From.Op}, ", and comes at most "
		}
		t.claims = append(t.claims, c)
		return t.op(c.By) + " takes " + t.item(c.Insertion) + near + Count(-x.Least, "place") + " earlier"
	case explain.ThereOnce:
		return t.item(x.To.Op) + " leaves after it comes in"
	case explain.First, explain.Absent:
		return fmt.Sprintf("%s leaves before %s [%d]", t.item(x.From.Op), t.point(x.To), t.number[x])
	}
	return fmt.Sprintf("%s [%d]", t.apart(x), t.number[x])
}

package verify

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/internal/verify/clausal"
)

// Choices are the clauses about what reads are from: each read that may be from several is from one
// of them, and no case is chosen. Variables are numbered by reads and their sources in order.
func Choices(sources [][]history.OpID, cases []consistency.ChoiceCase) (*clausal.Formula,
	map[consistency.Choice]int32) {
	f, of := clausal.NewFormula(), map[consistency.Choice]int32{}
	for i, all := range sources {
		if len(all) < 2 {
			continue
		}
		var one []clausal.Lit
		for _, w := range all {
			v := f.Fresh(1)
			of[consistency.Choice{Read: history.OpID(i), Write: w}] = v
			one = append(one, v)
		}
		f.Add("a read is from a write", clausal.By(history.OpID(i)), one...)
	}
	for _, c := range cases {
		var not []clausal.Lit
		for _, x := range c.Chosen {
			if v := of[x]; v > 0 {
				not = append(not, -v)
			}
		}
		f.Add("a case is refuted", clausal.By(), not...)
	}
	return f, of
}

// CheckChoices checks that each choice for the reads of a contradicts itself: each case by one
// that knows the question, and that there is no other choice.
func CheckChoices(ctx context.Context, a *consistency.Accesses, c *consistency.Choices,
	refutes func(*consistency.Accesses, *consistency.Certificate) error) error {
	sources := a.Sources()
	for k := range c.Cases {
		x := &c.Cases[k]
		part, ok := a.Chosen(sources, x.Chosen)
		if !ok {
			return base.Faultf("", "case %d chooses what the read cannot be from", k)
		}
		if err := refutes(part, &x.Certificate); err != nil {
			return base.Under("choices", err)
		}
	}
	f, _ := Choices(sources, c.Cases)
	return f.Check(ctx, c.Lemmas)
}

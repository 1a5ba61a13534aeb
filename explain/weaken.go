package explain

import (
	"errors"
	"slices"

	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
)

// Weaken returns what is left of b's part once a claim has forgotten what it forgets, bound anew, for engines to decide.
// Where order is forgotten all operations overlap and the kept order comes as edges. Claims that forget the past have
// no such part: any state and any subset of the open operations would have to be tried.
// left maps positions there to positions in b's part.
func Weaken(b *spec.Bound, claim *check.Claim) (weak *spec.Bound, left []int32, err error) {
	if claim.From > 0 {
		return nil, nil, errors.New("a claim about any past is not a part")
	}
	p := b.Part
	for i := range p.Ops {
		if p.Ops[i].Call > claim.Cut {
			break
		}
		if claim.Of(int32(i)) != check.KeepNothing {
			left = append(left, int32(i))
		}
	}
	var out *spec.Part
	if len(left) < len(p.Ops) {
		out = p.Select(left, p.Name)
	} else {
		all := *p
		all.Ops = slices.Clone(p.Ops)
		out = &all
	}
	for k, i := range left {
		o := &out.Ops[k]
		kept := claim.Of(i)
		if o.Return > claim.Cut {
			kept = check.KeepCall
		}
		switch kept {
		case check.KeepResponse:
			o.Result, o.Unknown = history.Nil, true
		case check.KeepCall:
			o.Return, o.Result, o.Unknown = history.Never, history.Nil, true
		}
	}
	if claim.SomeOrder {
		unorder(out, left, claim.Order)
	}
	weak, err = b.Spec.Bind(out)
	return weak, left, err
}

// unorder makes all operations of p overlap, apart from pending ones' open ends and the given pairs of positions in the original part.
func unorder(p *spec.Part, left []int32, order [][2]int32) {
	n := int32(len(p.Ops))
	at := map[int32]int32{}
	for k, i := range left {
		at[i] = int32(k)
	}
	for k := range p.Ops {
		o := &p.Ops[k]
		o.Call = int32(k)
		if !o.Pending() {
			o.Return = n + int32(k)
		}
	}
	edges := append([]history.Edge(nil), p.Edges...)
	for _, e := range order {
		before, ok := at[e[0]]
		after, also := at[e[1]]
		if ok && also && !p.Ops[before].Pending() { // without its return there is no such fact
			edges = append(edges, history.Edge{Before: before, After: after})
		}
	}
	p.Edges = sortedEdges(edges)
}

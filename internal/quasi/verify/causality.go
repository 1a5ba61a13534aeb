package verify

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/displacement"
	"github.com/linsat/linsat/internal/verify/base"
)

// causal checks that the removals with unknown results (pending ones, and those whose result was
// forgotten) can have taken values such that the specification accepts second and no removal
// precedes the insertion of its value in first. ext is bound to the partition with its drains; n is
// the number of the partition's own operations.
//
// The values are chosen in the order of second. The state leaves one choice, or as many as there
// are elements of equal priority. The choice is compared with first at the end.
func causal(ext *model.Instance, n int, first, second []history.OpID) error {
	c := &causality{ext: ext, n: n, first: first, second: second, took: map[history.OpID]history.Value{}}
	if err := c.bind(); err != nil {
		return err
	}
	m := c.b.Judge()
	if c.from(m, 0, []model.State{m.Init()}) {
		return nil
	}
	if len(c.guesses) == 0 {
		return base.Under("causal",
			base.Faultf("", "in ρ′, %d removals come before the insertion of the value they return",
				displacement.RemovedEarly(ext, first)))
	}
	return base.Under("causal",
		base.Faultf("",
			"whatever the %d removals with unknown results took, some removal in ρ′ comes before the insertion of "+
				"its value", len(c.guesses)))
}

type causality struct {
	ext           *model.Instance
	n             int
	first, second []history.OpID
	b             *model.Instance                 // ext with the guesses appended
	guesses       map[history.OpID][]history.OpID // unknown removal → one per value, and nothing
	took          map[history.OpID]history.Value  // the values chosen
}

// bind appends, for each unknown removal, one removal for every value inserted into its object, and
// one that finds nothing.
func (c *causality) bind() (err error) {
	var p *model.Partition
	if p, c.guesses = guesses(c.ext, c.ext.Partition, c.n, c.first); len(c.guesses) == 0 {
		c.b = c.ext
		return nil
	}
	c.b, err = c.ext.Spec.Bind(p)
	return err
}

// guesses appends to part, for each of some removals with an unknown result, one for everything
// that it may have found. The first n operations of part are those of b, the rest are drains.
func guesses(b *model.Instance, part *model.Partition, n int, of []history.OpID) (*model.Partition,
	map[history.OpID][]history.OpID) {
	all := map[history.OpID][]history.OpID{}
	object, _ := b.Objects()
	p := *part
	p.Ops = slices.Clone(part.Ops)
	end := p.End()
	for _, i := range of {
		if int(i) >= n || b.Items.Delta[i] >= 0 || !p.Ops[i].Unknown {
			continue
		}
		o := p.Ops[i]
		found := append(stored(p.History, b.Partition), history.Nil)
		for k := range n {
			if object[k] == object[i] && b.Items.Delta[k] > 0 {
				found = append(found, b.Partition.Ops[k].Arg)
			}
		}
		slices.Sort(found)
		for _, v := range slices.Compact(found) {
			o.Result, o.Unknown, o.Call, o.Return = v, false, end, end+1
			all[i] = append(all[i], history.OpID(len(p.Ops)))
			p.Ops = append(p.Ops, o)
			p.Drains++
		}
	}
	return &p, all
}

// from reports whether the rest of second, from place k on and from one of some states, can be
// accepted and is causal.
func (c *causality) from(m model.Machine, k int, states []model.State) bool {
	for ; k < len(c.second); k++ {
		i := c.second[k]
		if guesses, unknown := c.guesses[i]; unknown {
			for _, g := range guesses {
				if next := c.step(m, states, g); len(next) > 0 {
					c.took[i] = c.b.Partition.Ops[g].Result
					if c.from(m, k+1, next) {
						return true
					}
				}
			}
			return false
		}
		if states = c.step(m, states, i); len(states) == 0 {
			return false
		}
	}
	return c.inserted()
}

func (c *causality) step(m model.Machine, states []model.State, i history.OpID) []model.State {
	var next []model.State
	for _, s := range states {
		for _, t := range m.Step(s, i, nil) {
			// a drain must remove something
			if int(i) < c.n || int(i) >= c.ext.Partition.Len() || t != s {
				next = append(next, t)
			}
		}
	}
	slices.Sort(next)
	return slices.Compact(next)
}

// inserted reports whether first is causal with the values chosen.
func (c *causality) inserted() bool {
	b, p := *c.ext, *c.ext.Partition
	b.Partition, p.Ops, b.Items.Delta = &p, slices.Clone(p.Ops), slices.Clone(b.Items.Delta)
	for i, v := range c.took {
		p.Ops[i].Result, p.Ops[i].Unknown = v, false
		if v == history.Nil {
			b.Items.Delta[i] = 0
		}
	}
	return displacement.RemovedEarly(&b, c.first) == 0
}

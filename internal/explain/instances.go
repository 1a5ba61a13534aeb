package explain

import (
	"errors"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// errTooMany is the error of a window with too many instances.
var errTooMany = errors.New("too many instances of axioms")

// instances adds every relevant instance of the theory's axioms, apart from the families. It
// returns a contradiction as soon as one shows.
func (p *prover) instances() (*contradiction, error) {
	switch t := p.w.Theory.(type) {
	case *model.RegisterTheory:
		p.cells(t)
	case *model.CollectionTheory:
		p.collections(t)
	}
	if len(p.made) > maxClauses {
		return nil, errTooMany
	}
	// Unconditional ones come first, then short ones, since the argument uses those found first.
	for size := 0; size <= 3; size++ {
		for _, c := range p.made {
			if min(len(c.lits), 3) != size {
				continue
			}
			if conflict := p.add(c); conflict != nil {
				return conflict, nil
			}
		}
	}
	p.made = nil
	return nil, nil
}

// make records an instance unless it is vacuous.
func (p *prover) make(axiom proof.Axiom, args ...history.OpID) []proof.Literal {
	if p.full() {
		return nil
	}
	literals, err := p.w.Instance(axiom, args, nil)
	if err != nil {
		return nil
	}
	c := clause{axiom: axiom, args: args}
	for _, l := range literals {
		c.lits = append(c.lits, p.lit(l))
	}
	p.made = append(p.made, c)
	return literals
}

// full reports whether to stop making instances: there are too many, or the time is up. It looks at
// the clock once in 1024 calls.
func (p *prover) full() bool {
	if p.calls++; p.calls%1024 == 0 && p.stopped() {
		p.ended = true
	}
	return p.ended || len(p.made) > maxClauses
}

// choice records an instance that cases can be split on.
func (p *prover) choice(axiom proof.Axiom, args ...history.OpID) []proof.Literal {
	literals := p.make(axiom, args...)
	if len(literals) > 1 {
		p.choices = append(p.choices, p.made[len(p.made)-1])
	}
	return literals
}

func (p *prover) cells(t *model.RegisterTheory) {
	for _, members := range p.w.Objects() {
		for _, r := range members {
			modes := history.OpID(len(t.Of(r)))
			if modes != 1 {
				p.choice(proof.MODE, r)
			}
			for j := range modes {
				if modes > 1 {
					p.make(proof.MODE, r, j)
				}
				for k := range j {
					p.make(proof.MODE, r, k, j)
				}
				if t.Of(r)[j].Test != model.Any {
					p.reading(t, members, r, j)
				}
			}
		}
	}
}

// reading adds the instances about what r finds in its mode j.
func (p *prover) reading(t *model.RegisterTheory, members []history.OpID, r, j history.OpID) {
	for _, l := range p.choice(proof.SRC, r, j) {
		if l.Kind != proof.SourceKind {
			continue
		}
		s := l.B
		if s >= 0 {
			p.make(proof.SB, r, s)
			p.make(proof.SI, r, j, s)
		}
		for _, x := range members {
			for k, m := range t.Of(x) {
				if x == r || x == s {
					continue
				}
				if m.Leaves != model.Keep {
					p.make(proof.BT, r, j, s, x, history.OpID(k))
				}
				if s == proof.Before && x > r && m.Test != model.Any {
					p.make(proof.PP, r, j, x, history.OpID(k))
				}
			}
		}
	}
}

func (p *prover) collections(t *model.CollectionTheory) {
	for object, members := range p.w.Objects() {
		var inserted, found []history.OpID
		first := 0
		for _, items := range t.Initial[:object] {
			first += len(items)
		}
		for k := range t.Initial[object] {
			inserted = append(inserted, proof.Item(first+k))
		}
		for _, i := range members {
			if t.Does[i] == model.Insert {
				inserted = append(inserted, i)
			} else {
				found = append(found, i)
			}
		}
		takers := map[history.OpID][]history.OpID{}
		for _, i := range inserted {
			takers[i] = p.w.Takers(i)
			for k, r := range takers[i] {
				for _, q := range takers[i][:k] {
					p.make(proof.ONE, q, r, i)
				}
			}
		}
		for _, r := range found {
			if p.full() {
				return
			}
			p.finding(t, r, inserted, takers)
		}
	}
}

// finding adds the instances about what a removal takes or a peek sees.
func (p *prover) finding(t *model.CollectionTheory, r history.OpID, inserted []history.OpID,
	takers map[history.OpID][]history.OpID) {
	p.choice(proof.SRC, r)
	candidates := p.w.Candidates(r)
	for k, i := range candidates {
		if p.full() {
			return
		}
		if t.Does[r] == model.Remove {
			for _, j := range candidates[:k] {
				p.make(proof.ONE, r, j, i)
			}
		}
		if i == proof.NoOp {
			for _, j := range inserted {
				for _, q := range takers[j] {
					p.make(proof.Z, r, j, q)
				}
				p.make(proof.ZN, r, j)
			}
			continue
		}
		p.make(proof.SB, r, i)
		p.make(proof.SI, r, i)
		if t.Does[r] == model.Peek {
			for _, q := range takers[i] {
				p.make(proof.PK, r, q, i)
			}
		}
		for _, j := range inserted {
			if j == i {
				continue
			}
			switch t.Discipline {
			case model.FIFO: // j in front of i
				for _, q := range takers[j] {
					p.make(proof.QF, j, q, i, r)
				}
				p.make(proof.QN, j, i, r)
			case model.LIFO: // j on top of i
				for _, q := range takers[j] {
					p.make(proof.SL, i, r, j, q)
				}
				p.make(proof.SN, i, r, j)
			case model.ByPriority:
				for _, q := range takers[j] {
					p.make(proof.PF, i, r, j, q)
				}
				p.make(proof.PN, i, r, j)
			}
		}
	}
}

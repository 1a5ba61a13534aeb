package monitor

// Registers of which some values have one origin: refutations only.
//
// What: where a cell is not decided by chains because some of its values are left by several
// operations, or because some operations have several outcomes, what is left by one operation alone
// still makes chains. They are laid out as in register_chains.go, and refute in the same ways.
//
// Source: the zones of Gibbons & Korach, as there; the relaxation is ours. Take a linearization of
// the cell, and leave out whatever is not understood: of what is left, each value with one origin
// still lasts without interruption from its origin to the last operation that finds it. So every
// conflict among the chains refutes the cell.
//
// An operation that finds a value of several origins, or leaves one, stands in no chain but its
// own, which it begins: a chain without interruption has no place for it. One of several outcomes
// goes in the outcome that leaves a value found by an operation that takes effect, if it is the
// origin of that; otherwise it only counts if it leaves something in each. Pending operations only
// count if they are such origins.
//
// Invariant: every rule that refutes names operations that the verifier (verify.RegisterConflict)
// finds to be certain, and in those outcomes, by itself.
//
// Cost: as register_chains.go.

import (
	"context"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// refute looks for a conflict among values with one origin. What it returns is a violation, or
// Unknown.
func (k *cells) refute(ctx context.Context) engine.Answer {
	k.way = filled(k.way, len(k.ops), -1)
	for x, initial := range k.c.Init {
		if ctx.Err() != nil {
			return engine.Stopped(ctx)
		}
		k.own = k.list[k.start[x]:k.start[x+1]]
		if len(k.own) > 0 && k.refuteCell(initial) == cellNo {
			return engine.Answer{Verdict: engine.NotLinearizable, Proof: k.evidence}
		}
	}
	return engine.Answer{}
}

func (k *cells) refuteCell(initial int32) finding {
	k.begins = false
	k.countOrigins(initial)
	if o := k.needs(); o != cellYes {
		return o
	}
	chained := false
	for _, i := range k.own {
		m := k.relaxed(i)
		k.accesses[i] = m
		chained = chained || m.effect == sees || m.effect == swaps || m.effect == misses && k.origins[m.v] == 1
	}
	if !chained {
		return cellOpen
	}
	if o := k.link(initial); o != cellYes {
		return o
	}
	if o := k.walk(initial); o != cellYes {
		return o
	}
	if o := k.place(); o != cellYes {
		return o
	}
	return k.missed()
}

// leavesAnother reports whether a mode leaves a value, other than the one that it finds.
func leavesAnother(m *model.Mode) bool {
	return m.Leaves != model.Keep && (m.Test != model.Is || m.Leaves != m.V)
}

// countOrigins finds who leaves each value of the cell at hand, in whatever outcome.
func (k *cells) countOrigins(initial int32) {
	k.origins = sized(k.origins, k.c.Values)
	k.owner = sized(k.owner, k.c.Values)
	k.found = sized(k.found, k.c.Values)
	forget := func(v int32) { k.origins[v], k.owner[v], k.found[v] = 0, noOp, false }
	forget(initial)
	for _, i := range k.own { // other cells may have the same values
		for _, m := range k.c.Of(i) {
			if m.Test != model.Any {
				forget(m.V)
			}
			if m.Leaves != model.Keep {
				forget(m.Leaves)
			}
		}
	}
	k.origins[initial], k.owner[initial] = 1, proof.Initial
	for _, i := range k.own {
		for j := range k.c.Of(i) {
			if m := &k.c.Of(i)[j]; leavesAnother(m) {
				k.origins[m.Leaves]++
				k.owner[m.Leaves] = i
			}
		}
	}
}

// needs marks the values that certain operations find, and the outcomes of their origins. It
// returns cellNo if one finds what no operation leaves, or contradicts itself.
func (k *cells) needs() finding {
	for _, i := range k.own {
		if k.ops[i].Return == history.Never {
			continue
		}
		switch modes := k.c.Of(i); len(modes) {
		case 0:
			return k.refuted(proof.RegisterNoMode, i)
		case 1:
			if o := k.follow(i, &modes[0]); o != cellYes {
				return o
			}
		}
	}
	return cellYes
}

// follow goes from an operation that takes effect in mode m to the origin of what it finds, from
// there on to the origin of what that finds, and so on.
func (k *cells) follow(i history.OpID, m *model.Mode) finding {
	for m.Test == model.Is && !k.found[m.V] {
		by := k.owner[m.V]
		switch {
		case k.origins[m.V] == 0:
			return k.refuted(proof.RegisterUnwritten, i)
		case k.origins[m.V] > 1 || by == proof.Initial:
			return cellYes
		case k.way[by] >= 0 && k.c.Of(by)[k.way[by]].Leaves != m.V: // there is no rule for that
			return cellAmbiguous
		}
		k.found[m.V] = true
		i, m = by, k.goes(by, m.V)
	}
	return cellYes
}

// goes notes that operation i goes in its one mode that leaves v, and returns that.
func (k *cells) goes(i history.OpID, v int32) *model.Mode {
	modes := k.c.Of(i)
	for j := range modes {
		if leavesAnother(&modes[j]) && modes[j].Leaves == v {
			k.way[i] = int32(j)
			return &modes[j]
		}
	}
	panic("monitor: an origin does not leave its value")
}

// relaxed says what operation i does, as far as chains of values with one origin know it.
func (k *cells) relaxed(i history.OpID) access {
	modes := k.c.Of(i)
	m := &model.Mode{Leaves: model.Keep}
	switch pending := k.ops[i].Return == history.Never; {
	case k.way[i] >= 0:
		m = &modes[k.way[i]]
	case pending:
		return access{effect: vanishes}
	case len(modes) == 1:
		m = &modes[0]
	default:
		for j := range modes {
			if !leavesAnother(&modes[j]) {
				return access{effect: vanishes}
			}
		}
		return access{effect: puts, w: model.Keep, taken: true}
	}
	switch one := m.Test == model.Is && k.origins[m.V] == 1; {
	case m.Test != model.Is && m.Leaves != model.Keep:
		return access{effect: puts, w: m.Leaves, taken: true}
	case m.Test == model.Not && len(m.Others) == 0:
		return access{effect: misses, v: m.V, taken: true}
	case m.Test != model.Is:
		return access{effect: vanishes}
	case !one:
		return access{effect: puts, w: m.Leaves, taken: true}
	case leavesAnother(m):
		return access{effect: swaps, v: m.V, w: m.Leaves, taken: true}
	}
	return access{effect: sees, v: m.V, taken: true}
}

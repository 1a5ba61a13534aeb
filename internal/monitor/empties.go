package monitor

import "github.com/linsat/linsat/internal/proof"

// Removals and peeks that found nothing.
//
// What: each needs a moment at which no value is certainly inside. Any such moment will do,
// whatever the discipline and the rest of the history. A refutation is a chain of values: of those
// inside at the first moment the one that stays longest, then the same from the moment at which
// that one leaves.
//
// Why: the witnesses of all disciplines remove a value at once if it does not have to be inside.
//
// Cost: O(n).

// placeEmpties chooses for each empty result the first moment at which no value is inside, in
// ascending order, or refutes.
func (c *collected) placeEmpties() (at []moment, no *proof.CollectionConflict) {
	if len(c.emptyOp) == 0 {
		return nil, nil
	}
	free := c.nextFree()
	at = make([]moment, len(c.emptyOp))
	for e := range at {
		at[e] = free[c.emptyLo[e]]
		if at[e] >= c.emptyHi[e] {
			no = refutation(proof.Covered, c.withCompetitors(c.chain(c.values, c.emptyLo[e], c.emptyHi[e]))...)
			no.Op = c.emptyOp[e]
			return nil, no
		}
	}
	return at, nil
}

// nextFree returns for every moment up to end the first one from there on at which no value is
// certainly inside.
func (c *collected) nextFree() []moment {
	cover := make([]int32, c.end+2)
	for _, v := range c.values {
		if c.inside(v) {
			cover[c.insHi[v]]++
			cover[c.remLo[v]]--
		}
	}
	for g := moment(1); g <= c.end; g++ {
		cover[g] += cover[g-1]
	}
	next, free := make([]moment, c.end+1), c.end
	for g := c.end; g >= 0; g-- {
		if cover[g] == 0 {
			free = g
		}
		next[g] = free
	}
	return next
}

// chain returns values that cover [lo, hi) one after the other, none of them superfluous. Such
// values exist among the given ones.
func (c *collected) chain(among []int32, lo, hi moment) []int32 {
	reach := c.farthest(among)
	var out []int32
	for g := lo; g < hi; {
		v := reach[g]
		out = append(out, v)
		g = c.remLo[v]
	}
	return out
}

// farthest returns for each moment, of the values that are inside from that moment or earlier, the
// one that stays longest.
func (c *collected) farthest(among []int32) []int32 {
	reach := make([]int32, c.end+1)
	for g := range reach {
		reach[g] = -1
	}
	for _, v := range among {
		if c.inside(v) && (reach[c.insHi[v]] < 0 || c.remLo[reach[c.insHi[v]]] < c.remLo[v]) {
			reach[c.insHi[v]] = v
		}
	}
	for g := moment(1); g <= c.end; g++ {
		if u := reach[g-1]; u >= 0 && (reach[g] < 0 || c.remLo[reach[g]] < c.remLo[u]) {
			reach[g] = u
		}
	}
	return reach
}

// withCompetitors adds to values what shows that no other pairing of pending removals helps: if one
// of the values is matched with a pending removal, all values left over that are inserted no later.
func (c *collected) withCompetitors(values []int32) []int32 {
	if len(c.pendOp) == 0 {
		return values
	}
	latest := moment(-1) // insertion of a value left over
	var out []int32
	for _, v := range values {
		if c.unremoved(v) {
			latest = max(latest, c.insHi[v])
		} else {
			out = append(out, v)
		}
	}
	for _, v := range c.left {
		if c.insHi[v] <= latest {
			out = append(out, v)
		}
	}
	return out
}

// unremoved reports whether no completed operation removed v.
func (c *collected) unremoved(v int32) bool { return c.remHi[v] == c.end+1 }

package dual

// What: how the multipliers are moved until they refute, or a path is found that uses no more than
// there is.
//
// Source: subgradient optimization with steps after Polyak (USSR Comp. Math. 1969); raising what is
// used too much is the negotiation of circuit routers (McMurchie and Ebeling, FPGA'95).
//
// What we changed: two vectors of multipliers take turns. One is moved by polyak, which is better
// at refuting, the other by raise, which is better at finding a path.
//
// Invariant: the vector that is left in the end is the one with the best bound.
//
// Cost: one evaluation (multipliers.go) for each update, maxUpdates at most.

import (
	"math"
)

// optimize moves the multipliers until the partition is decided. Refuted: the multipliers refute
// it.
// Linearizable: p.path is a linearization. Undecided: so many updates were made, and the
// multipliers are the best that were met. Stopped: the search has to stop. Paused: so many steps
// were spent.
func (p *multipliers) optimize(updates int, until int64) Outcome {
	for ; p.updates < updates; p.updates++ {
		if p.Steps >= until {
			return Paused
		}
		if !p.evaluate() {
			return Stopped
		}
		k, seed := p.updates, uint64(0)
		if k%2 == 0 && k > 2 {
			seed = uint64(k)
		}
		value := p.cheapest(seed)
		if value == Far {
			return Refuted
		}
		if p.follow() {
			return Linearizable
		}
		if !p.Spend(int64(len(p.to))/64 + 1) {
			return Stopped
		}
		all := p.capacity[len(p.capacity)-1]
		if bound := float64(value-all) / float64(all+1); seed == 0 && bound > p.highest {
			p.highest = bound
			copy(p.best, p.multiplier)
		}
		if k%2 == 0 {
			p.raise()
		} else {
			p.polyak(float64(value - all))
		}
		p.multiplier, p.other = p.other, p.multiplier
	}
	copy(p.multiplier, p.best)
	if !p.evaluate() {
		return Stopped
	}
	return Undecided
}

// polyak moves the multipliers along what is used too much, by a step after Polyak towards a value
// just above 0.
func (p *multipliers) polyak(value float64) {
	norm, sum := 0.0, 0.0
	for c, g := range p.over {
		sum += float64(p.multiplier[c])
		if g > 0 || p.multiplier[c] > 0 {
			norm += float64(g) * float64(g)
		}
	}
	aim := max(unit, sum/float64(len(p.multiplier))) / 4
	step := (aim - value) / norm // some class is used too much
	top := int64(0)
	for c, g := range p.over {
		p.multiplier[c] = int64(max(0, math.Round(float64(p.multiplier[c])+step*float64(g))))
		top = max(top, p.multiplier[c])
	}
	for ; top > unit<<10; top >>= 1 { // only proportions matter
		for c := range p.multiplier {
			p.multiplier[c] >>= 1
		}
	}
}

// raise makes dearer what is used too much, and nothing cheaper.
func (p *multipliers) raise() {
	for c, g := range p.over {
		if g > 0 {
			p.multiplier[c] = min(p.multiplier[c]+int64(g)*unit/4, unit<<10)
		}
	}
}

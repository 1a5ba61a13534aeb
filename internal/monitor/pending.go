package monitor

import (
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
)

// Pending removals from stacks and priority queues: which values they took.
//
// What: at first they take no value. As long as the history with the values assigned so far is
// refuted, one more value is assigned to a pending removal: the value inserted last among those
// that the refutation names, that were never removed and that have no removal yet. Its removal is
// the last one called before the value is certainly inside, so that it need never be, or else the
// first one after. If that makes the history linearizable, it is; otherwise it stays undecided.
//
// Cost: a decision for each value assigned, within a limit.

// guess decides repeatedly. It returns the first answer that is not a refutation, or the last
// refutation.
func (c *collected) guess(operations int, decide func() engine.Answer) engine.Answer {
	c.release()
	used := make([]bool, len(c.pendOp))
	for tries := 1; ; tries++ {
		a := decide()
		if a.Verdict != engine.NotLinearizable || tries == guessLimit || tries*operations > guessSteps {
			return a
		}
		last := int32(-1)
		for _, v := range a.Proof.(*proof.CollectionConflict).Values {
			if c.rem[v] == absent && (last < 0 || c.insHi[v] > c.insHi[last]) {
				last = v
			}
		}
		p := c.taker(last, used)
		if p < 0 {
			return a
		}
		used[p] = true
		c.assign(last, p)
	}
}

// taker chooses an unused pending removal for v, or -1.
func (c *collected) taker(v int32, used []bool) int {
	best := -1
	for p, lo := range c.pendLo {
		switch {
		case v < 0 || used[p]:
		case lo < c.insHi[v]:
			best = p
		case best < 0:
			return p
		}
	}
	return best
}

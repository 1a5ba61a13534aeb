package monitor

import (
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
)

// Pending removals from stacks and priority queues: which values they took.
//
// What: at first they take nothing. As long as the history with the values assigned so far is
// refuted, one of the values that the refutation names, nobody removed and nothing is assigned to
// is given to a pending removal: the value inserted last; the last removal that is called before it
// is certainly inside, so that it need never be, or else the first one after. A yes is a yes; if
// that does not lead to one, nothing is said.
//
// Cost: a decision for each value assigned, within a limit.

// guess decides again and again, and returns what is not a refutation, or the last refutation.
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
			if c.rem[v] == nobody && (last < 0 || c.insHi[v] > c.insHi[last]) {
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

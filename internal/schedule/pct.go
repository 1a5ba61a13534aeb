package schedule

import (
	"fmt"
	"slices"
)

// PCT runs so many schedules by random priorities: the thread with the highest priority runs, and
// at depth-1 random steps the thread that runs gets the lowest priority so far (Burckhardt,
// Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding
// Bugs, ASPLOS 2010). A bug that takes depth ordered steps shows in one run with a probability of
// at least 1/(n·k^(depth-1)) for n threads and k steps.
//
// What we changed: k is the length of the longest execution so far instead of a parameter, so the
// first run has no change points and the second has its own where the first ended; and a thread
// that yields gets the lowest priority, for one that spins would otherwise keep all others from
// running.
func PCT(seed uint64, depth, runs int) Strategy {
	return &pct{random: random{seed: seed, runs: runs}, depth: depth}
}

type pct struct {
	Sealed
	random
	depth    int
	longest  int
	priority []int // by thread; made at the first Pick
	changes  []int // steps at which the thread that runs is put last, sorted
	lowest   int
}

func (p *pct) Begin() bool {
	if !p.random.Begin() {
		return false
	}
	p.priority, p.changes, p.lowest = p.priority[:0], p.changes[:0], 0
	if p.longest > 0 {
		for range p.depth - 1 {
			p.changes = append(p.changes, 1+p.below(p.longest))
		}
		slices.Sort(p.changes)
	}
	return true
}

func (p *pct) Pick(s *State) (int, bool) {
	if s.Depth == 0 {
		p.shuffle(len(s.Pending))
	}
	if s.Prev >= 0 {
		for len(p.changes) > 0 && p.changes[0] <= s.Depth {
			p.changes = p.changes[1:]
			p.last(s.Prev)
		}
		if Has(s.Held, s.Prev) {
			p.last(s.Prev)
		}
	}
	best := Lowest(s.Enabled)
	for set := s.Enabled & (s.Enabled - 1); set != 0; set &= set - 1 {
		if t := Lowest(set); p.priority[t] > p.priority[best] {
			best = t
		}
	}
	return best, true
}

func (p *pct) last(thread int) {
	p.lowest--
	p.priority[thread] = p.lowest
}

// shuffle gives n threads the priorities 1 to n in random order.
func (p *pct) shuffle(n int) {
	for i := range n {
		p.priority = append(p.priority, i+1)
		j := p.below(i + 1)
		p.priority[i], p.priority[j] = p.priority[j], p.priority[i]
	}
}

func (p *pct) End(e *Finished) { p.longest = max(p.longest, len(e.Accesses)) }

func (p *pct) String() string {
	return fmt.Sprintf("%d schedules by priorities (PCT) of depth %d, seed %d", p.runs, p.depth, p.seed)
}

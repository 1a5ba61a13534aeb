package schedule

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Random runs so many schedules in which each access is made by any of the threads that can, all
// with equal chances.
func Random(seed uint64, runs int) Strategy { return &random{seed: seed, runs: runs} }

type random struct {
	Sealed
	seed uint64
	runs int
	done int
	pcg  rand.PCG
	// numbers for the running execution, drawn before it. Threads call Pick, and under --race the
	// race detector watches what they do in other packages: math/rand drawing there is a race that
	// it looks into, in each execution, for a millisecond.
	drawn []uint64
	next  int
}

func (r *random) Begin() bool {
	if r.done >= r.runs {
		return false
	}
	r.done++
	r.pcg.Seed(r.seed, uint64(r.done))
	r.drawn = slices.Grow(r.drawn[:0], r.next+drawnAhead)
	for range r.next + drawnAhead { // as many as the execution before needed, and some
		r.drawn = append(r.drawn, r.pcg.Uint64())
	}
	r.next = 0
	return true
}

// below returns a number from 0 to n-1.
func (r *random) below(n int) int {
	if r.next == len(r.drawn) {
		r.drawn = append(r.drawn, r.pcg.Uint64())
	}
	hi, _ := bits.Mul64(r.drawn[r.next], uint64(n))
	r.next++
	return int(hi)
}

func (r *random) Pick(s *State) (int, bool) {
	set := s.Enabled
	for range r.below(bits.OnesCount64(set)) {
		set &= set - 1
	}
	return Lowest(set), true
}

func (r *random) Choose(n int) int { return r.below(n) }
func (r *random) End(*Finished)    {}
func (r *random) String() string   { return fmt.Sprintf("%d random schedules, seed %d", r.runs, r.seed) }

package schedule

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
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
}

func (r *random) Begin() bool {
	if r.done >= r.runs {
		return false
	}
	r.done++
	r.pcg.Seed(r.seed, uint64(r.done))
	return true
}

// below returns a number from 0 to n-1.
func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.pcg.Uint64(), uint64(n))
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

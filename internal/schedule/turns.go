package schedule

import "math/bits"

// Turns runs one execution, in which the threads take turns: each makes one access.
func Turns() Strategy { return &turns{} }

type turns struct {
	Sealed
	begun bool
}

func (t *turns) Begin() bool {
	first := !t.begun
	t.begun = true
	return first
}

func (t *turns) Pick(s *State) (int, bool) {
	if later := s.Enabled >> uint(s.Prev+1); later != 0 {
		return s.Prev + 1 + bits.TrailingZeros64(later), true
	}
	return Lowest(s.Enabled), true
}

func (t *turns) Choose(int) int { return 0 }

func (t *turns) End(*Finished) {}

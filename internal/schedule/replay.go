package schedule

import (
	"fmt"
	"slices"
)

// Replay runs one execution by a schedule that an earlier one printed. Where the schedule ends
// before the execution does, the thread that ran goes on, and then the lowest. A schedule that does
// not fit the program is an error of Run.
func Replay(s Schedule) Strategy { return &replay{schedule: s} }

// Gently is Replay that gives an execution up which the schedule does not fit.
func Gently(s Schedule) Strategy { return &replay{schedule: s, gently: true} }

// Replays reports whether what a strategy finds is taken as it is: Replay, Guided or Hasty.
func Replays(s Public) bool {
	switch s.(type) {
	case *replay, *guided, hasty:
		return true
	}
	return false
}

type replay struct {
	Sealed
	schedule Schedule
	at       int
	begun    bool
	gently   bool
}

func (r *replay) Begin() bool {
	first := !r.begun
	r.begun = true
	return first
}

// next goes back to where the schedule repeats itself from.
func (r *replay) next() {
	if r.at == len(r.schedule) {
		if again := slices.Index(r.schedule, Again); again >= 0 && again+1 < len(r.schedule) {
			r.at = again + 1
		}
	} else if r.schedule[r.at] == Again {
		r.at++
	}
}

func (r *replay) Pick(s *State) (int, bool) {
	r.next()
	if r.at >= len(r.schedule) {
		if Has(s.Enabled, s.Prev) {
			return s.Prev, true
		}
		return Lowest(s.Enabled), true
	}
	r.at++
	// A data choice in the place of a thread gives a negative number, which Run refuses.
	pick := int(r.schedule[r.at-1])
	return pick, !r.gently || Has(s.Enabled, pick)
}

func (r *replay) Choose(n int) int {
	r.next()
	if r.at >= len(r.schedule) || r.gently && (r.schedule[r.at] >= 0 || int(-1-r.schedule[r.at]) >= n) {
		return 0
	}
	r.at++
	return int(-1 - r.schedule[r.at-1])
}

func (r *replay) End(*Finished) {}

func (r *replay) String() string { return fmt.Sprintf("replay %s", r.schedule) }

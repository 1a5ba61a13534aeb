package schedule

import "fmt"

// Replay runs one execution by a schedule that an earlier one printed. Where the schedule ends
// before the execution does, the thread that ran goes on, and then the lowest. A schedule that does
// not fit the program is an error of Run.
func Replay(s Schedule) Strategy { return &replay{schedule: s} }

// Replays reports whether a strategy is a Replay.
func Replays(s Public) bool {
	_, replays := s.(*replay)
	return replays
}

type replay struct {
	Sealed
	schedule Schedule
	at       int
	begun    bool
}

func (r *replay) Begin() bool {
	first := !r.begun
	r.begun = true
	return first
}

func (r *replay) Pick(s *State) (int, bool) {
	if r.at >= len(r.schedule) {
		if Has(s.Enabled, s.Prev) {
			return s.Prev, true
		}
		return Lowest(s.Enabled), true
	}
	r.at++
	// A data choice in the place of a thread gives a negative number, which Run refuses.
	return int(r.schedule[r.at-1]), true
}

func (r *replay) Choose(n int) int {
	if r.at >= len(r.schedule) {
		return 0
	}
	r.at++
	return int(-1 - r.schedule[r.at-1])
}

func (r *replay) End(*Finished) {}

func (r *replay) String() string { return fmt.Sprintf("replay %s", r.schedule) }

package schedule

import "fmt"

// Bounded runs every schedule with at most so many preemptions: switches away from a thread that
// could have gone on (Musuvathi and Qadeer, Iterative Context Bounding, PLDI 2007). Switches away
// from a thread that ended, is blocked or yielded are free.
func Bounded(preemptions int) Strategy { return newBounded(preemptions, false) }

// BoundedInside counts only preemptions inside of operations: threads take turns freely between
// operations. With 0 it runs the serial schedules, but for the attempts at operations that are
// blocked.
func BoundedInside(preemptions int) Strategy { return newBounded(preemptions, true) }

type bounded struct {
	Sealed
	tree
	limit, spent int
	inside       bool
}

func newBounded(preemptions int, inside bool) *bounded {
	b := &bounded{limit: max(0, preemptions), inside: inside}
	b.allow = func(s *State) uint64 {
		if b.spent >= b.limit && b.counts(s) {
			return 1 << uint(s.Prev)
		}
		return s.Enabled
	}
	return b
}

// counts reports whether picking another thread than the one that ran is a preemption.
func (b *bounded) counts(s *State) bool {
	return Has(s.Enabled, s.Prev) && !(b.inside && s.Boundary)
}

func (b *bounded) Begin() bool {
	b.spent = 0
	return b.tree.Begin()
}

func (b *bounded) Pick(s *State) (int, bool) {
	thread, ok := b.tree.Pick(s)
	if thread != s.Prev && b.counts(s) {
		b.spent++
	}
	return thread, ok
}

func (b *bounded) String() string {
	if b.inside {
		return fmt.Sprintf("every schedule with at most %s inside operations", preemptions(b.limit))
	}
	return fmt.Sprintf("every schedule with at most %s", preemptions(b.limit))
}

func preemptions(n int) string {
	if n == 1 {
		return "1 preemption"
	}
	return fmt.Sprintf("%d preemptions", n)
}

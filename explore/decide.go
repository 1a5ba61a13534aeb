package explore

import (
	"fmt"
	"runtime"
	"time"

	"github.com/linsat/linsat/internal/schedule"
)

// decide chooses the thread that makes the next access, or ends the execution. It runs in the
// coroutine that stopped.
func (x *Exec) decide() {
	x.chosen = -1
	if x.over { // a choice failed
		return
	}
	s := &x.state
	enabled := x.enabled()
	if !x.over && enabled&^x.polled == 0 && x.pass(enabled) {
		enabled = x.enabled()
	}
	if x.over {
		return
	}
	if enabled == 0 && s.Live&^x.own != 0 {
		enabled = x.resumed()
	}
	if enabled == 0 {
		x.over = true
		switch {
		case x.stopped:
			x.execution.Outcome = CutOff
			x.blocked = s.Live
		case s.Live&^x.own != 0:
			x.stuck(s.Live)
		default:
			x.blocked = s.Live
		}
		return
	}
	if !x.tick() {
		return
	}
	s.Held = 0
	if x.waiting != 0 {
		s.Held = x.fair(enabled)
	}
	s.Enabled, s.Own = enabled&^s.Held, x.own
	s.Depth, s.Accesses = len(x.accesses), x.accesses
	s.Boundary = s.Prev >= 0 && !(x.threads[s.Prev].inside && !x.threads[s.Prev].first)
	x.memo.check(x, x.signature(enabled))
	pick, ok := x.strategy.Pick(s)
	if !ok {
		x.over, x.pruned = true, true
		return
	}
	if !schedule.Has(s.Live, pick) {
		x.fail(fmt.Errorf("schedule: at step %[2]d it runs thread %[1]d, which does not exist or has ended",
			pick, s.Depth))
		return
	}
	x.execution.Schedule = append(x.execution.Schedule, int32(pick))
	x.memo.decided(int32(pick))
	bit := uint64(1) << uint(pick)
	if (enabled|x.spinning())&bit == 0 {
		x.over = true
		x.stuck(bit)
		return
	}
	for w := x.waiting; w != 0; w &= w - 1 {
		x.waits[schedule.Lowest(w)] &^= bit
	}
	x.waiting &^= bit
	if s.Prev >= 0 && pick != s.Prev {
		switched(s.Prev, pick)
	}
	s.Prev = pick
	x.chosen = pick
}

// switched is called where one thread goes on in place of another: debuggers stop here, with the
// thread that is left above it on the stack.
//
//go:noinline
func switched(from, to int) { runtime.KeepAlive(from + to) }

// enabled returns the threads that are not blocked.
func (x *Exec) enabled() uint64 {
	enabled := x.state.Live &^ x.gated
	gated := x.gated & x.state.Live
	if gated == 0 {
		return enabled
	}
	x.phase = asking
	for ; gated != 0; gated &= gated - 1 {
		if t := schedule.Lowest(gated); x.open(t) {
			enabled |= 1 << uint(t)
		}
	}
	x.phase = running
	return enabled
}

// open reports whether the gate of a blocked thread is open. A predicate that panics ends the
// execution.
func (x *Exec) open(thread int) bool {
	defer func() {
		if v := recover(); v != nil {
			x.panicked(v, userStack())
		}
	}()
	return x.gates[thread].Open()
}

// fair returns the enabled threads that yielded and must let others go first. Each waits until
// every thread that can run has run, also if that is blocked for a while in between: otherwise two
// that poll under a lock keep a third one out.
func (x *Exec) fair(enabled uint64) (held uint64) {
	for w := x.waiting; w != 0; w &= w - 1 {
		t := schedule.Lowest(w)
		x.waits[t] &= x.state.Live
		if x.waits[t] == 0 {
			x.waiting &^= 1 << uint(t)
		} else if x.waits[t]&enabled != 0 {
			held |= 1 << uint(t)
		}
	}
	held &= enabled
	if held == enabled { // they wait for each other
		return 0
	}
	return held
}

// tick counts a step and reports whether the execution goes on.
func (x *Exec) tick() bool {
	steps := len(x.accesses)
	if steps >= x.options.MaxSteps || x.idle > maxIdle || x.crowded {
		x.over, x.abrupt = true, true
		x.execution.Outcome = CutOff
		return false
	}
	if steps&255 == 255 && !x.runner.deadline.IsZero() && time.Now().After(x.runner.deadline) {
		x.over = true
		x.execution.Outcome = TimedOut
		return false
	}
	return true
}

// stuck ends the execution with the threads of set blocked: the operations whose first accesses are
// blocked count as called.
func (x *Exec) stuck(set uint64) {
	x.execution.Outcome = Stuck
	x.blocked = set
	for ; set != 0; set &= set - 1 {
		t := x.threads[schedule.Lowest(set)]
		if t.inside && t.first {
			t.called()
		}
		if x.options.Trace {
			t.event.Op = int(t.op)
			x.execution.Waiting = append(x.execution.Waiting, t.event)
		}
	}
}

// fail ends the Run with an error.
func (x *Exec) fail(err error) {
	if x.failure == nil {
		x.failure = err
	}
	x.over, x.pruned = true, true
}

// signature is what a deterministic program repeats whenever it runs with the same decisions.
func (x *Exec) signature(enabled uint64) uint64 {
	h := enabled*0x9e3779b97f4a7c15 ^ x.state.Live
	for i := range x.state.Pending {
		a := &x.state.Pending[i]
		h = (h ^ uint64(uint32(a.Loc))<<8 ^ uint64(uint32(a.Loc2))<<32 ^ uint64(a.Kind)) * 0xff51afd7ed558ccd
	}
	return h &^ 1
}

// memo compares an execution with the last one as long as both made the same decisions.
type memo struct {
	seen      []uint64 // signature at each decision of the last execution
	decisions []int32
	same      bool
	at        int
}

func (m *memo) begin() { m.same, m.at = true, 0 }

func (m *memo) check(x *Exec, signature uint64) {
	if m.same && m.at < len(m.seen) {
		if m.seen[m.at] != signature {
			x.fail(&Nondeterministic{Schedule: append(Schedule(nil), x.execution.Schedule...)})
		}
		return
	}
	m.same = false
	m.seen = append(m.seen[:m.at], signature)
	m.decisions = m.decisions[:m.at]
}

func (m *memo) decided(d int32) {
	if m.same && m.at < len(m.decisions) {
		if m.decisions[m.at] != d {
			m.same = false
			m.seen = m.seen[:m.at+1]
			m.decisions = m.decisions[:m.at]
		}
	}
	if !m.same {
		m.decisions = append(m.decisions[:m.at], d)
	}
	m.at++
}

// Nondeterministic is the error of a program that behaves differently when it runs with the same
// decisions.
type Nondeterministic struct {
	Schedule Schedule // the decisions up to where it differed
	What     string   // what differed, or ""
}

func (e *Nondeterministic) Error() string {
	what := e.What
	if what == "" {
		what = "the next accesses of the threads, or which of them are blocked,"
	}
	return fmt.Sprintf(
		"nondeterministic program: after the schedule %q %s differ from the run before (a clock, random numbers, the "+
			"order of a map, state kept between executions?)", e.Schedule, what)
}

package explore

import "github.com/linsat/linsat/internal/schedule"

// Strategy chooses the schedules of one Run; the functions below return one.
type Strategy = schedule.Public

// Schedule is every decision of an execution in order: a thread that was picked as its number, the
// data choice v as -1-v. Its text is one base-36 digit per thread picked, a colon and one digit per
// data choice; numbers beyond 35 stand in parentheses.
type Schedule = schedule.Schedule

// ParseSchedule reads the text of a schedule. Spaces and underscores are skipped.
func ParseSchedule(text string) (Schedule, error) { return schedule.Parse(text) }

// Exhaustive runs every schedule, depth first: the thread that ran goes on first, then the others
// in order.
func Exhaustive() Strategy { return schedule.Exhaustive() }

// DPOR explores one execution, or few, of each class of executions: those with the same results of
// all operations and the same interval order between them (dynamic partial-order reduction).
func DPOR() Strategy { return schedule.DPOR() }

// Bounded runs every schedule with at most so many preemptions: switches away from a thread that
// could have gone on. Switches away from a thread that ended, is blocked or yielded are free.
func Bounded(preemptions int) Strategy { return schedule.Bounded(preemptions) }

// PCT runs a number of schedules by random priorities: the thread with the highest priority runs,
// and at depth-1 random steps the running thread gets the lowest priority so far. A bug that takes
// depth ordered steps shows in one run with a probability of at least 1/(n·k^(depth-1)) for n
// threads and k steps.
func PCT(seed uint64, depth, runs int) Strategy { return schedule.PCT(seed, depth, runs) }

// Random runs a number of schedules in which each access is made by any of the enabled threads, all
// with equal probability.
func Random(seed uint64, runs int) Strategy { return schedule.Random(seed, runs) }

// Replay runs one execution by a schedule that an earlier run printed. Where the schedule ends
// before the execution does, the thread that ran continues, then the lowest. A schedule that does
// not fit the program is an error of Run.
func Replay(s Schedule) Strategy { return schedule.Replay(s) }

// Outcome is how an execution ended.
type Outcome = schedule.Outcome

// The outcomes. Stuck: every thread that has not ended is blocked (or the strategy picked a blocked
// one). CutOff: a bound on steps was reached, of the execution or of an operation. Panicked: a
// thread panicked, or called runtime.Goexit. TimedOut: the time of the Run ran out.
const (
	Completed = schedule.Completed
	Stuck     = schedule.Stuck
	CutOff    = schedule.CutOff
	Panicked  = schedule.Panicked
	TimedOut  = schedule.TimedOut
)

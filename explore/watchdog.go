package explore

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat/internal/schedule"
)

// Hang is the error of a Run in which one execution made no access for Options.Hang: a thread
// computes for ever, or blocks on something outside package mem (a channel, a mutex of package
// sync, a read).
type Hang struct {
	After    time.Duration
	Schedule Schedule // up to the access after which it happened
	Thread   int      // whose code hangs; -1 for the program itself
	Stack    string   // of the goroutine that hangs
}

func (e *Hang) Error() string {
	who := fmt.Sprintf("thread %d", e.Thread)
	if e.Thread == schedule.Main {
		who = "the program"
	}
	return fmt.Sprintf(
		"%s made no access for %s after the schedule %q: it computes for ever, or blocks on something that is not of "+
			"package mem\n%s", who, e.After, e.Schedule, e.Stack)
}

// beats shows the watchdog that the execution continues, and what it did. A thread that returns
// after the watchdog has given up on it ends here.
func (r *runner) beats() {
	if r.beat.Add(1) < 0 {
		runtime.Goexit()
	}
}

// hang returns an error that says what hangs, and ends the other threads. The watchdog has claimed
// the run: the driver does not continue even if the hanging thread returns.
func (r *runner) hang() error {
	x := &r.x
	hung := x.current
	err := &Hang{After: x.options.Hang, Schedule: slices.Clone(x.execution.Schedule), Thread: hung.id,
		Stack: r.stackOf(hung)}
	x.phase = aborting
	for _, t := range x.pool {
		if t != hung && t.stop != nil {
			x.current = t
			t.stop()
		}
	}
	x.current = hung
	return err
}

// stackOf returns the stack of the goroutine that runs the code of a thread, or of the program.
// Stacks show the arguments of functions, which distinguish it from other threads and other Runs;
// if they do not, all candidates are returned.
func (r *runner) stackOf(t *Thread) string {
	mine := fmt.Sprintf("(*Thread).loop(%p", t)
	if t.id == schedule.Main {
		mine = fmt.Sprintf("(*runner).drive(%p", r)
	}
	b := make([]byte, 1<<20)
	b = b[:runtime.Stack(b, true)]
	var found []string
	for i, g := range strings.Split(string(b), "\n\n") {
		state, _, _ := strings.Cut(g, "\n")
		switch {
		case i == 0 || strings.Contains(state, "[coroutine"):
			// This goroutine, and those that wait for their turn.
		case strings.Contains(g, mine):
			return g
		case strings.Contains(g, here+".(*runner).drive") || strings.Contains(g, here+".(*Thread).loop"):
			found = append(found, g)
		}
	}
	return strings.Join(found, "\n\n")
}

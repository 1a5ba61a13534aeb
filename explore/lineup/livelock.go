package lineup

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
)

// What: which executions that reach the bound on steps are stuck.
//
// Source: the paper counts a loop that diverges as stuck (section 2.3), and relies on a fair
// scheduler (section 4). That an execution is long proves nothing, so three things are asked of its
// second half. No operation begins or returns in it. It is fair: every thread that could go on all
// the time does. And it repeats: the same accesses, with the same values, lines and threads, again
// and again. Values of pointers are compared by identity, so a loop that allocates is not seen to
// repeat, and its execution stays undecided.
//
// Invariant: a thread that reads the same values and is at the same lines does the same again,
// unless its local variables differ; a loop that only counts, longer than the bound on steps, would
// be taken for a livelock. Cost: one traced execution for each class of those that are cut off, and
// time linear in its length.

// fair reports whether every thread that could go on all through the second half of an execution
// ran in it.
func fair(f *schedule.Finished) bool {
	starved := f.Live
	for _, a := range f.Accesses[len(f.Accesses)/2:] {
		starved &= a.Enabled &^ (1 << uint(a.Thread))
	}
	return starved == 0
}

// repeats reports whether the second half of an execution that was cut off is a loop without
// progress.
func repeats(c *explore.Case, e *explore.Execution, o Options) (bool, error) {
	again, err := c.Replay(e.Schedule, explore.Options{MaxSteps: o.MaxSteps, Trace: true})
	if err != nil {
		return false, err
	}
	var half []explore.Event
	for _, v := range again.Events {
		if v.Thread != schedule.Main {
			half = append(half, v)
		}
	}
	half = half[len(half)/2:]
	for i := range half {
		if a := schedule.Inside(&half[i].Access); a.First || a.Last {
			return false, nil
		}
	}
	p := schedule.Period(len(half), func(i, j int) bool { return sameEvent(&half[i], &half[j]) })
	return p > 0 && len(half) >= leastRounds*p, nil
}

func sameEvent(a, b *explore.Event) bool {
	x, y := schedule.Inside(&a.Access), schedule.Inside(&b.Access)
	return a.Thread == b.Thread && a.Op == b.Op && x.Loc == y.Loc && x.Loc2 == y.Loc2 && x.Kind == y.Kind &&
		x.Failed == y.Failed &&
		a.Before == b.Before && a.After == b.After && a.Line == b.Line && a.File == b.File
}

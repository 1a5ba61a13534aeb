package explore

import "github.com/linsat/linsat/internal/schedule"

// pass has time pass if something waits for it, and reports whether that lets threads go on. No
// thread can go on but those that have yielded since it passed last. Once all threads that have to
// end have, it passes leastRounds times at most; and mostPasses times while none of them does
// anything, if nothing has waited for a moment since: then the execution is cut off.
func (x *Exec) pass(enabled uint64) bool {
	live := x.state.Live
	late := live&^x.own == 0
	enough := x.passes >= mostPasses && !x.time.Awaits(mostPasses) || late && x.passes >= leastRounds
	passes := x.time.Pass(len(x.accesses), (enabled|x.spins)&live != 0, enough)
	sleeping := enabled != 0 && x.time.Sleeping(enabled)
	x.polled = 0
	if passes || late && sleeping {
		x.passes++
	}
	switch {
	case !late && x.time.Cut:
		x.over, x.abrupt = true, true
		x.execution.Outcome = CutOff
	case late && enough && sleeping:
		x.over, x.blocked = true, live
	}
	return passes
}

// since is the bound of accesses that wait for a time.
func since(g schedule.Timed) int32 { return int32(g.Since()) }

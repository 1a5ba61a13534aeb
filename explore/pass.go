package explore

import "github.com/linsat/linsat/internal/schedule"

// pass has time pass if something waits for it, and reports whether that lets threads go on. No
// thread can go on but those that have yielded since it passed last. Once all threads that have to
// end have, it passes leastRounds times at most; and mostPasses times while none of them does
// anything: then the execution is cut off.
func (x *Exec) pass(enabled uint64) bool {
	live := x.state.Live
	late := live&^x.own == 0
	enough := x.passes >= mostPasses || late && x.passes >= leastRounds
	passes := x.time.Pass(len(x.accesses), (enabled|x.spins)&live != 0, enough)
	x.polled = 0
	if passes {
		x.passes++
	}
	if x.time.Cut && !late {
		x.over, x.abrupt = true, true
		x.execution.Outcome = CutOff
	}
	return passes
}

// since is the bound of accesses that wait for a time.
func since(g schedule.Timed) int32 { return int32(g.Since()) }

package mem

import "github.com/linsat/linsat/internal/schedule"

// shared is a Memory as the packages below explore/shim see it.
type shared struct{ m *Memory }

func init() {
	schedule.NewShared = func(m any) schedule.Shared { return shared{m.(*Memory)} }
}

func (s shared) Location(name string) int32 { return s.m.location(name) }

func (s shared) Point(k schedule.Kind, loc, loc2 int32, gate schedule.Gate) bool {
	return s.m.point(k, loc, loc2, gate)
}

func (s shared) Tracing() bool    { return s.m.tracing }
func (s shared) Failed()          { s.m.failed() }
func (s shared) Choose(n int) int { return s.m.Choose(n) }
func (s shared) Yield()           { s.m.Yield() }
func (s shared) Spin()            { s.m.Spin() }
func (s shared) Rounds()          { s.m.sched.Rounds() }
func (s shared) Nap() func() bool { return s.m.sched.Nap() }
func (s shared) Crowded()         { s.m.sched.Crowded() }
func (s shared) Thread() int      { return s.m.sched.Thread() }

func (s shared) Clock() *schedule.Clock { return s.m.sched.Clock() }

func (s shared) Traced(before, after any) {
	if s.m.tracing {
		s.m.traced(before, after)
	}
}

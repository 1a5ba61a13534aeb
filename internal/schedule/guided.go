package schedule

// Guided runs one execution by a schedule of a similar program: decisions that do not fit are left
// out, and where it ends, execution goes on as in Replay.
func Guided(s Schedule) Strategy { return &guided{replay{schedule: s}} }

type guided struct{ replay }

func (g *guided) Pick(s *State) (int, bool) {
	for g.at < len(g.schedule) {
		g.at++
		if d := g.schedule[g.at-1]; d >= 0 && Has(s.Enabled, int(d)) {
			return int(d), true
		}
	}
	return g.replay.Pick(s)
}

func (g *guided) Choose(n int) int {
	if g.at == len(g.schedule) || g.schedule[g.at] >= 0 || int(-1-g.schedule[g.at]) >= n {
		return 0
	}
	return g.replay.Choose(n)
}

// Hasty is a strategy whose violations are taken as they are found, like those of Replay.
func Hasty(s Strategy) Strategy { return hasty{s} }

type hasty struct{ Strategy }

// Without returns what is left of a schedule without some accesses, and the choices that follow
// each of them.
func Without(s Schedule, drop func(access int) bool) (rest Schedule) {
	access, dropped := 0, false
	for _, d := range s {
		if d >= 0 {
			dropped = drop(access)
			access++
		}
		if !dropped {
			rest = append(rest, d)
		}
	}
	return rest
}

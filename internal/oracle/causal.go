package oracle

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Causal consistency of any object [Bouajjani, Enea, Guerraoui, Hamza, POPL 2017, section 3], said
// as runs: operations that take effect happen one after the other, those of a process in its order.
// When one happens, some that happened before are its causes, with all causes of these, and those
// of its own process are among them. Its causes, in an order in which each stands behind its own
// causes, and the operation behind them are allowed by the specification; which results count
// there, and whether the order is that of the run, depends on the question.

// Causality is such a question.
type Causality struct {
	OwnResults bool // the results of all operations of the process count (CM), not of one only
	RunOrder   bool // the order is that in which operations happened (CCv)
}

// Causal reports whether operations of a partition have such a run.
func (c Causality) Causal(s model.Spec, p *model.Partition) (bool, error) {
	n := len(p.Ops)
	machines := make([]model.Machine, n)
	for i := range n {
		q := *p
		q.Ops, q.Edges = slices.Clone(p.Ops), nil
		for j := range q.Ops {
			if o := &q.Ops[j]; i != j && !(c.OwnResults && o.Process == p.Ops[i].Process) {
				o.Result, o.Unknown, o.NoResult = history.Nil, true, false
			}
		}
		b, err := s.Bind(&q)
		if err != nil {
			return false, err
		}
		machines[i] = b.NewMachine()
	}
	allowed := func(order []int) bool {
		op := order[len(order)-1]
		states := []model.State{machines[op].Init()}
		for _, i := range order {
			states = advance(machines[op], states, history.OpID(i))
		}
		return len(states) > 0
	}
	causes := make([]uint64, n) // of those that happened
	// behind reports whether each stands behind its causes.
	behind := func(order []int) bool {
		done := uint64(0)
		for _, i := range order {
			if causes[i]&^done != 0 {
				return false
			}
			done |= 1 << i
		}
		return true
	}
	happens := func(op int, run []int) bool {
		if c.RunOrder {
			return allowed(append(slices.Clone(run), op))
		}
		return permuted(slices.Clone(run), func(order []int) bool {
			return behind(order) && allowed(append(slices.Clone(order), op))
		})
	}
	var try func(run []int) bool
	try = func(run []int) bool {
		complete := true
		for op := range n {
			if slices.Contains(run, op) {
				continue
			}
			complete = complete && p.Ops[op].Pending()
			own, waits := uint64(0), false
			for i := range op {
				if p.Ops[i].Process == p.Ops[op].Process {
					own |= 1 << i
					waits = waits || !slices.Contains(run, i)
				}
			}
			for set := range uint64(1) << len(run) {
				if waits {
					break
				}
				var some []int
				past := uint64(0)
				for k, i := range run {
					if set>>k&1 == 1 {
						some = append(some, i)
						past |= 1 << i
					}
				}
				closed := own&^past == 0
				for _, i := range some {
					closed = closed && causes[i]&^past == 0
				}
				if !closed || !happens(op, some) {
					continue
				}
				if causes[op] = past; try(append(run[:len(run):len(run)], op)) {
					return true
				}
			}
		}
		return complete
	}
	return try(nil), nil
}

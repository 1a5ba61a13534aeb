package specs

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// k-stuttering [Henzinger et al., POPL'13, §4]: a step that would change the state may be taken
// without the change, and costs 1; no state survives more than k such steps. A step that is allowed
// and leaves the state alone by itself (a read) costs nothing and does not end a run of costly
// ones: what counts is that nothing changed in between. So a read-only operation stays read-only,
// and one that only sometimes changes the state (a write that finds its own value) does not reset
// the count.
//
// States are pairs of a state and the number of changes left out in it. A step costs what it costs
// without stuttering.

// stutter is a state, and how many changes were left out since it was reached.
type stutter struct {
	state model.State
	left  int32
}

// stutterMachine executes any machine, leaving out changes.
type stutterMachine struct {
	*model.ComparableMachine[stutter]
	strict model.Machine
}

func (m *stutterMachine) Bytes() int64 { return m.ComparableMachine.Bytes() + m.strict.Bytes() }

func newStutterMachine(strict model.Machine, k int) *stutterMachine {
	var next []model.State
	step := func(s stutter, op history.OpID, dst []stutter) []stutter {
		next = strict.Step(s.state, op, next[:0])
		changes := false
		for _, t := range next {
			if t == s.state {
				dst = append(dst, s)
				continue
			}
			dst = append(dst, stutter{t, 0})
			changes = true
		}
		if changes && int(s.left) < k {
			dst = append(dst, stutter{s.state, s.left + 1})
		}
		return dst
	}
	describe := func(s stutter) string { return strict.Describe(s.state) + leftOut(s.left) }
	return &stutterMachine{model.NewComparable(stutter{state: strict.Init()}, step, describe,
		nil).(*model.ComparableMachine[stutter]), strict}
}

// leftOut is the remark on changes left out that follows the description of a state.
func leftOut(n int32) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " (1 change left out)"
	}
	return fmt.Sprintf(" (%d changes left out)", n)
}

// bindStuttering binds a partition that holds one object of any specification.
func (r *relaxed) bindStuttering(p *model.Partition) (*model.Instance, error) {
	strict, err := r.strict.Bind(p)
	if err != nil {
		return nil, err
	}
	b := &model.Instance{Spec: r, Partition: p, ReadOnly: strict.ReadOnly, EquivID: strict.EquivID,
		NewMachine: func() model.Machine { return newStutterMachine(strict.NewMachine(), r.by.Stuttering) },
		NewJudge:   func() model.Machine { return newStutterMachine(strict.Judge(), r.by.Stuttering) }}
	if strict.Refusal != nil {
		b.Refusal = func(m model.Machine, s model.State, op history.OpID) string {
			q := m.(*stutterMachine)
			return strict.Refusal(q.strict, q.States[s].state, op)
		}
	}
	return b, nil
}

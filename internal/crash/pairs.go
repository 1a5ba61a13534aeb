package crash

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// buffered is a specification whose states are pairs: the object, and what of it is stored.
type buffered struct {
	strict model.Spec
	info   model.Info
}

// infoOf describes pairs of s. Nothing splits them: a crash concerns all objects.
func infoOf(s model.Spec) model.Info {
	info := s.Info()
	info.Name += " buffered"
	info.Summary += ", of which a crash leaves what is stored"
	info.Classes, info.Drain, info.Example, info.Piece, info.KeyIsPiece = nil, "", "", "", true
	info.Operations = append(info.Operations[:len(info.Operations):len(info.Operations)],
		model.Operation{Name: persists}, model.Operation{Name: crashes})
	return info
}

func (b *buffered) Info() model.Info { return b.info }

// Fresh implements model.Remembering.
func (b *buffered) Fresh(memory int64) model.Spec {
	return &buffered{strict: model.Fresh(b.strict, memory), info: b.info}
}

func (b *buffered) Footprint(_ *history.History, _ history.OpID, dst []history.Value) []history.Value {
	return append(dst, model.Everything)
}

// Bind binds the operations on the object to its specification.
func (b *buffered) Bind(p *model.Partition) (*model.Instance, error) {
	kinds, inner := make([]history.OpID, len(p.Ops)), []history.OpID{}
	for i := range p.Ops {
		switch f, _ := p.History.Values.AsString(p.Ops[i].F); f {
		case persists:
			kinds[i] = persistID
		case crashes:
			kinds[i] = crashID
		default:
			kinds[i] = history.OpID(len(inner))
			inner = append(inner, history.OpID(i))
		}
	}
	strict, err := b.strict.Bind(p.Select(inner, p.Name))
	if err != nil {
		return nil, err
	}
	x := &model.Instance{Spec: b, Partition: p, ReadOnly: make([]bool, len(p.Ops)), EquivID: make([]int32, len(p.Ops)),
		NewMachine: func() model.Machine { return newPairs(strict.NewMachine(), kinds) },
		NewJudge:   func() model.Machine { return newPairs(strict.Judge(), kinds) }}
	for i, k := range kinds {
		if k >= 0 {
			x.ReadOnly[i], x.EquivID[i] = strict.ReadOnly[k], strict.EquivID[k]+2
		} else {
			x.EquivID[i] = int32(k - crashID)
		}
	}
	if strict.Refusal != nil {
		x.Refusal = func(m model.Machine, s model.State, op history.OpID) string {
			if q := m.(*pairs); kinds[op] >= 0 {
				return strict.Refusal(q.strict, q.States[s].object, kinds[op])
			}
			return ""
		}
	}
	return x, nil
}

// In place of positions among the operations on the object.
const (
	crashID   history.OpID = -2
	persistID history.OpID = -1
)

// pair is a state of the object and what of it is stored.
type pair struct{ object, stored model.State }

// pairs executes a machine and remembers what is stored.
type pairs struct {
	*model.ComparableMachine[pair]
	strict model.Machine
}

func (m *pairs) Bytes() int64 { return m.ComparableMachine.Bytes() + m.strict.Bytes() }

func newPairs(strict model.Machine, kinds []history.OpID) *pairs {
	var next []model.State
	step := func(s pair, op history.OpID, dst []pair) []pair {
		switch k := kinds[op]; k {
		case persistID:
			return append(dst, pair{s.object, s.object})
		case crashID:
			return append(dst, pair{s.stored, s.stored})
		default:
			next = strict.Step(s.object, k, next[:0])
			for _, t := range next {
				dst = append(dst, pair{t, s.stored})
			}
			return dst
		}
	}
	describe := func(s pair) string {
		if s.object == s.stored {
			return strict.Describe(s.object)
		}
		return strict.Describe(s.object) + " (stored: " + strict.Describe(s.stored) + ")"
	}
	init := strict.Init()
	return &pairs{model.NewComparable(pair{init, init}, step, describe, nil).(*model.ComparableMachine[pair]), strict}
}

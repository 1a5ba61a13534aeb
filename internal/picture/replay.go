package picture

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
)

// Order is a sequence of operations that the drawings can number.
type Order struct {
	Name  string // "linearization", "ρ′", "ρ″", "longest prefix"
	Title string // what it is, one line
	Steps []Place
}

// Place is one step of an order.
type Place struct {
	Op    history.OpID // position in History.Ops, -1 for a drain
	Label string       // of a drain
	State string       // of the object that the operation is on, after it; "" if not replayed
	// Moved is by how many places of its class the operation stands later in ρ″ than in ρ′.
	Moved int32
}

// orders collects the sequences that belong to a result.
func orders(h *history.History, r *result.Result) []Order {
	switch {
	case r.Rearranged != nil:
		return rearrangement(h, r)
	case r.Verdict == engine.Linearizable && r.Quasi == nil:
		o := Order{Name: "linearization", Title: "an order that the specification accepts",
			Steps: steps(r.Witness, nil, len(h.Ops))}
		replayParts(model.Split(r.Spec, h, model.ByKey), r.Spec, r.Witness, o.Steps)
		return []Order{o}
	case r.Failure != nil && r.Failure.Longest != nil && r.Partition != nil:
		f := r.Failure
		o := Order{Name: "longest prefix", Title: "what still works just before the return that does not fit",
			Steps: make([]Place, len(f.Longest))}
		for k, i := range f.Longest {
			o.Steps[k].Op = r.Partition.Global(i)
		}
		if b, err := r.Spec.Bind(r.Partition.Prefix(f.Cut - 1)); err == nil {
			replay(b, f.Longest, o.Steps)
		}
		return []Order{o}
	}
	return nil
}

// rearrangement returns ρ′ and ρ″, with how far every operation moves.
func rearrangement(h *history.History, r *result.Result) []Order {
	whole := model.Whole(h)
	if r.Drains > 0 {
		whole = whole.Drained(r.Drains)
	}
	first := Order{Name: "ρ′", Title: "a linearization, which need not be accepted as it stands",
		Steps: steps(r.Witness, whole, len(h.Ops))}
	second := Order{Name: "ρ″", Title: "the accepted sequence, every operation at most its bound from its place in ρ′",
		Steps: steps(r.Rearranged, whole, len(h.Ops))}
	b, err := r.Spec.Bind(whole)
	if err != nil {
		return []Order{first, second}
	}
	replay(b, r.Rearranged, second.Steps)
	ranks := func(order []history.OpID) map[history.OpID]int32 {
		next := map[model.ClassID]int32{}
		rank := make(map[history.OpID]int32, len(order))
		for _, i := range order {
			class := model.NoClass
			if b.Class != nil {
				class = b.Class[i]
			}
			rank[i] = next[class]
			next[class]++
		}
		return rank
	}
	up, down := ranks(r.Witness), ranks(r.Rearranged)
	for k, i := range r.Witness {
		first.Steps[k].Moved = down[i] - up[i]
	}
	for k, i := range r.Rearranged {
		second.Steps[k].Moved = down[i] - up[i]
	}
	return []Order{first, second}
}

// steps turns positions into places; positions from n on are drains of p.
func steps(order []history.OpID, p *model.Partition, n int) []Place {
	out := make([]Place, len(order))
	for k, i := range order {
		if int(i) < n {
			out[k].Op = i
			continue
		}
		out[k] = Place{Op: -1, Label: p.ID(i)}
	}
	return out
}

// replayParts fills in the states of an order over several partitions: every step shows the state
// of its own partition.
func replayParts(parts []*model.Partition, s model.Spec, order []history.OpID, out []Place) {
	part := make(map[history.OpID]int, len(order))
	local := make(map[history.OpID]history.OpID, len(order))
	for k, p := range parts {
		for i := range p.Ops {
			g := p.Global(history.OpID(i))
			part[g], local[g] = k, history.OpID(i)
		}
	}
	own := make([][]history.OpID, len(parts))
	where := make([][]int, len(parts))
	for k, g := range order {
		own[part[g]] = append(own[part[g]], local[g])
		where[part[g]] = append(where[part[g]], k)
	}
	for k, p := range parts {
		b, err := s.Bind(p)
		if err != nil {
			continue
		}
		states := make([]Place, len(own[k]))
		replay(b, own[k], states)
		for j, at := range where[k] {
			if states[j].State != "" && p.Name != "" {
				out[at].State = escape.Text(p.Name) + ": "
			}
			out[at].State += states[j].State
		}
	}
}

// replay fills in the state after every step of an order that b accepts. If the specification is
// nondeterministic, the states are those of one run. An order that b does not accept gets none.
func replay(b *model.Instance, order []history.OpID, out []Place) {
	m := b.NewMachine()
	reached := make([][]model.State, 1, len(order)+1)
	reached[0] = []model.State{m.Init()}
	from := make([][]int32, 1, len(order)+1) // of every state, the one before it
	for _, i := range order {
		var next []model.State
		var parent []int32
		seen := map[model.State]bool{}
		for j, s := range reached[len(reached)-1] {
			for _, t := range m.Step(s, i, nil) {
				if !seen[t] && len(next) < stateChoice {
					seen[t] = true
					next, parent = append(next, t), append(parent, int32(j))
				}
			}
		}
		if len(next) == 0 {
			return
		}
		reached, from = append(reached, next), append(from, parent)
	}
	run := make([]model.State, len(order))
	at := int32(0)
	for k := len(order); k > 0; k-- {
		run[k-1] = reached[k][at]
		at = from[k][at]
	}
	left := stateBytes
	for k := range order {
		text := elided(escape.Text(m.Describe(run[k])))
		if left -= len(text); left < 0 {
			return
		}
		out[k].State = text
	}
}

// elided replaces the middle of a long text by an ellipsis.
func elided(s string) string {
	r := []rune(s)
	if len(r) <= stateLength {
		return s
	}
	return string(r[:stateLength/2]) + " … " + string(r[len(r)-stateLength/2:])
}

package randomspec

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Spec is a random specification: states 0..states-1, kinds of operations k0, k1 …, and for
// each of both the states that may result. An operation of kind k whose result is unknown acts as
// kind k or k+1.
type Spec struct {
	States, Kinds int
	Next          [][][]model.State // kind, state → states
	Distinct      bool              // every operation has an EquivID of its own
}

// New draws one: kinds are like reads, writes, cas, anything deterministic, or
// nondeterministic.
func New(rng *rand.Rand, deterministic bool) *Spec {
	t := &Spec{States: 2 + rng.IntN(4), Kinds: 2 + rng.IntN(6), Distinct: rng.IntN(4) == 0}
	for range t.Kinds {
		rows := make([][]model.State, t.States)
		any := func() model.State { return model.State(rng.IntN(t.States)) }
		a, b := any(), any()
		shape := rng.IntN(6)
		for s := range rows {
			switch {
			case shape == 0: // read
				if model.State(s) == a {
					rows[s] = []model.State{a}
				}
			case shape == 1: // write
				rows[s] = []model.State{a}
			case shape == 2: // cas
				if model.State(s) == a {
					rows[s] = []model.State{b}
				}
			case shape == 3: // increment
				rows[s] = []model.State{model.State((s + 1 + int(a)) % t.States)}
			case shape == 4 || deterministic:
				if rng.IntN(2) == 0 {
					rows[s] = []model.State{any()}
				}
			default:
				for n := range t.States {
					if rng.IntN(3) == 0 {
						rows[s] = append(rows[s], model.State(n))
					}
				}
			}
		}
		t.Next = append(t.Next, rows)
	}
	return t
}

// Info names the specification.
func (t *Spec) Info() model.Info { return model.Info{Name: "table"} }

// Footprint is everything: such a specification has one object.
func (t *Spec) Footprint(_ *history.History, _ history.OpID, dst []history.Value) []history.Value {
	return append(dst, model.Everything)
}

// results lists the states that an operation of a kind leaves.
func (t *Spec) results(kind int, unknown bool, s model.State) []model.State {
	out := append([]model.State(nil), t.Next[kind][s]...)
	if !unknown {
		return out
	}
	for _, n := range t.Next[(kind+1)%t.Kinds][s] {
		known := false
		for _, o := range out {
			known = known || o == n
		}
		if !known {
			out = append(out, n)
		}
	}
	return out
}

// Bind reads operations k0, k1 ….
func (t *Spec) Bind(p *model.Partition) (*model.Instance, error) {
	b := &model.Instance{Spec: t, Partition: p, ReadOnly: make([]bool, p.Len()), EquivID: make([]int32, p.Len())}
	kinds := make([]int, p.Len())
	for i := range p.Ops {
		name, _ := p.History.Values.AsString(p.Ops[i].F)
		if _, err := fmt.Sscanf(name, "k%d", &kinds[i]); err != nil {
			return nil, p.Error(history.OpID(i), "no operation of this specification", "")
		}
		b.ReadOnly[i] = true
		for s := range t.States {
			for _, n := range t.results(kinds[i], p.Ops[i].Unknown, model.State(s)) {
				b.ReadOnly[i] = b.ReadOnly[i] && n == model.State(s)
			}
		}
		b.EquivID[i] = int32(kinds[i])
		if p.Ops[i].Unknown {
			b.EquivID[i] += int32(t.Kinds)
		}
		if t.Distinct {
			b.EquivID[i] = int32(i)
		}
	}
	b.NewMachine = func() model.Machine { return &tableMachine{t, p, kinds} }
	b.Refusal = func(m model.Machine, s model.State, op history.OpID) string {
		return fmt.Sprintf("k%d is not allowed in %s", kinds[op], m.Describe(s))
	}
	return b, nil
}

type tableMachine struct {
	t     *Spec
	p     *model.Partition
	kinds []int
}

func (m *tableMachine) Init() model.State { return 0 }

func (m *tableMachine) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	return append(dst, m.t.results(m.kinds[op], m.p.Ops[op].Unknown, s)...)
}

func (m *tableMachine) Describe(s model.State) string { return fmt.Sprintf("state %d", s) }
func (m *tableMachine) Bytes() int64                  { return 0 }

// History draws a history of that specification, with ties, pending operations, completed ones
// with unknown results, and up to so many explicit edges.
func History(rng *rand.Rand, t *Spec, n, edges int) *history.History {
	span, pending := 2+rng.IntN(2*n), rng.IntN(7)
	for {
		b := history.NewBuilder()
		for i := range n {
			call := int64(rng.IntN(span))
			r := history.Record{Process: b.Process(fmt.Sprint(i)),
				F:   b.Values.String(fmt.Sprintf("k%d", rng.IntN(t.Kinds))),
				Key: history.NoKey, Call: call, Return: call + int64(rng.IntN(1+span/2))}
			if rng.IntN(10) < pending {
				r.Pending = true
			}
			if _, err := b.Add(r); err != nil {
				panic(err)
			}
		}
		for range rng.IntN(edges + 1) {
			if u, v := rng.IntN(n), rng.IntN(n); u != v {
				if err := b.Edge(u, v, 0); err != nil {
					panic(err)
				}
			}
		}
		h, err := b.Finish()
		if err != nil {
			continue // the edges were cyclic
		}
		return h
	}
}

// Forget makes results of completed operations unknown, at random.
func Forget(rng *rand.Rand, p *model.Partition) *model.Partition {
	q := *p
	q.Ops = append([]history.Op(nil), p.Ops...)
	for i := range q.Ops {
		if rng.IntN(5) == 0 {
			q.Ops[i].Unknown, q.Ops[i].Result = true, history.Nil
		}
	}
	return &q
}

// Retimed gives the operations other times, at random, in the same order of calls: some last long,
// and a process may have several open.
func Retimed(rng *rand.Rand, p *model.Partition) *model.Partition {
	q := *p
	q.Ops = append([]history.Op(nil), p.Ops...)
	type event struct {
		at   float64
		rank *history.Rank
	}
	calls := make([]float64, len(q.Ops))
	for i := range calls {
		calls[i] = float64(len(calls)) * rng.Float64()
	}
	slices.Sort(calls)
	long := 1 + 4*rng.Float64()
	var events []event
	for i := range q.Ops {
		events = append(events, event{calls[i], &q.Ops[i].Call})
		if !q.Ops[i].Pending() {
			events = append(events, event{calls[i] + long*rng.Float64(), &q.Ops[i].Return})
		}
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	for k, e := range events {
		*e.rank = history.Rank(k + 1)
	}
	return &q
}

// Show prints a partition for a failed test.
func Show(p *model.Partition) string {
	var b strings.Builder
	v := p.History.Values
	for i, o := range p.Ops {
		f, _ := v.AsString(o.F)
		fmt.Fprintf(&b, "%d: %s(%s)", i, f, v.Format(o.Arg))
		if o.Unknown {
			b.WriteString("→?")
		} else {
			fmt.Fprintf(&b, "→%s", v.Format(o.Result))
		}
		if o.Pending() {
			fmt.Fprintf(&b, " [%d,∞)\n", o.Call)
		} else {
			fmt.Fprintf(&b, " [%d,%d]\n", o.Call, o.Return)
		}
	}
	fmt.Fprintf(&b, "edges %v", p.Edges)
	return b.String()
}

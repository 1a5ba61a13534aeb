package proof_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The law of axioms: legal sequences of up to 6 operations are made by executing the specification
// on all orders of small histories; a piece of each, with some facts forgotten, is a window;
// executing the theory, as its words say, on that piece tells which literals are true. Every
// instance of every axiom must be true then, and no family may accept that what is true contradicts
// itself.

// world says which literals are true in one linearization of a window.
type world struct {
	place map[history.OpID]int // in a total order of all operations of the window
	in    map[history.OpID]bool
	mode  map[history.OpID]history.OpID
	src   map[history.OpID]history.OpID
}

func (x *world) holds(l proof.Literal) bool {
	is := false
	switch l.Kind {
	case proof.OrderKind:
		a, b := l.Ends()
		return x.place[a] < x.place[b]
	case proof.SourceKind:
		s, ok := x.src[l.A]
		is = ok && s == l.B
	case proof.InKind:
		is = x.in[l.A]
	case proof.ModeKind:
		m, ok := x.mode[l.A]
		is = ok && m == l.B
	}
	return is != l.Not
}

// legalSequences yields linearizations of a partition: complete ones, pending operations at will.
func legalSequences(b *model.Instance, rng *rand.Rand, limit int, yield func(sequence []history.OpID)) {
	m := b.NewMachine()
	n := b.Partition.Len()
	done := make([]bool, n)
	var sequence []history.OpID
	var try func(s model.State)
	try = func(s model.State) {
		if limit <= 0 {
			return
		}
		complete := true
		for i := range n {
			complete = complete && (done[i] || b.Partition.Ops[i].Pending())
		}
		if complete {
			limit--
			yield(sequence)
		}
		for _, i := range rng.Perm(n) {
			free := !done[i]
			for j := range n {
				before := b.Partition.Precedes(history.OpID(j), history.OpID(i)) ||
					slices.Contains(b.Partition.Edges, history.Edge{Before: history.OpID(j), After: history.OpID(i)})
				after := slices.Contains(b.Partition.Edges, history.Edge{Before: history.OpID(i),
					After: history.OpID(j)})
				if before && !done[j] && !b.Partition.Ops[j].Pending() || after && done[j] {
					free = false
				}
			}
			if !free {
				continue
			}
			for _, next := range m.Step(s, history.OpID(i), nil) {
				done[i], sequence = true, append(sequence, history.OpID(i))
				try(next)
				done[i], sequence = false, sequence[:len(sequence)-1]
			}
		}
	}
	try(m.Init())
}

// window takes a piece out of a sequence: a weakening, and the operations that take effect in it.
func window(t *testing.T, b *model.Instance, rng *rand.Rand, sequence []history.OpID) (w *proof.Window,
	inside []history.OpID) {
	p := b.Partition
	c := proof.Everything()
	last := history.Rank(0)
	for _, o := range p.Ops {
		last = max(last, o.Call)
		if !o.Pending() {
			last = max(last, o.Return)
		}
	}
	from, to := 0, len(sequence)
	pick := func(low, high int) int { return low + rng.IntN(high-low+1) }
	if rng.IntN(3) == 0 {
		c.Cut = history.Rank(rng.Int32N(int32(last) + 1))
		low, high := 0, len(sequence)
		for k, i := range sequence {
			if p.Ops[i].Return <= c.Cut {
				low = k + 1
			}
			if p.Ops[i].Call > c.Cut {
				high = min(high, k)
			}
		}
		if low > high { // against explicit order
			c.Cut = history.Never
		} else {
			to = pick(low, high)
		}
	}
	if _, collection := b.Theory.(*model.CollectionTheory); !collection && rng.IntN(3) == 0 {
		c.From = history.Rank(rng.Int32N(int32(last) + 1))
		low, high := 0, to
		for k, i := range sequence {
			if p.Ops[i].Return < c.From {
				low = k + 1
			}
			if p.Ops[i].Call >= c.From {
				high = min(high, k)
			}
		}
		if low > high {
			c.From = 0
		} else {
			from = pick(low, high)
		}
	}
	if rng.IntN(3) == 0 {
		c.Retain = make([]proof.Retained, p.Len())
		for i := range c.Retain {
			c.Retain[i] = []proof.Retained{proof.RetainAll, proof.RetainAll, proof.RetainResponse,
				proof.RetainCall}[rng.IntN(4)]
		}
	}
	if k, ok := b.Theory.(*model.CollectionTheory); ok && rng.IntN(4) == 0 {
		if c.Retain == nil {
			c.Retain = make([]proof.Retained, p.Len())
		}
		v := rng.Int32N(int32(max(1, k.Values)))
		for i := range p.Ops {
			if k.Value[i] == v && k.Object[i] == k.Object[0] {
				c.Retain[i] = proof.RetainNothing
			}
		}
	}
	w, err := verify.Window(b, c)
	if err != nil {
		require.Contains(t, err.Error(), "left out")
		return nil, nil
	}
	whole := &world{src: map[history.OpID]history.OpID{}}
	if k, ok := b.Theory.(*model.CollectionTheory); ok {
		for tries := 0; !whole.collection(k, rng, sequence); tries++ {
			require.Less(t, tries, 100)
			clear(whole.src)
		}
	}
	for _, i := range sequence[from:to] {
		// A pending removal of a value that is gone does not take effect.
		took, ok := whole.src[i]
		lost := ok && took >= 0 && int(took) < w.Partition.Len() && w.Gone[took] && w.Optional[i]
		if int(i) < w.Partition.Len() && !w.Gone[i] && !lost {
			inside = append(inside, i)
		}
	}
	return w, inside
}

// execute runs the theory on the operations inside, and completes their order to one of all
// operations of the window.
func execute(t *testing.T, w *proof.Window, rng *rand.Rand, inside []history.OpID, init []int32) *world {
	x := &world{map[history.OpID]int{}, map[history.OpID]bool{}, map[history.OpID]history.OpID{},
		map[history.OpID]history.OpID{}}
	for _, i := range inside {
		x.in[i] = true
	}
	switch k := w.Theory.(type) {
	case *model.RegisterTheory:
		x.cells(t, w, k, inside, init)
	case *model.CollectionTheory:
		tries := 0
		// what an unknown removal takes of equals may suit no later operation
		for ; tries < 100 && !x.collection(k, rng, inside); tries++ {
			clear(x.src)
		}
		require.Less(t, tries, 100, "no way to go through %v", inside)
	}
	for i := range w.Partition.Ops {
		require.True(t, w.Gone[i] || w.Optional[i] || x.in[history.OpID(i)], "operation %d is not inside", i)
	}
	at := map[history.OpID]int{}
	for k, i := range inside {
		at[i] = k + 1
	}
	for len(x.place) < w.Partition.Len() {
		var free []history.OpID
		for i := range history.OpID(w.Partition.Len()) {
			if _, done := x.place[i]; done {
				continue
			}
			ok := true
			for j := range history.OpID(w.Partition.Len()) {
				if _, done := x.place[j]; !done && j != i && (w.Partition.Precedes(j, i) || w.Given(j, i) ||
					at[j] > 0 && at[i] > 0 && at[j] < at[i]) {
					ok = false
				}
			}
			if ok {
				free = append(free, i)
			}
		}
		require.NotEmpty(t, free, "a circle")
		x.place[free[rng.IntN(len(free))]] = len(x.place)
	}
	return x
}

func (x *world) cells(t *testing.T, w *proof.Window, k *model.RegisterTheory, inside []history.OpID, init []int32) {
	now := slices.Clone(init)
	writer := map[model.CellID]history.OpID{}
	for o := range now {
		writer[model.CellID(o)] = proof.Initial
		if w.Unknown {
			writer[model.CellID(o)] = proof.Before
		}
	}
	for _, i := range inside {
		o := k.Object[i]
		mode := slices.IndexFunc(k.Of(i), func(m model.Mode) bool { return m.Allows(now[o]) })
		if mode < 0 {
			require.True(t, w.Optional[i], "operation %d goes in no mode", i)
			delete(x.in, i)
			continue
		}
		x.src[i], x.mode[i] = writer[o], history.OpID(mode)
		if v := k.Of(i)[mode].Leaves; v != model.Keep {
			now[o], writer[o] = v, i
		}
	}
}

func (x *world) collection(k *model.CollectionTheory, rng *rand.Rand, inside []history.OpID) bool {
	type item struct {
		id    history.OpID
		value int32
	}
	contents := map[model.CellID][]item{}
	id := 0
	for o, values := range k.Initial {
		values = slices.Clone(values)
		if k.Discipline == model.LIFO {
			slices.Reverse(values)
		}
		for _, v := range values {
			contents[model.CellID(o)] = append(contents[model.CellID(o)], item{proof.Item(id), v})
			id++
		}
	}
	for _, i := range inside {
		o := k.Object[i]
		c := contents[o]
		if k.Does[i] == model.Insert {
			contents[o] = append(c, item{i, k.Value[i]})
			continue
		}
		var able []int
		for at, e := range c {
			next := k.Discipline == model.FIFO && at == 0 || k.Discipline == model.LIFO && at == len(c)-1 ||
				k.Discipline == model.ByPriority &&
					!slices.ContainsFunc(c, func(f item) bool { return k.Rank[f.value] < k.Rank[e.value] })
			if next && (k.Value[i] == model.Anything || k.Value[i] == e.value) {
				able = append(able, at)
			}
		}
		if len(able) == 0 {
			if len(c) > 0 || k.Value[i] >= 0 {
				return false
			}
			x.src[i] = proof.NoOp
			continue
		}
		at := able[rng.IntN(len(able))]
		x.src[i] = c[at].id
		if k.Does[i] == model.Remove {
			contents[o] = slices.Delete(slices.Clone(c), at, at+1)
		}
	}
	return true
}

// instances yields every instance of every axiom with so many arguments from ops and other numbers.
func instances(w *proof.Window, yield func(axiom proof.Axiom, args []history.OpID, clause []proof.Literal)) {
	var ops, more []history.OpID
	for i := range history.OpID(w.Partition.Len()) {
		ops = append(ops, i)
	}
	more = append(more, ops...)
	for k := range w.Items() {
		more = append(more, proof.Item(k))
	}
	modes := []history.OpID{0}
	if c, ok := w.Theory.(*model.RegisterTheory); ok {
		for i := range ops {
			for k := len(modes); k < len(c.Of(history.OpID(i))) && k < 4; k++ {
				modes = append(modes, history.OpID(k))
			}
		}
	}
	sources := append(slices.Clone(more), proof.Initial, proof.Before, proof.NoOp)
	arguments := map[proof.Axiom][][][]history.OpID{
		proof.RT: {{ops, ops}}, proof.EDGE: {{ops, ops}}, proof.TR: {{ops, ops, ops}},
		proof.EITHER: {{ops, ops}, {ops}}}
	switch w.Theory.(type) {
	case *model.RegisterTheory:
		for axiom, a := range map[proof.Axiom][][][]history.OpID{proof.MODE: {{ops}, {ops, modes}, {ops, modes, modes}},
			proof.SRC: {{ops, modes}},
			proof.SB:  {{ops, sources}}, proof.SI: {{ops, modes, sources}},
			proof.BT: {{ops, modes, sources, ops, modes}}, proof.PP: {{ops, modes, ops, modes}}} {
			arguments[axiom] = a
		}
	case *model.CollectionTheory:
		for axiom, a := range map[proof.Axiom][][][]history.OpID{proof.SRC: {{ops}}, proof.SB: {{ops, sources}},
			proof.SI:  {{ops, sources}},
			proof.ONE: {{ops, sources, sources}}, proof.PK: {{ops, ops, more}}, proof.QF: {{more, ops, more, ops}},
			proof.QN: {{more, more, ops}},
			proof.SL: {{more, ops, more, ops}}, proof.SN: {{more, ops, more}}, proof.PF: {{more, ops, more, ops}},
			proof.PN: {{more, ops, more}},
			proof.Z:  {{ops, more, ops}}, proof.ZN: {{ops, more}}} {
			arguments[axiom] = a
		}
	}
	for axiom, forms := range arguments {
		for _, form := range forms {
			each(form, nil, func(args []history.OpID) {
				if clause, err := w.Instance(axiom, args, nil); err == nil {
					yield(axiom, args, clause)
				}
			})
		}
	}
}

func each(form [][]history.OpID, args []history.OpID, yield func(args []history.OpID)) {
	if len(form) == 0 {
		yield(args)
		return
	}
	for _, a := range form[0] {
		each(form[1:], append(args[:len(args):len(args)], a), yield)
	}
}

// truths lists all literals that are true and no constants.
func truths(w *proof.Window, x *world) []proof.Literal {
	var all []proof.Literal
	n := history.OpID(w.Partition.Len())
	for a := range n {
		if w.Gone[a] {
			continue
		}
		for b := range n {
			if a != b && !w.Gone[b] {
				all = append(all, proof.LessThan(a, b))
			}
		}
		if w.Optional[a] {
			all = append(all, proof.TakesEffect(a), proof.TakesEffect(a).Negated())
		}
		if c, ok := w.Theory.(*model.RegisterTheory); ok && len(c.Of(a)) > 1 {
			for k := range c.Of(a) {
				all = append(all, proof.GoesIn(a, int32(k)), proof.GoesIn(a, int32(k)).Negated())
			}
		}
	}
	return slices.DeleteFunc(all, func(l proof.Literal) bool { return !x.holds(l) })
}

// families tries every family with arguments at random and everything that is true as given.
func families(t *testing.T, w *proof.Window, x *world, rng *rand.Rand, where string) (tried int) {
	given := truths(w, x)
	n := history.OpID(w.Partition.Len())
	op := func() history.OpID { return history.OpID(rng.Int32N(int32(n))) }
	start := func() history.OpID {
		if rng.IntN(3) == 0 {
			return []history.OpID{proof.Initial, proof.Before}[rng.IntN(2)]
		}
		return op()
	}
	try := func(axiom proof.Axiom, args []history.OpID) {
		tried++
		_, err := w.Instance(axiom, args, given)
		require.Error(t, err, "%s: %s %v contradicts what is true", where, axiom, args)
	}
	for b := range n {
		for a := proof.Initial; a < n; a++ {
			switch w.Theory.(type) {
			case *model.RegisterTheory:
				try(proof.INV, []history.OpID{a, b})
			case *model.CountingTheory:
				try(proof.SUM, []history.OpID{a, b})
			}
		}
	}
	for range 20 {
		switch w.Theory.(type) {
		case *model.RegisterTheory:
			args := []history.OpID{start(), op(), op(), op()}
			if rng.IntN(2) == 0 {
				args = append(args, op(), op())
			}
			try(proof.HALL, args)
			args = []history.OpID{start(), []history.OpID{proof.NoOp, op()}[rng.IntN(2)]}
			for range 1 + rng.IntN(4) {
				args = append(args, op())
			}
			try(proof.COUNT, args)
		case *model.CollectionTheory:
			args := []history.OpID{[]history.OpID{proof.NoOp, op()}[rng.IntN(2)]}
			for range 1 + rng.IntN(4) {
				args = append(args, op())
			}
			try(proof.COUNT, args)
		}
	}
	return tried
}

func TestAxiomsHoldInLegalSequences(t *testing.T) {
	rounds := uint64(testenv.Scale(25, 800))
	for _, name := range []string{"register", "cas-register", "multi-register", "kv", "set", "mutex", "queue", "stack",
		"priority-queue", "counter"} {
		t.Run(name, func(t *testing.T) {
			s, _ := specs.Lookup(name)
			checked, tried := map[proof.Axiom]int{}, 0
			for seed := range rounds {
				h, err := gen.Small(name, seed, gen.SmallOptions{Exact: true, Most: 6})
				require.NoError(t, err)
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				if b.Axiomatic() == nil || len(h.Ops) == 0 {
					continue
				}
				rng := rand.New(rand.NewPCG(seed, 7))
				legalSequences(b, rng, 4, func(sequence []history.OpID) {
					w, inside := window(t, b, rng, sequence)
					if w == nil || w.Partition.Len() == 0 {
						return
					}
					where := fmt.Sprintf("%s seed %d, sequence %v, inside %v", name, seed, sequence, inside)
					var init []int32
					if c, ok := w.Theory.(*model.RegisterTheory); ok {
						init = startingValues(w, c, b, sequence, inside)
						if init == nil {
							return
						}
					}
					x := execute(t, w, rng, inside, init)
					instances(w, func(axiom proof.Axiom, args []history.OpID, clause []proof.Literal) {
						checked[axiom]++
						if !slices.ContainsFunc(clause, x.holds) {
							require.Failf(t, "an axiom does not hold", "%s: %s %v: %v", where, axiom, args, clause)
						}
					})
					tried += families(t, w, x, rng, where)
				})
			}
			t.Logf("instances: %v; families: %d", checked, tried)
			assert.Greater(t, checked[proof.TR], testenv.MoreThan(100))
			if name == "counter" {
				assert.Greater(t, tried, testenv.MoreThan(100))
			} else {
				assert.Greater(t, checked[proof.SRC], testenv.MoreThan(10))
			}
		})
	}
}

// startingValues are the values in the cells when the operations inside begin, by executing those
// before on the theory of the whole partition. Values have the same numbers in both unless a result
// that was forgotten was the first to name one; if what was not forgotten reads differently, nil is
// returned.
func startingValues(w *proof.Window, c *model.RegisterTheory, b *model.Instance, sequence,
	inside []history.OpID) []int32 {
	whole := b.Axiomatic().(*model.RegisterTheory)
	if !w.Unknown {
		return c.Init
	}
	if whole.Values != c.Values || len(whole.Init) != len(c.Init) {
		return nil
	}
	for i := range w.Partition.Ops {
		if w.Partition.Ops[i] == b.Partition.Ops[i] && !slices.EqualFunc(c.Of(history.OpID(i)),
			whole.Of(history.OpID(i)), func(a, b model.Mode) bool {
				return a.Test == b.Test && a.V == b.V && a.Leaves == b.Leaves && slices.Equal(a.Others, b.Others)
			}) {
			return nil
		}
	}
	now := slices.Clone(whole.Init)
	for _, i := range sequence {
		if len(inside) > 0 && i == inside[0] {
			break
		}
		o := whole.Object[i]
		for _, m := range whole.Of(i) {
			if m.Allows(now[o]) {
				if m.Leaves != model.Keep {
					now[o] = m.Leaves
				}
				break
			}
		}
	}
	return now
}

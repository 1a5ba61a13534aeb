package conformance_test

// What is said beside a verdict, against the definition: the prefix that works, the operation that
// cannot be placed, what was possible before its return and why that does not help, the facts of
// cores, that they suffice, and that none of them can be spared. Histories are small and random,
// with pending operations, repeated values, ties in times, initial states, and explicit order in
// many.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// closure returns the order of a partition by definition, between operations that both take effect:
// in time, as given, and through operations that returned.
func closure(p *model.Partition) [][]bool {
	n := p.Len()
	before := make([][]bool, n)
	for a := range before {
		before[a] = make([]bool, n)
		for b := range n {
			before[a][b] = p.Ops[a].Return < p.Ops[b].Call
		}
	}
	for _, e := range p.Edges {
		before[e.Before][e.After] = true
	}
	for u := range n {
		if p.Ops[u].Pending() {
			continue
		}
		for a := range n {
			for b := range n {
				before[a][b] = before[a][b] || before[a][u] && before[u][b]
			}
		}
	}
	return before
}

// checkSaidOfFailure checks what is said of the operation that cannot be placed.
func checkSaidOfFailure(t *testing.T, s model.Spec, r *result.Result, about string) (complete bool) {
	f, p := r.Failure, r.Partition
	checkFailure(t, s, r, about)
	before := closure(p)
	prefix, err := s.Bind(p.Prefix(f.Cut - 1))
	require.NoError(t, err, about)
	if f.Longest != nil {
		assert.NoError(t, oracle.Replay(prefix, f.Longest), "the prefix %v does not work: %s", f.Longest, about)
		place := map[history.OpID]int{}
		for k, i := range f.Longest {
			place[i] = k
		}
		for k, i := range f.Longest {
			for u := range p.Ops {
				if !before[u][i] || p.Ops[u].Pending() {
					continue
				}
				at, there := place[history.OpID(u)]
				assert.True(t, there && at < k, "the prefix %v lacks %d before %d: %s", f.Longest, u, i, about)
			}
		}
	}
	// Behind the prefix stands the failing operation as it returned, so that states can be asked
	// about it.
	n := prefix.Partition.Len()
	asked := *prefix.Partition
	asked.Ops = append(slices.Clone(asked.Ops), p.Ops[f.Op])
	asked.Ops[n].Call = f.Cut
	asked.Index = nil
	for i := range n {
		asked.Index = append(asked.Index, prefix.Partition.Global(history.OpID(i)))
	}
	asked.Index = append(asked.Index, p.Global(f.Op))
	b, err := s.Bind(&asked)
	require.NoError(t, err, about)
	m := b.NewMachine()
	all := oracle.Configurations(b, m, n)
	// Open operations are interchangeable if they have the same effect, and neither explicit order
	// nor the result of the failing one tells them apart. Order around an open operation that
	// cannot change anything tells nothing.
	edged := map[history.OpID]bool{f.Op: true}
	idle := func(i history.OpID) bool { return i != f.Op && prefix.Partition.Ops[i].Pending() && prefix.ReadOnly[i] }
	for _, e := range prefix.Partition.Edges {
		if !idle(e.Before) && !idle(e.After) {
			edged[e.Before], edged[e.After] = true, true
		}
	}
	kinds := func(ops []history.OpID) []string {
		var out []string
		for _, i := range ops {
			if edged[i] {
				out = append(out, fmt.Sprint("operation ", i))
			} else {
				out = append(out, fmt.Sprint("like ", prefix.EquivID[i]))
			}
		}
		slices.Sort(out)
		return out
	}
	type way struct {
		state string
		used  []history.OpID
		at    model.State
	}
	var ways []way
	for _, c := range all {
		ways = append(ways, way{m.Describe(c.State), c.Open, c.State})
	}
	for _, c := range f.Frontier {
		k := slices.IndexFunc(ways, func(w way) bool {
			return w.state == c.State && slices.Equal(w.used, c.Linearized)
		})
		if !assert.GreaterOrEqual(t, k, 0, "%s after %v is not possible: %s", c.State, c.Linearized, about) {
			continue
		}
		said := false
		for _, x := range c.Refusals {
			about := fmt.Sprintf("%s after %v: %d: %s: %s", c.State, c.Linearized, x.Op, x.Why, about)
			used, probe := slices.Contains(c.Linearized, x.Op), x.Op
			if x.Op == f.Op {
				said, probe = true, history.OpID(n)
			}
			allowed := len(m.Step(ways[k].at, probe, nil)) > 0
			late := slices.ContainsFunc(prefix.Partition.Edges, func(e history.Edge) bool {
				return e.Before == x.Op && (slices.Contains(c.Linearized, e.After) ||
					!prefix.Partition.Ops[e.After].Pending())
			})
			switch {
			case used:
				assert.Equal(t, f.Op, x.Op, about)
				own := b.Partition.History.Values.Format(b.Partition.Ops[n].Result)
				assert.Equal(t, "it would not have returned "+own, x.Why, about)
			case allowed:
				assert.True(t, late, about)
				assert.Contains(t, x.Why, "the explicit order puts it before", about)
			case b.Refusal != nil:
				assert.Equal(t, b.Refusal(m, ways[k].at, probe), x.Why, about)
			}
		}
		assert.True(t, said, "%s after %v: nothing is said of the operation itself: %s", c.State, c.Linearized, about)
	}
	if f.Complete {
		for _, w := range ways {
			ok := false
			for _, c := range f.Frontier {
				ok = ok || c.State == w.state && contains(kinds(w.used), kinds(c.Linearized))
			}
			assert.True(t, ok, "%s after %v is missing, there is %v: %s", w.state, w.used, f.Frontier, about)
		}
	}
	return f.Complete
}

// contains reports whether a sorted list holds all of another, as often.
func contains(all, some []string) bool {
	k := 0
	for _, x := range all {
		if k < len(some) && some[k] == x {
			k++
		}
	}
	return k == len(some)
}

// TestFailuresAgreeWithTheDefinition checks the operation that cannot be placed, of the search and
// of the default, against the definition.
func TestFailuresAgreeWithTheDefinition(t *testing.T) {
	n := uint64(150)
	if testenv.Full() {
		n = 5000
	}
	for _, s := range specs.All() {
		name := s.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checked, complete := 0, 0
			for seed := range n {
				h, err := gen.Small(name, seed, gen.SmallOptions{Edged: seed%2 == 0})
				require.NoError(t, err)
				for _, o := range [][]linsat.Option{{linsat.Engine("search")}, {}, {linsat.Partition("none")}} {
					r, err := linsat.Check(context.Background(), s, h,
						append(o, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore, Locate: 1e9}))...)
					require.NoError(t, err, "seed %d", seed)
					if full(&r).Failure == nil {
						continue
					}
					checked++
					if checkSaidOfFailure(t, s, full(&r), fmt.Sprintf("%s seed %d: %s", name, seed, show(h))) {
						complete++
					}
				}
				if t.Failed() {
					return
				}
			}
			t.Logf("%d failures, %d with all configurations", checked, complete)
			assert.Positive(t, complete)
		})
	}
}

// TestOpenAddsMayAdd: an add says that its element was there. It is refuted once another add has
// returned that says so, too, and not before: until then this one may have added it.
func TestOpenAddsMayAdd(t *testing.T) {
	set, _ := specs.Lookup("set")
	h, err := gen.Small("set", 1143, gen.SmallOptions{})
	require.NoError(t, err)
	r, err := linsat.Check(context.Background(), set, h,
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore, Locate: 1e9}))
	require.NoError(t, err)
	require.NotNil(t, full(&r).Failure)
	checkSaidOfFailure(t, set, full(&r), show(h))
}

// TestCoresAgreeWithTheDefinition checks the cores of histories with explicit order, initial states
// and ties against the definition, all of them under AllCores, and that no two share a fact.
func TestCoresAgreeWithTheDefinition(t *testing.T) {
	n := uint64(80)
	if testenv.Full() {
		n = 3000
	}
	for _, s := range specs.All() {
		name := s.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cores, minimal, given, initial := 0, 0, 0, 0
			n := n
			if testenv.Full() && name == "multi-register" { // every value is a start of every name
				n /= 10
			}
			for seed := range n {
				h, err := gen.Small(name, seed, gen.SmallOptions{Edged: seed%3 > 0, Started: seed%2 == 0,
					Keys: 1, NoEnds: true})
				require.NoError(t, err)
				r, err := linsat.Check(context.Background(), s, h,
					linsat.Explain(linsat.ExplainOptions{Cores: linsat.AllCores}))
				require.NoError(t, err, "seed %d", seed)
				if full(&r).Core == nil {
					continue
				}
				about := fmt.Sprintf("%s seed %d: %s", name, seed, show(h))
				all := append([]*explain.Core{full(&r).Core}, full(&r).MoreCores...)
				for k, c := range all {
					cores++
					if c.Minimal {
						minimal++
					}
					about := fmt.Sprintf("core %d of %d: %s", k, len(all), about)
					// see TestCoresOfSmallHistoriesAreMinimal
					if !grown(full(&r).Instance()) || c.Least.From == 0 {
						checkCore(t, full(&r).Instance(), c, byOracle, about)
					}
					for _, f := range c.Facts {
						switch f.Kind {
						case explain.GivenFact:
							given++
						case explain.InitialFact:
							initial++
						}
						for _, other := range all[:k] {
							for _, g := range other.Facts {
								assert.False(t, sameFact(f, g), "%v is a fact of two cores: %s", f, about)
							}
						}
					}
					checkWords(t, full(&r), c, about)
				}
				if t.Failed() {
					return
				}
			}
			t.Logf("%d cores, %d minimal, with %d given edges and %d initial states", cores, minimal, given, initial)
			assert.Positive(t, minimal)
		})
	}
}

// sameFact reports whether two facts are one, or have operations in common of which they say the
// same.
func sameFact(f, g explain.Fact) bool {
	if f.Kind != g.Kind {
		return false
	}
	switch f.Kind {
	case explain.EdgeFact, explain.GivenFact:
		return slices.Equal(f.Operations, g.Operations)
	case explain.InitialFact:
		return true
	}
	return slices.ContainsFunc(f.Operations, func(i history.OpID) bool { return slices.Contains(g.Operations, i) })
}

// checkWords counts the facts anew and looks for the sentence in the text.
func checkWords(t *testing.T, r *result.Result, c *explain.Core, about string) {
	if c.Argument == nil {
		return
	}
	n := map[explain.FactKind]int{}
	for _, f := range c.Facts {
		n[f.Kind]++
	}
	var items []string
	for _, w := range []struct {
		kind      explain.FactKind
		one, many string
	}{{explain.ValueFact, "value", "values"}, {explain.EmptyFact, "empty result", "empty results"},
		{explain.ResponseFact, "response", "responses"},
		{explain.ResultFact, "result", "results"}, {explain.EdgeFact, "edge", "edges"},
		{explain.GivenFact, "given edge", "given edges"}} {
		switch {
		case n[w.kind] == 1:
			items = append(items, "1 "+w.one)
		case n[w.kind] > 1:
			items = append(items, fmt.Sprintf("%d %s", n[w.kind], w.many))
		}
	}
	if n[explain.InitialFact] > 0 {
		items = append(items, "the initial state")
	}
	text := strings.Join(items, ", ")
	if at := strings.LastIndex(text, ", "); at >= 0 {
		text = text[:at] + " and" + text[at+1:]
	}
	var b strings.Builder
	words.Text(&b, &words.Run{History: r.Partition.History, Result: *r}, words.Style{Witness: -1})
	assert.Contains(t, b.String(), fmt.Sprintf("this rests on %s of %d operation", text, r.Partition.Len()), about)
	if c.Minimal {
		assert.Contains(t, b.String(), "(minimal", about)
	} else {
		assert.Contains(t, b.String(), "(perhaps not minimal: "+c.NotMinimal, about)
	}
}

// TestQuasiCoresAgreeWithTheDefinition checks the cores of noes under a factor, with explicit order
// and initial states among the histories, against the definition.
func TestQuasiCoresAgreeWithTheDefinition(t *testing.T) {
	n := uint64(40)
	if testenv.Full() {
		n = 1200
	}
	for _, s := range specs.All() {
		name, classes := s.Info().Name, s.Info().Classes
		if !slices.ContainsFunc(classes, func(c model.Class) bool { return c.Relaxable }) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cores, minimal, edged, windows := 0, 0, 0, 0
			for seed := range n {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6, Edged: seed%3 > 0, Started: seed%2 == 0,
					Keys: 1, NoEnds: true})
				require.NoError(t, err)
				relax := quasi.Question{Factor: make(quasi.Factor, len(classes)), Drain: seed%4 < 2,
					Meaning: quasi.Meaning(seed / 4 % 2)}
				for c := range classes {
					if classes[c].Relaxable {
						relax.Factor[c] = int32(seed / 8 % 3)
					}
				}
				r, err := linsat.Check(context.Background(), s, h, linsat.Quasi(relax))
				require.NoError(t, err, "seed %d", seed)
				if full(&r).Core == nil {
					if r.Verdict == linsat.NotLinearizable && !relax.Plain() {
						assert.NotEmpty(t, full(&r).NoCore, "%s seed %d at %+v: %s", name, seed, relax, show(h))
					}
					continue
				}
				decide := func(b *model.Instance) engine.Verdict {
					ok := false
					if relax.Plain() { // its core may forget the past, and start anywhere
						ok, _ = oracle.Linearizable(b)
					} else {
						ok, _, _ = oracle.QuasiLinearizable(b, relax)
					}
					if ok {
						return engine.Linearizable
					}
					return engine.NotLinearizable
				}
				cores++
				if full(&r).Core.Minimal {
					minimal++
				}
				if len(h.Edges) > 0 {
					edged++
				}
				about := fmt.Sprintf("%s seed %d at %+v: %s", name, seed, relax, show(h))
				core := full(&r).Core
				if _, ok := full(&r).Proof.(*proof.Displacement); ok {
					windows++
				}
				ofValues := func(f explain.Fact) bool {
					return f.Kind == explain.ValueFact || f.Kind == explain.EmptyFact
				}
				if !relax.Plain() && (core.Least.SomeOrder || slices.ContainsFunc(core.Facts, ofValues)) {
					// of values among others: that it is minimal is for TestCoresOfValuesAreMinimal
					// Removals of unknown result that are left out may happen here.
					least := *core.Least
					least.Retain = slices.Clone(least.Retain)
					theory, _ := full(&r).Instance().Collection()
					for i, v := range theory.Value {
						if v == model.Anything && least.Of(history.OpID(i)) == proof.RetainNothing {
							least.Retain[i] = proof.RetainCall
						}
					}
					if b := full(&r).Instance(); least.SomeOrder {
						if _, _, err := explain.Weaken(b, &least); err != nil {
							assert.False(t, amongOthers(b, relax, core.Least), about)
							continue
						}
					}
					assert.False(t, explained(t, full(&r).Instance(), &least, decide), about)
				} else {
					checkCore(t, full(&r).Instance(), core, decide, about)
				}
				if full(&r).Proof != nil {
					assert.NoError(t, verify.Proof(context.Background(), r.Quasi, full(&r).Instance(), full(&r).Proof),
						about)
				}
				if t.Failed() {
					return
				}
			}
			t.Logf("%d cores, %d minimal, %d with edges that ranks do not say, %d beside windows", cores, minimal, edged,
				windows)
			assert.Positive(t, minimal)
			if name == "queue" {
				assert.Positive(t, windows)
			}
		})
	}
}

package verify

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/internal/gen/randomtxn"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/isolationtest"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify/clausal"
)

// TestWitnessesAreTheAxioms compares what is accepted of every order of small histories with the
// axioms. Under two events an order is accepted with some starts exactly if the axioms hold.
func TestWitnessesAreTheAxioms(t *testing.T) {
	seen := map[isolation.Model][2]int{}
	for seed := range uint64(testenv.Scale(300, 6000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		h := randomtxn.History(r, 4)
		l := isolation.Levels()[r.IntN(len(isolation.Levels()))]
		orders(h, func(order []int32, from map[isolation.Place]int32) bool {
			want := (&definition{h, l, order, from}).holds()
			sources := stated(from)
			got := false
			var last error
			starts(l, order, func(events []int32) bool {
				w := &isolation.Witness{Events: events, Sources: sources}
				last = Check(context.Background(), h, &isolation.Certificate{Level: l.String(), Witness: w})
				got = last == nil
				return !got
			})
			if l.Model >= isolation.Prefix && l.Model != isolation.ParallelSnapshot && got && !want {
				// Sources are not looked at: others may be those of the order.
				other := func(_ []int32, from map[isolation.Place]int32) bool {
					want = (&definition{h, l, order, from}).holds()
					return !want
				}
				choose(h, order, map[isolation.Place]int32{}, 0, 0, other)
			}
			require.Equal(t, want, got, "seed %d, %s, order %v, from %v: %v\n%s", seed, l, order, from, last,
				isolationtest.Format(h))
			n := seen[l.Model]
			if want {
				n[1]++
			} else {
				n[0]++
			}
			seen[l.Model] = n
			return true
		})
	}
	for m, n := range seen {
		require.Greater(t, min(n[0], n[1]), testenv.MoreThan(50), "%s: %v", m, n)
	}
}

// starts calls f for the events with every place of starts, until it returns false.
func starts(l isolation.Level, order []int32, f func(events []int32) bool) bool {
	if !twoEvents(l) {
		return f(order)
	}
	var put func(events []int32, rest []int32) bool
	put = func(events []int32, rest []int32) bool {
		if len(rest) == 0 {
			return f(events)
		}
		t := rest[0]
		for k := range slices.Index(events, t) + 1 {
			if !put(slices.Insert(slices.Clone(events), k, ^t), rest[1:]) {
				return false
			}
		}
		return true
	}
	return put(order, order)
}

// TestClausesRefuteExactlyWhatIsNotIsolated collects all clauses that are accepted of small
// histories: they are satisfiable exactly if the history is at the level.
func TestClausesRefuteExactlyWhatIsNotIsolated(t *testing.T) {
	seen := map[isolation.Model][2]int{}
	for seed := range uint64(testenv.Scale(800, 10000)) {
		r := rand.New(rand.NewPCG(seed, 2))
		h := randomtxn.History(r, 4)
		l := isolation.Levels()[r.IntN(len(isolation.Levels()))]
		want := oracle.Isolated(h, l)
		c := refutation(t, h, l)
		n := seen[l.Model]
		if c != nil {
			require.False(t, want, "seed %d, %s: refuted by %+v, but it holds\n%s", seed, l, c.Refutation,
				isolationtest.Format(h))
			require.NoError(t, Check(context.Background(), h, c))
			n[0]++
		} else {
			if !repeated(h) {
				require.True(t, want, "seed %d, %s: not refuted\n%s", seed, l, isolationtest.Format(h))
			}
			n[1]++
		}
		seen[l.Model] = n
	}
	for m, n := range seen {
		require.Greater(t, min(n[0], n[1]), testenv.MoreThan(3), "%s: %v", m, n)
	}
}

// repeated reports whether an element is appended by two transactions.
func repeated(h *isolation.History) bool {
	by := map[left]int32{}
	for t := range h.Txns {
		for _, a := range h.Txns[t].Accesses {
			if at := (left{a.Object, a.Value}); a.Kind == isolation.Append {
				if s, known := by[at]; known && s != int32(t) {
					return true
				}
				by[at] = int32(t)
			}
		}
	}
	return false
}

// refutation returns a refutation by all clauses of rules that can be formed, or nil.
func refutation(t *testing.T, h *isolation.History, l isolation.Level) *isolation.Certificate {
	all := instances(h, l)
	x, err := newIndex(h, all)
	require.NoError(t, err)
	c := &clauses{index: x, level: l, number: map[statement]clausal.Lit{}}
	f := clausal.NewFormula()
	var taken []isolation.Clause
	certificate := func() *isolation.Certificate {
		return &isolation.Certificate{Level: l.String(), Refutation: &isolation.Refutation{Clauses: taken}}
	}
	for _, one := range all {
		lits, err := c.literals(&one)
		if err != nil || slices.Contains(lits, always) {
			continue
		}
		lits = slices.DeleteFunc(lits, func(l literal) bool { return l == always.negated() })
		if len(lits) == 0 {
			taken = []isolation.Clause{one}
			return certificate()
		}
		taken = append(taken, one)
		var clause []clausal.Lit
		for _, l := range lits {
			clause = append(clause, c.literal(f, l))
		}
		f.Add("", clausal.By(), clause...)
	}
	if f.Len() == 0 {
		return nil
	}
	status, lemmas, _ := cdcl.Refute(context.Background(), f)
	if status != cdcl.Refuted {
		return nil
	}
	made := certificate()
	made.Refutation.Lemmas = lemmas
	return made
}

// instances lists clauses of all rules, most of which do not hold.
func instances(h *isolation.History, l isolation.Level) (all []isolation.Clause) {
	var places []isolation.Place
	of := func(rule isolation.Rule, p isolation.Place, a, b int32, path []isolation.Hop) isolation.Clause {
		return isolation.Clause{Rule: rule, Places: []isolation.Place{p}, Txns: []int32{a, b}, Hops: path}
	}
	for t := range h.Txns {
		for k, a := range h.Txns[t].Accesses {
			if a.Kind == isolation.Read && h.Txns[t].Status == isolation.Committed {
				places = append(places, isolation.Place{Txn: int32(t), Access: int32(k)})
			}
		}
	}
	n := int32(len(h.Txns))
	hops := everyHop(h, l, places)
	for a := range n {
		all = append(all, isolation.Clause{Rule: isolation.RuleOwn, Txns: []int32{a}})
		if l.Model == isolation.ParallelSnapshot {
			for _, path := range paths(hops, a, a) {
				all = append(all, isolation.Clause{Rule: isolation.RuleVisible, Txns: []int32{a}, Hops: path})
			}
		}
		for b := range n {
			for _, rule := range []isolation.Rule{isolation.RuleGiven, isolation.RuleConflict} {
				all = append(all, isolation.Clause{Rule: rule, Txns: []int32{a, b}})
			}
		}
	}
	for _, p := range places {
		for _, rule := range []isolation.Rule{isolation.RuleSource, isolation.RuleInternal, isolation.RuleTwice} {
			all = append(all, isolation.Clause{Rule: rule, Places: []isolation.Place{p}})
		}
		for _, q := range places {
			all = append(all, isolation.Clause{Rule: isolation.RuleIncompatible, Places: []isolation.Place{p, q}})
		}
		for a := int32(isolation.Initial); a < n; a++ {
			for _, rule := range []isolation.Rule{isolation.RuleEffect, isolation.RuleWritten} {
				all = append(all, isolation.Clause{Rule: rule, Places: []isolation.Place{p}, Txns: []int32{a}})
			}
			for b := range n {
				all = append(all, of(isolation.RuleVersion, p, a, b, nil), of(isolation.RuleUnseen, p, a, b, nil),
					of(isolation.RuleOverwritten, p, a, b, nil))
				if l.Model > isolation.Causal || !writesTo(h, b, h.Txns[p.Txn].Accesses[p.Access].Object) {
					continue
				}
				for _, path := range paths(hops, b, p.Txn) {
					all = append(all, of(isolation.RuleSeen, p, a, b, path), of(isolation.RuleReached, p, a, b, path))
				}
			}
		}
	}
	for a := range 2 * n {
		for b := range 2 * n {
			for c := range 2 * n {
				if a < b && a < c && b != c {
					all = append(all, isolation.Clause{Rule: isolation.RuleCycle, Events: []int32{a, b, c}})
				}
			}
		}
	}
	return all
}

// edge is a hop with the transaction that it leads from.
type edge struct {
	from int32
	hop  isolation.Hop
}

// everyHop lists hops that may hold.
func everyHop(h *isolation.History, l isolation.Level, places []isolation.Place) (all []edge) {
	n := int32(len(h.Txns))
	for a := range n {
		for b := range n {
			if a == b || h.Txns[a].Status == isolation.Aborted || h.Txns[b].Status == isolation.Aborted {
				continue
			}
			if h.GivenBefore(l.Given, a, b) {
				all = append(all, edge{a, isolation.Hop{Kind: isolation.Given, To: b}})
			}
			if conflicting(h, a, b) && l.Model == isolation.ParallelSnapshot {
				all = append(all, edge{a, isolation.Hop{Kind: isolation.Writes, To: b}})
			}
			for _, p := range places {
				x := h.Txns[p.Txn].Accesses[p.Access].Object
				if p.Txn == b && writesTo(h, a, x) {
					all = append(all, edge{a, isolation.Hop{Kind: isolation.Reads, To: b, Place: p}})
				}
				if p.Txn == a && writesTo(h, b, x) && l.Model == isolation.ParallelSnapshot {
					for s := int32(isolation.Initial); s < n; s++ {
						if s == isolation.Initial || writesTo(h, s, x) {
							hop := isolation.Hop{Kind: isolation.Overwrites, To: b, Place: p, From: s}
							all = append(all, edge{a, hop})
						}
					}
				}
			}
		}
	}
	return all
}

// paths lists the paths of hops of which none comes twice to a transaction.
func paths(edges []edge, from, to int32) (all [][]isolation.Hop) {
	var path []isolation.Hop
	var been []int32
	var walk func(at int32)
	walk = func(at int32) {
		if at == to && len(path) > 0 {
			all = append(all, slices.Clone(path))
			return
		}
		if slices.Contains(been, at) {
			return
		}
		been = append(been, at)
		for _, e := range edges {
			if e.from == at {
				path = append(path, e.hop)
				walk(e.hop.To)
				path = path[:len(path)-1]
			}
		}
		been = been[:len(been)-1]
	}
	walk(from)
	return all
}

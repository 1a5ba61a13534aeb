package conformance_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/encode"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/search"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// forget returns the weakening without one of its facts.
func forget(weakening *proof.Weakening, f explain.Fact) *proof.Weakening {
	weaker := *weakening
	weaker.Retain = slices.Clone(weakening.Retain)
	weaker.Order = slices.Clone(weakening.Order)
	for _, i := range f.Operations {
		switch f.Kind {
		case explain.ValueFact, explain.EmptyFact:
			weaker.Retain[i] = proof.RetainNothing
		case explain.ResponseFact:
			weaker.Retain[i] = proof.RetainCall
		case explain.ResultFact:
			weaker.Retain[i] = proof.RetainResponse
		}
	}
	switch f.Kind {
	case explain.EdgeFact:
		weaker.Order = slices.DeleteFunc(weaker.Order, func(e [2]history.OpID) bool {
			return e == [2]history.OpID{f.Operations[0], f.Operations[1]}
		})
	case explain.GivenFact:
		weaker.Given = slices.DeleteFunc(slices.Clone(weaker.Given), func(e [2]history.OpID) bool {
			return e == [2]history.OpID{f.Operations[0], f.Operations[1]}
		})
	case explain.InitialFact:
		weaker.AnyStart = true
	}
	return &weaker
}

// explained reports whether what a weakening leaves can be explained, as decide sees it. A
// forgotten past is every value at the start with every choice of what had happened by then.
func explained(t *testing.T, b *model.Instance, weakening *proof.Weakening,
	decide func(*model.Instance) engine.Verdict) bool {
	part := *weakening
	part.View = 0 // what no view of it allows, the partition does not
	weakening = &part
	if _, ok := b.Theory.(*model.CollectionTheory); ok && weakening.AnyStart {
		return explainedFromOtherContents(t, b, weakening, decide)
	}
	if weakening.From == 0 && !weakening.AnyStart {
		weak, _, err := explain.Weaken(b, weakening)
		require.NoError(t, err)
		return decide(weak) == engine.Linearizable
	}
	var open []history.OpID
	base := *weakening
	base.From, base.AnyStart, base.Retain = 0, false, slices.Clone(weakening.Retain)
	for i := range b.Partition.Ops {
		o := &b.Partition.Ops[i]
		switch {
		case o.Return < weakening.From && base.Retain[i] != proof.RetainCall:
			// Otherwise it is not known to have returned.
			base.Retain[i] = proof.RetainNothing
		case o.Call < weakening.From && (base.Retain[i] == proof.RetainAll || base.Retain[i] == proof.RetainResponse) &&
			o.Return <= weakening.Cut:
			open = append(open, history.OpID(i))
		}
	}
	require.LessOrEqual(t, len(open), 12)
	all := starts
	switch name := b.Spec.Info().Name; {
	case strings.HasSuffix(name, "-mutex"):
		all = holders
	case name == "log":
		all = logged
	}
	for _, v := range all(b.Partition) {
		p := *b.Partition
		p.Initial, p.HasInitial = v, true
		start, err := b.Spec.Bind(&p)
		if err != nil {
			continue // no state of this specification
		}
		for happened := range 1 << len(open) {
			c := base
			c.Retain = slices.Clone(base.Retain)
			for k, i := range open {
				if happened&(1<<k) != 0 {
					c.Retain[i] = proof.RetainNothing
				}
			}
			weak, _, err := explain.Weaken(start, &c)
			require.NoError(t, err)
			if decide(weak) == engine.Linearizable {
				return true
			}
		}
	}
	return false
}

// grown reports whether the theory of a partition has only the values that its operations lead to.
func grown(b *model.Instance) bool {
	t, ok := b.Axiomatic().(*model.RegisterTheory)
	return ok && t.FromInit
}

// explainedFromOtherContents is explained for a collection that may hold anything at the start: all
// sequences of its values, up to as many as it has operations.
func explainedFromOtherContents(t *testing.T, b *model.Instance, weakening *proof.Weakening,
	decide func(*model.Instance) engine.Verdict) bool {
	known := *weakening
	known.AnyStart = false
	weak, _, err := explain.Weaken(b, &known)
	require.NoError(t, err)
	var values []history.Value
	removals := 0
	for i := range weak.Partition.Ops {
		o := &weak.Partition.Ops[i]
		if c := weak.Theory.(*model.CollectionTheory); c.Does[i] == model.Insert || o.Unknown ||
			o.Result == history.Nil {
			continue
		}
		removals++
		if !slices.Contains(values, o.Result) {
			values = append(values, o.Result)
		}
	}
	tries := [][]history.Value{nil}
	for at := 0; at < len(tries); at++ {
		p := *weak.Partition
		p.Contents, p.HasContents = tries[at], true
		if start, err := b.Spec.Bind(&p); err == nil && decide(start) == engine.Linearizable {
			return true
		}
		for _, v := range values {
			if len(tries[at]) < removals {
				tries = append(tries, append(slices.Clip(tries[at]), v))
			}
		}
	}
	return false
}

// starts lists whatever could be a state of one cell: every value of the history and one that is
// not in it, by itself, of each key, and as an element.
func starts(p *model.Partition) []history.Value {
	t := p.History.Values
	t.String("a value that no other operation has")
	for n := range int64(60) { // a counter may have been anything
		t.Int(n - 30)
	}
	for v := range t.Len() { // neighbours of values at the ends of what a counter may be
		if x, ok := t.AsInt(history.Value(v)); ok && (x > 1<<40 || x < -1<<40) {
			for n := range int64(60) {
				if d := n - 30; d < 0 && x >= math.MinInt64-d || d > 0 && x <= math.MaxInt64-d {
					t.Int(x + d)
				}
			}
		}
	}
	for _, x := range undone(p) {
		t.Int(x)
	}
	values := make([]history.Value, t.Len())
	for v := range values {
		values[v] = history.Value(v)
	}
	out := append(slices.Clone(values), t.List(nil))
	for _, v := range values {
		out = append(out, t.List([]history.Value{v}))
		if k := p.Ops[0].Key; k != history.NoKey {
			out = append(out, t.Map([]history.Value{k, v}))
		}
		// multi-register: a partition holds one name, in read and write or in the transactions
		for i := range p.Ops {
			if pairs, ok := t.AsMap(p.Ops[i].Arg); ok {
				out = append(out, t.Map([]history.Value{pairs[0], v}))
				break
			} else if list, ok := t.AsList(p.Ops[i].Arg); ok && len(list) > 0 {
				if step, ok := t.AsList(list[0]); ok && len(step) == 3 {
					out = append(out, t.Map([]history.Value{step[1], v}))
					break
				}
			}
		}
	}
	return out
}

// undone lists what a counter can have been before some of the operations that change it by very
// much, if it was what one of them saw after them.
func undone(p *model.Partition) []int64 {
	large := func(v history.Value) (x int64, ok bool) {
		x, ok = p.History.Values.AsInt(v)
		return x, ok && (x > 1<<40 || x < -1<<40)
	}
	before := map[int64]bool{}
	for i := range p.Ops {
		if x, ok := large(p.Ops[i].Result); ok {
			before[x] = true
		}
	}
	for i := range p.Ops {
		d, ok := large(p.Ops[i].Arg)
		if !ok || len(before) > 512 {
			continue
		}
		for _, x := range slices.Collect(maps.Keys(before)) {
			if d != math.MinInt64 && (d > 0 && x >= math.MinInt64+d || d < 0 && x <= math.MaxInt64+d) {
				before[x-d] = true
			}
			if d > 0 && x <= math.MaxInt64-d || d < 0 && x >= math.MinInt64-d {
				before[x+d] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(before))
}

// holders lists the states of a lock with owners: free, or held by a process or by any process that
// is named, up to eight times.
func holders(p *model.Partition) []history.Value {
	t := p.History.Values
	var limit []history.Value
	if stated, _ := t.AsMap(p.Initial); p.HasInitial {
		for k := 0; k < len(stated); k += 2 {
			if stated[k] == t.String("limit") {
				limit = stated[k : k+2]
			}
		}
	}
	out, names := []history.Value{t.Map(limit)}, []history.Value{t.String("a"), t.String("b")}
	for _, name := range p.History.Processes {
		names = append(names, t.String(name))
	}
	for _, name := range names {
		for n := range int64(8) {
			pairs := append([]history.Value{t.String("owner"), name}, limit...)
			if n > 0 {
				pairs = append(pairs, t.String("count"), t.Int(1+n))
			}
			out = append(out, t.Map(pairs))
		}
	}
	return out
}

// logged lists the states of a log that the operations of a partition tell apart: up to one entry
// more than any of them is about, and at each offset what some read found there or a value that no
// operation knows.
func logged(p *model.Partition) []history.Value {
	t := p.History.Values
	told := map[int][]history.Value{}
	most := 0
	for i := range p.Ops {
		o := &p.Ops[i]
		if at, ok := t.AsInt(o.Result); ok && at < 10 {
			most = max(most, int(at))
		}
		at, _ := t.AsInt(o.Arg)
		found, ok := t.AsList(o.Result)
		if !ok || at > 10 {
			continue
		}
		for k, v := range found {
			told[int(at)+k] = append(told[int(at)+k], v)
		}
		most = max(most, int(at)+len(found))
	}
	now := [][]history.Value{nil}
	out := []history.Value{t.List(nil)}
	for at := range most + 1 {
		values := append(slices.Clone(told[at]), t.String("a value that no other operation has"))
		slices.Sort(values)
		var next [][]history.Value
		for _, state := range now {
			for _, v := range slices.Compact(values) {
				next = append(next, append(slices.Clip(state), v))
			}
		}
		for now = next; len(next) > 0; next = next[1:] {
			out = append(out, t.List(next[0]))
		}
	}
	return out
}

// bySAT decides by the engine that takes no partition in finding cores of small histories.
func bySAT(t *testing.T) func(*model.Instance) engine.Verdict {
	return func(b *model.Instance) engine.Verdict {
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		a, err := engine.Open(encode.New(func() solver.Solver {
			return gini.New()
		})).Check(ctx, &engine.Problem{Instance: b}, nil)
		require.NoError(t, err)
		if a.Verdict == engine.Unknown { // counting: a lock taken once too often
			a, err = search.New(search.VerdictOnly()).Check(context.Background(), &engine.Problem{Instance: b},
				engine.NewBudget(5_000_000, 0))
			require.NoError(t, err)
		}
		if a.Verdict == engine.Linearizable {
			require.NoError(t, verify.Witness(b, a.Witness))
		}
		return a.Verdict
	}
}

// checkMinimal checks that a core's weakening is refuted, and explained as soon as any fact more is
// forgotten.
func checkMinimal(t *testing.T, r *result.Result, decide func(*model.Instance) engine.Verdict, about string) {
	checkCore(t, r.Instance(), r.Core, decide, about)
}

// checkCore checks that the facts of a core are what its least weakening keeps, that this is
// refuted, and if the core is said to be minimal, that it is explained as soon as any fact more is
// forgotten.
func checkCore(t *testing.T, b *model.Instance, c *explain.Core, decide func(*model.Instance) engine.Verdict,
	about string) {
	checkKept(t, b, c, decide, about)
	assert.False(t, explained(t, b, c.Least, decide), "the core can be explained: %s", about)
	if !c.Minimal {
		assert.NotEmpty(t, c.NotMinimal, about)
		return
	}
	for _, f := range c.Facts {
		assert.True(t, explained(t, b, forget(c.Least, f), decide), "not minimal, %v is not needed: %v %s", f,
			c.Facts, about)
	}
}

// checkKept checks that a core's least weakening keeps what is listed as its facts, and nothing
// else but what the core is said to rest on besides.
func checkKept(t *testing.T, b *model.Instance, c *explain.Core, decide func(*model.Instance) engine.Verdict,
	about string) {
	p, l := b.Partition, c.Least
	listed := map[explain.FactKind]map[history.OpID]bool{}
	edges := map[explain.FactKind][][2]history.OpID{}
	initial := false
	for _, f := range c.Facts {
		if listed[f.Kind] == nil {
			listed[f.Kind] = map[history.OpID]bool{}
		}
		for _, i := range f.Operations {
			listed[f.Kind][i] = true
		}
		if f.Kind == explain.EdgeFact || f.Kind == explain.GivenFact {
			edges[f.Kind] = append(edges[f.Kind], [2]history.OpID{f.Operations[0], f.Operations[1]})
		}
		initial = initial || f.Kind == explain.InitialFact
	}
	besides := func(what string) bool { return slices.Contains(c.Besides, what) }
	for i := range p.Ops {
		o, k, i := &p.Ops[i], l.Of(history.OpID(i)), history.OpID(i)
		whole := listed[explain.ValueFact][i] || listed[explain.EmptyFact][i]
		if whole || o.Pending() || o.Return > l.Cut || o.Return < l.From || k == proof.RetainCall ||
			k == proof.RetainNothing {
			continue
		}
		assert.True(t, listed[explain.ResponseFact][i] || besides(explain.AllResponses) ||
			listed[explain.ResultFact][i], "the response of %d is not a fact: %v %s", i, c.Facts, about)
		if k == proof.RetainAll && !listed[explain.ResultFact][i] {
			weaker := *l
			weaker.Retain = slices.Clone(l.Retain)
			weaker.Retain[i] = proof.RetainResponse
			assert.False(t, explained(t, b, &weaker, decide), "the result of %d is needed and no fact: %v %s", i,
				c.Facts, about)
		}
	}
	if l.SomeOrder {
		assert.ElementsMatch(t, l.Order, edges[explain.EdgeFact], about)
	} else {
		assert.True(t, besides(explain.AllOrder), about)
	}
	if given := l.KeepGiven(p.Edges); l.SomeGiven && !besides(explain.AllGiven) {
		assert.ElementsMatch(t, l.Given, edges[explain.GivenFact], about)
	} else {
		assert.True(t, len(given) == 0 || besides(explain.AllGiven), about)
	}
	if p.HasInitial && l.From == 0 && !l.AnyStart {
		assert.True(t, initial || besides(explain.TheStart), about)
	}
	assert.True(t, len(c.Facts)+len(c.Besides) > 0, "a core that rests on nothing: %s", about)
}

// TestRecordedViolationsHaveMinimalCores: every history of the corpora that is not linearizable
// gets a core, minimal as far as it says, re-checked by SAT, and a certificate that the verifier
// takes. The log of this test says how large they are and how long they take.
func TestRecordedViolationsHaveMinimalCores(t *testing.T) {
	dir := testenv.Recorded(t)
	type figures struct {
		facts, sentences []int
		times            []time.Duration
		minimal, argued  int
	}
	groups := map[string]*figures{}
	for _, pattern := range []string{"porcupine/jepsen/*.log", "porcupine/kv/*.txt", "knossos/*/bad/*",
		"fastlin/*/*.log", "violin/simple/*.log", "violin/small/*/*"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		for _, file := range files {
			if info, err := os.Stat(file); err == nil && info.Size() == 0 {
				continue // etcd_095
			}
			s, h := recorded(t, file)
			if len(h.Ops) == 0 {
				continue
			}
			start := time.Now()
			r, err := linsat.Check(context.Background(), s, h, linsat.Engine("search"),
				linsat.Explain(linsat.ExplainOptions{Time: time.Minute}))
			took := time.Since(start)
			require.NoError(t, err, file)
			if r.Verdict != engine.NotLinearizable {
				continue
			}
			require.NotNil(t, full(&r).Core, file)
			assert.True(t, r.Certified, "%s: %s", file, r.Uncertified)
			cert, err := linsat.Certify(h, &r)
			if assert.NoError(t, err, file) {
				assert.NoError(t, linsat.Verify(context.Background(), s, h, cert), file)
			}
			group := strings.Join(strings.Split(pattern, "/")[:2], "/")
			g := groups[group]
			if g == nil {
				g = &figures{}
				groups[group] = g
			}
			g.times = append(g.times, took)
			g.facts = append(g.facts, len(full(&r).Core.Facts))
			if full(&r).Core.Minimal && len(full(&r).Core.Facts) <= 60 && (testenv.Full() || len(g.facts)%5 == 0) {
				checkMinimal(t, full(&r), bySAT(t), file)
			}
			if full(&r).Core.Minimal {
				g.minimal++
			}
			if full(&r).Core.Argument != nil {
				g.argued++
				sentences, err := words.Argument(full(&r).Instance(), full(&r).Core.Weakening,
					full(&r).Core.Argument, func(op history.OpID) string { return fmt.Sprint(op) })
				require.NoError(t, err, file)
				g.sentences = append(g.sentences, len(sentences))
			}
		}
	}
	total := 0
	for _, name := range []string{"porcupine/jepsen", "porcupine/kv", "knossos/*", "fastlin/*", "violin/simple",
		"violin/small"} {
		g := groups[name]
		require.NotNil(t, g, name)
		slices.Sort(g.facts)
		slices.Sort(g.sentences)
		slices.Sort(g.times)
		n := len(g.facts)
		total += n
		t.Logf("%-17s %3d noes, %3d minimal, %3d argued; facts median %d most %d; sentences median %d most %d; "+
			"median %v slowest %v", name, n, g.minimal, g.argued,
			g.facts[n/2], g.facts[n-1], g.sentences[len(g.sentences)/2], g.sentences[len(g.sentences)-1],
			g.times[n/2].Round(10*time.Microsecond), g.times[n-1].Round(time.Millisecond))
	}
	assert.Greater(t, total, testenv.MoreThan(170))
}

// byOracle decides by definition.
func byOracle(b *model.Instance) engine.Verdict {
	if ok, _ := oracle.Linearizable(b); ok {
		return engine.Linearizable
	}
	return engine.NotLinearizable
}

// TestCoresOfSmallHistoriesAreMinimal checks cores of random histories against the definition.
func TestCoresOfSmallHistoriesAreMinimal(t *testing.T) {
	n := uint64(testenv.Scale(120, 3000))
	for _, s := range specs.All() {
		name := s.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cores, minimal, rechecked, argued := 0, 0, 0, 0
			for seed := range n {
				h, err := gen.Small(name, seed, gen.SmallOptions{})
				require.NoError(t, err)
				r, err := linsat.Check(context.Background(), s, h)
				require.NoError(t, err, "seed %d", seed)
				if r.Verdict != engine.NotLinearizable {
					continue
				}
				about := fmt.Sprintf("%s seed %d: %s", name, seed, show(h))
				assert.True(t, r.Certified, "%s: %s", r.Uncertified, about)
				if full(&r).Core == nil {
					continue
				}
				cores++
				if full(&r).Core.Argument != nil {
					argued++
				}
				if full(&r).Core.Minimal {
					minimal++
				}
				// Some theories tell apart only values that the history can lead to, and which
				// these are changes with what is forgotten: their claims about any state cannot be
				// set against states of the test's choice.
				if !grown(full(&r).Instance()) || full(&r).Core.Weakening.From == 0 {
					rechecked++
					checkMinimal(t, full(&r), byOracle, about)
				}
				if t.Failed() {
					return
				}
			}
			t.Logf("%d cores, %d minimal, %d of them re-checked, %d argued", cores, minimal, rechecked, argued)
			assert.Greater(t, rechecked, testenv.MoreThan(0))
		})
	}
}

// Small cores are minimal where their facts can be tried one by one: of counters, whose past is
// forgotten, and of queues with many pending removals.
func TestSmallCoresAreSettled(t *testing.T) {
	n := uint64(testenv.Scale(8, 40))
	for _, o := range []gen.Options{{Spec: "counter", Operations: 40, Relax: 2},
		{Spec: "queue", Operations: 300, Relax: 4, PendingRate: 0.2}} {
		s, _ := specs.Lookup(o.Spec)
		noes, minimal := 0, 0
		for o.Seed = 20; o.Seed < 20+n; o.Seed++ {
			c, err := gen.Generate(o)
			require.NoError(t, err)
			r, err := linsat.Check(context.Background(), s, c.History,
				linsat.Explain(linsat.ExplainOptions{Time: time.Minute}))
			require.NoError(t, err)
			if r.Verdict != engine.NotLinearizable || full(&r).Core == nil {
				continue
			}
			noes++
			about := fmt.Sprintf("%s seed %d", o.Spec, o.Seed)
			if checkMinimal(t, full(&r), bySAT(t), about); full(&r).Core.Minimal {
				minimal++
			} else {
				t.Log(about, full(&r).Core.NotMinimal)
			}
		}
		t.Logf("%s: %d of %d cores are minimal", o.Spec, minimal, noes)
		assert.Equal(t, noes, minimal)
		assert.Greater(t, noes, testenv.MoreThan(2))
	}
}

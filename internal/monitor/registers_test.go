package monitor

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// step is an operation of a cell in a test: cas where old is set. 0 is null.
type step struct {
	f         string
	old, new  int // of a read: new is what it finds
	fails     bool
	call, ret int // ret < 0: pending
}

// cellOptions says what randomCell may use.
type cellOptions struct {
	pending bool
	swaps   bool
	fails   bool // failed cas
	absent  bool // null comes back, and all changes are cas
	most    int
}

// randomCell makes a small history of a register: a legal run, then up to three changes.
// sample is n under LINSAT_FULL, else a small part of it.
func sample(n int) int { return testenv.Scale(n/20, n) }

func randomCell(rng *rand.Rand, o cellOptions) []step {
	n := 1 + rng.IntN(o.most)
	span := 1 + rng.IntN(3*n)
	length := 1 + rng.IntN(span)
	type timed struct {
		step
		effect float64
	}
	var all []timed
	for range n {
		c := rng.IntN(span)
		s := timed{step{call: c, ret: c + rng.IntN(length+1)}, 0}
		s.effect = float64(c) + rng.Float64()*float64(s.ret-c)
		if o.pending && rng.IntN(6) == 0 {
			s.ret = -1
			s.effect += 3 * rng.Float64()
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b timed) int { return int(1000 * (a.effect - b.effect)) })
	state, fresh := 0, 0
	seen := []int{0}
	var steps []step
	for _, s := range all {
		s := s.step
		kind := rng.IntN(3)
		switch {
		case kind == 0 || kind == 1 && o.absent:
			s.f, s.new = "read", state
		case kind == 1 || !o.swaps && !o.absent:
			fresh++
			s.f, s.new = "write", fresh
		case o.fails && rng.IntN(3) == 0:
			fresh++
			s.f, s.old, s.new = "cas", seen[rng.IntN(len(seen))], fresh
			s.fails = s.old != state
		case o.absent && state != 0 && rng.IntN(2) == 0:
			s.f, s.old = "cas", state
		default:
			fresh++
			s.f, s.old, s.new = "cas", state, fresh
		}
		if s.f != "read" && !s.fails && (s.ret >= 0 || rng.IntN(2) == 0) {
			state = s.new
			seen = append(seen, state)
		}
		steps = append(steps, s)
	}
	for range rng.IntN(4) {
		s := &steps[rng.IntN(n)]
		switch rng.IntN(4) {
		case 0:
			if s.f == "read" {
				s.new = rng.IntN(fresh + 2)
			}
		case 1:
			if s.f == "cas" {
				if s.old = rng.IntN(fresh + 1); s.old == s.new {
					s.old = (s.new + 1) % (fresh + 1)
				}
			}
		case 2:
			if s.ret >= 0 {
				s.call = max(0, s.call+rng.IntN(5)-2)
				s.ret = max(s.call, s.ret+rng.IntN(5)-2)
			}
		case 3:
			other := &steps[rng.IntN(n)]
			s.call, s.ret, other.call, other.ret = other.call, other.ret, s.call, s.ret
		}
	}
	return steps
}

// bindCell makes a bound cas-register of steps, each of a process of its own; with keys a kv with
// as many keys.
func bindCell(t testing.TB, steps []step, keys int) *model.Instance {
	t.Helper()
	b := history.NewBuilder()
	value := func(v int) history.Value {
		if v == 0 {
			return history.Nil
		}
		return b.Values.Int(int64(v))
	}
	for i, s := range steps {
		r := history.Record{Process: b.Process(fmt.Sprint(i)), Key: history.NoKey, Call: int64(s.call),
			Return: int64(s.ret)}
		if keys > 0 {
			r.Key = b.Values.Int(int64(i % keys))
		}
		if s.ret < 0 {
			r.Pending = true
		}
		r.F = b.Values.String(map[string]string{"read": "get", "write": "put", "cas": "cas"}[s.f])
		switch s.f {
		case "read":
			r.Result = value(s.new)
		case "write":
			r.Arg = value(s.new)
		case "cas":
			r.Arg, r.Result = b.Values.List([]history.Value{value(s.old), value(s.new)}), b.Values.Bool(!s.fails)
		}
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	name := "cas-register"
	if keys > 0 {
		name = "kv"
	}
	return bindAs(t, name, model.Whole(h))
}

func bindAs(t testing.TB, name string, p *model.Partition) *model.Instance {
	t.Helper()
	s := testkit.Spec(t, name)
	b, err := s.Bind(p)
	require.NoError(t, err)
	return b
}

// plainly asks for plain linearizability.
func plainly(t testing.TB, b *model.Instance) engine.Answer {
	t.Helper()
	a, err := New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
	require.NoError(t, err)
	return a
}

// judged has the verifier check an answer about cells, whatever it is.
func judged(b *model.Instance, a engine.Answer) error {
	if a.Verdict == engine.Linearizable {
		return verify.Witness(b, a.Witness)
	}
	if a.Proof == nil { // of two values
		_, err := verify.Exhausted(b, proof.Everything(), base.MaxNodes)
		return err
	}
	return verify.Proof(context.Background(), nil, b, a.Proof)
}

// tally counts what became of the histories of a test.
type tally struct{ yes, no, open, mine int }

// compare compares the engine with brute force on b and counts.
func (n *tally) compare(t testing.TB, b *model.Instance, what string) bool {
	a := plainly(t, b)
	if a.Verdict == engine.Unknown {
		n.open++
		if a.Cause != engine.Unsupported {
			n.mine++
		}
		return true
	}
	want, _ := oracle.Linearizable(b)
	if want {
		n.yes++
	} else {
		n.no++
	}
	ok := assert.Equal(t, want, a.Verdict == engine.Linearizable, "%s: %v", what, a.Proof)
	ok = assert.NoError(t, judged(b, a), "%s: %v %v", what, a.Verdict, a.Proof) && ok
	if a.Verdict == engine.Linearizable {
		ok = assert.NoError(t, oracle.Replay(b, a.Witness), what) && ok
	}
	return ok
}

func TestRegistersAgreeWithTheDefinition(t *testing.T) {
	for name, o := range map[string]cellOptions{
		"writes":                {most: 8},
		"writes, pending":       {most: 8, pending: true},
		"swaps":                 {most: 8, swaps: true},
		"swaps, pending":        {most: 8, swaps: true, pending: true},
		"failed swaps":          {most: 8, swaps: true, fails: true},
		"failed swaps, pending": {most: 8, swaps: true, fails: true, pending: true},
		"absent":                {most: 8, absent: true},
		"absent, failed":        {most: 7, absent: true, fails: true},
		"absent, pending":       {most: 7, absent: true, pending: true},
	} {
		t.Run(name, func(t *testing.T) {
			var n tally
			for seed := range uint64(sample(14_000)) {
				rng := rand.New(rand.NewPCG(seed, 1))
				steps := randomCell(rng, o)
				if !n.compare(t, bindCell(t, steps, 0), fmt.Sprintf("seed %d: %+v", seed, steps)) {
					return
				}
			}
			total := n.yes + n.no + n.open
			assert.Greater(t, n.yes, total/10)
			assert.Greater(t, n.no, total/20)
			if !o.absent && !o.fails {
				assert.Zero(t, n.mine)
			}
			if o.fails {
				assert.Less(t, n.mine, total/20)
			}
			t.Logf("%+v", n)
		})
	}
}

// TestMapsAreDecidedAsAWhole decides maps in one piece.
func TestMapsAreDecidedAsAWhole(t *testing.T) {
	var n tally
	for seed := range uint64(sample(14_000)) {
		rng := rand.New(rand.NewPCG(seed, 2))
		o := cellOptions{most: 5, swaps: true, pending: seed%2 == 0, fails: seed%3 == 0, absent: seed%5 == 0}
		a, b := randomCell(rng, o), randomCell(rng, o)
		var steps []step
		for i := range max(len(a), len(b)) {
			steps = append(steps, a[i%len(a)], b[i%len(b)])
		}
		if len(steps) > 8 {
			steps = steps[:8]
		}
		if !n.compare(t, bindCell(t, steps, 2), fmt.Sprintf("seed %d: %+v", seed, steps)) {
			return
		}
	}
	assert.Greater(t, min(n.yes, n.no), testenv.MoreThan(30))
	t.Logf("%+v", n)
}

// TestSmallHistoriesAgreeWithTheDefinition takes the histories that all engines are compared on:
// sets and locks, with repeated elements, by element and whole.
func TestSmallHistoriesAgreeWithTheDefinition(t *testing.T) {
	for _, name := range []string{"set", "mutex", "register", "cas-register", "kv", "multi-register"} {
		for _, scope := range []model.Partitioning{model.ByKey, model.Unpartitioned} {
			t.Run(name+"/"+scope.String(), func(t *testing.T) {
				s, _ := specs.Lookup(name)
				var n tally
				for seed := range uint64(sample(6_000)) {
					h, err := gen.Small(name, seed, gen.SmallOptions{Most: 9, NoEdges: seed%8 != 0,
						NoPending: seed%3 == 0, Distinct: seed%2 == 0})
					require.NoError(t, err)
					for _, p := range model.Split(s, h, scope) {
						if !n.compare(t, bindAs(t, name, p), fmt.Sprintf("seed %d part %s", seed, p.Name)) {
							return
						}
					}
				}
				assert.Greater(t, min(n.yes, n.no), testenv.MoreThan(10))
				t.Logf("%+v", n)
			})
		}
	}
}

// randomBit makes a small history of one element of a set: intervals, then results of a legal run,
// some flipped.
func randomBit(rng *rand.Rand, pending bool, most int) []step {
	n := 1 + rng.IntN(most)
	span := 1 + rng.IntN(3*n)
	length := 1 + rng.IntN(span)
	var steps []step
	var effect []float64
	for range n {
		c := rng.IntN(span)
		s := step{f: []string{"add", "remove", "contains"}[rng.IntN(3)], call: c, ret: c + rng.IntN(length+1)}
		effect = append(effect, float64(c)+rng.Float64()*float64(s.ret-c))
		if pending && rng.IntN(5) == 0 {
			s.ret = -1
		}
		steps = append(steps, s)
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(1000 * (effect[a] - effect[b])) })
	there := false
	for _, i := range order {
		s := &steps[i]
		if s.ret < 0 && rng.IntN(2) == 0 {
			continue
		}
		switch s.f {
		case "add":
			s.fails, there = there, true
		case "remove":
			s.fails, there = !there, false
		default:
			s.fails = !there
		}
	}
	for range rng.IntN(3) {
		steps[rng.IntN(n)].fails = rng.IntN(2) == 0
	}
	return steps
}

func bindBit(t testing.TB, steps []step) *model.Instance {
	t.Helper()
	b := history.NewBuilder()
	for i, s := range steps {
		r := history.Record{Process: b.Process(fmt.Sprint(i)), Key: history.NoKey, F: b.Values.String(s.f),
			Arg:    b.Values.Int(7),
			Result: b.Values.Bool(!s.fails), Call: int64(s.call), Return: int64(s.ret)}
		if s.ret < 0 {
			r.Pending = true
		}
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return bindAs(t, "set", model.Whole(h))
}

func TestTogglesAgreeWithTheDefinition(t *testing.T) {
	for _, pending := range []bool{false, true} {
		t.Run(fmt.Sprintf("pending=%v", pending), func(t *testing.T) {
			var n tally
			for seed := range uint64(sample(40_000)) {
				rng := rand.New(rand.NewPCG(seed, 3))
				steps := randomBit(rng, pending, 9)
				if !n.compare(t, bindBit(t, steps), fmt.Sprintf("seed %d: %+v", seed, steps)) {
					return
				}
			}
			assert.Zero(t, n.open)
			assert.Greater(t, min(n.yes, n.no), (n.yes+n.no)/10)
			t.Logf("%+v", n)
		})
	}
}

// TestLinearizableRegistersAreNotRefuted tries all refutations by a few operations on linearizable
// histories: the verifier accepts none.
func TestLinearizableRegistersAreNotRefuted(t *testing.T) {
	tried := 0
	for seed := range uint64(sample(2_000)) {
		rng := rand.New(rand.NewPCG(seed, 4))
		steps := randomCell(rng, cellOptions{most: 6, swaps: true, pending: seed%2 == 0, fails: seed%3 == 0,
			absent: seed%4 == 0})
		b := bindCell(t, steps, 0)
		if ok, _ := oracle.Linearizable(b); !ok {
			continue
		}
		tried++
		names := []history.OpID{proof.Initial, proof.NoOp}
		for i := range steps {
			names = append(names, history.OpID(i))
		}
		var each func(rule proof.RegisterRule, left int, ops []history.OpID)
		each = func(rule proof.RegisterRule, left int, ops []history.OpID) {
			if left == 0 {
				r := &proof.RegisterConflict{Rule: rule, Ops: ops}
				require.Error(t, verify.RegisterConflict(b, r), "seed %d: %+v %v %v", seed, steps, rule, ops)
				return
			}
			for _, i := range names {
				each(rule, left-1, append(ops, i))
			}
		}
		for rule, count := range map[proof.RegisterRule]int{proof.RegisterNoMode: 1, proof.RegisterUnwritten: 1,
			proof.RegisterCircle: 1, proof.RegisterTwoTakers: 2,
			proof.RegisterBackwards: 2, proof.RegisterEntangled: 4, proof.RegisterBetween: 3} {
			each(rule, count, nil)
		}
	}
	assert.Greater(t, tried, testenv.MoreThan(30))
}

// TestHalvesAgreeWithTheWhole decides whole histories in two halves and in one, and wants the same
// answers with the same reasons.
func TestHalvesAgreeWithTheWhole(t *testing.T) {
	decide := func(b *model.Instance, theory *model.RegisterTheory, beside bool) engine.Answer {
		k := cellsPool.Get().(*cells)
		defer k.release()
		k.p, k.ops, k.c = &engine.Problem{Instance: b}, b.Partition.Ops, theory
		return k.decide(context.Background(), beside)
	}
	for _, name := range []string{"set", "kv", "mutex", "register"} {
		var n [3]int
		for seed := range uint64(sample(20_000)) {
			s, _ := specs.Lookup(name)
			h, err := gen.Small(name, seed, gen.SmallOptions{Most: 9, Keys: 3, NoEdges: true, NoPending: seed%3 == 0,
				Distinct: seed%2 == 0})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			theory, ok := b.Axiomatic().(*model.RegisterTheory)
			if !ok || len(theory.Init) < 2 || len(h.Edges) > 0 {
				continue
			}
			a := decide(b, theory, false)
			require.Equal(t, a, decide(b, theory, true), "%s seed %d", name, seed)
			if a.Verdict != engine.Unknown {
				require.NoError(t, judged(b, a), "%s seed %d", name, seed)
			}
			n[a.Verdict]++
		}
		require.Greater(t, min(n[engine.Linearizable], n[engine.NotLinearizable]), testenv.MoreThan(20), name)
		t.Logf("%s: %v", name, n)
	}
}

// TestEmptyPartitionsAreLinearizable decides a partition without operations after one with some,
// whose scratch it gets.
func TestEmptyPartitionsAreLinearizable(t *testing.T) {
	for seed := range uint64(50) {
		c, err := gen.Generate(gen.Options{Spec: "set", Operations: 20, Processes: 2, Values: 1, Seed: seed})
		require.NoError(t, err)
		b := bindAs(t, "set", model.Whole(c.History))
		require.NoError(t, judged(b, plainly(t, b)))
		p := *b.Partition
		p.Ops = nil
		for _, name := range []string{"set", "kv", "register", "mutex"} {
			b := bindAs(t, name, &p)
			a := plainly(t, b)
			require.Equal(t, engine.Linearizable, a.Verdict)
			require.NoError(t, verify.Witness(b, a.Witness))
		}
	}
}

// TestManyElementsAreDecidedInHalves takes a history that is long enough for two halves, of many
// elements, and one with a wrong result near either end.
func TestManyElementsAreDecidedInHalves(t *testing.T) {
	refuted := 0
	for seed := range uint64(3) {
		c, err := gen.Generate(gen.Options{Spec: "set", Operations: 2 * longPart, Processes: 8,
			Values: longPart / 4, Seed: seed})
		require.NoError(t, err)
		b := bindAs(t, "set", model.Whole(c.History))
		a := plainly(t, b)
		require.Equal(t, engine.Linearizable, a.Verdict)
		require.NoError(t, verify.Witness(b, a.Witness))
		for _, from := range []int{100, longPart, 2*longPart - 100} {
			p := *b.Partition
			p.Ops = slices.Clone(p.Ops)
			at := slices.IndexFunc(p.Ops[from:], func(o history.Op) bool {
				name, _ := c.History.Values.AsString(o.F)
				return name == "contains" && !o.Unknown
			})
			require.GreaterOrEqual(t, at, 0)
			o := &p.Ops[from+at]
			o.Result = history.True + history.False - o.Result
			wrong := bindAs(t, "set", &p)
			a := plainly(t, wrong)
			require.NoError(t, judged(wrong, a), "seed %d from %d", seed, from)
			if a.Verdict == engine.NotLinearizable {
				refuted++
			}
		}
	}
	require.GreaterOrEqual(t, refuted, 6)
}

package conformance_test

// The claims of sentences, on the whole histories that they are about: what explanations say of
// recorded, generated and small random violations of every specification, with operations that
// never returned, whose results were forgotten, and with repeated values. Each claim holds, and
// where the history is small, holds by a definition that shares nothing with package claim: with
// the machine of the specification, or with what the history says as text.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/monitor"
	"github.com/linsat/linsat/internal/proof"
	quasiexplain "github.com/linsat/linsat/internal/quasi/explain"
	quasimonitor "github.com/linsat/linsat/internal/quasi/monitor"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// claims judges explanations and counts what it saw.
type claims struct {
	*testing.T
	kinds     map[string]int // claims of each type
	judged    map[string]int // those that were judged by definition, too
	told      map[string]int // explanations by the kind of proof and its rule, or by axiom
	plain, of int            // sentences that say no more than the proof, of all of arguments
}

func newClaims(t *testing.T) *claims {
	return &claims{T: t, kinds: map[string]int{}, judged: map[string]int{}, told: map[string]int{}}
}

func (c *claims) judge(b *model.Instance, view int32, told []claim.Sentence, about string) {
	whole, definition := claim.Of(b, view), byDefinition(b, view)
	for _, s := range told {
		require.NotEmpty(c, s.Claims(), about)
		for _, x := range s.Claims() {
			kind := strings.TrimPrefix(reflect.TypeOf(x).String(), "claim.")
			c.kinds[kind]++
			holds, err := whole.Holds(x)
			assert.NoError(c, err, "%s: %v", about, s)
			assert.True(c, holds, "%s: %v: %s %+v", about, s, kind, x)
			if holds, known := definition.holds(x); known {
				c.judged[kind]++
				assert.True(c, holds, "%s: %v: by definition, %s %+v is false", about, s, kind, x)
			}
		}
	}
}

// check judges what is said of a history that is a violation.
func (c *claims) check(h *history.History, about string) {
	s, ok := specs.Lookup(h.Spec)
	require.True(c, ok, h.Spec)
	r, err := linsat.Check(context.Background(), s, h)
	require.NoError(c, err)
	f := full(&r)
	if r.Verdict != engine.NotLinearizable {
		return
	}
	view := int32(0)
	if f.Core != nil && f.Core.Argument != nil {
		view = f.Core.Weakening.View
		c.axioms(f.Core.Argument)
	} else if e, ok := f.Proof.(*proof.SumConflict); ok {
		view = e.View
	}
	told := words.Told(f)
	for _, s := range told {
		c.of++
		if plainly(s) {
			c.plain++
		}
	}
	if f.Proof != nil {
		c.told["kind "+string(f.Proof.Kind())]++
	}
	c.judge(f.Instance(), view, told, about)
}

// evidence judges what is said of the evidence of the monitor about every partition of a history.
func (c *claims) evidence(h *history.History, about string) {
	s, ok := specs.Lookup(h.Spec)
	require.True(c, ok, h.Spec)
	for _, p := range model.Split(s, h, model.ByKey) {
		b, err := s.Bind(p)
		require.NoError(c, err)
		a, err := monitor.New().Check(context.Background(), &engine.Problem{Instance: b}, engine.NewBudget(0, 0))
		require.NoError(c, err)
		if a.Verdict != engine.NotLinearizable || a.Proof == nil {
			continue
		}
		view := int32(0)
		rule := ""
		switch e := a.Proof.(type) {
		case *proof.CollectionConflict:
			rule = e.Rule.String()
		case *proof.RegisterConflict:
			rule = e.Rule.String()
		case *proof.HoldConflict:
			rule = e.Rule.String()
		case *proof.GrowthConflict:
			rule = e.Rule.String()
		case *proof.SumConflict:
			view = e.View
		}
		told, _, err := words.Evidence(b, a.Proof, func(op history.OpID) string {
			return words.Numbered(b.Partition, op)
		})
		if err != nil {
			continue // nothing that names operations
		}
		name := strings.TrimSpace("kind " + string(a.Proof.Kind()) + " " + rule)
		c.told[name]++
		if c.of++; plainly(told[0]) {
			c.plain++
		}
		c.judge(b, view, told, about)
	}
}

// axioms counts those that an argument uses.
func (c *claims) axioms(a *proof.Node) {
	for _, s := range a.Steps {
		c.told["axiom "+string(s.Axiom)]++
	}
	if a.Split != nil {
		c.told["axiom "+string(a.Split.Axiom)]++
		for _, below := range a.Split.Cases {
			c.axioms(below)
		}
	}
}

// argument judges what is said of an argument about every partition of a history.
func (c *claims) argument(h *history.History, weakening *proof.Weakening, about string) {
	s, _ := specs.Lookup(h.Spec)
	for _, p := range model.Split(s, h, model.ByKey) {
		b, err := s.Bind(p)
		require.NoError(c, err)
		if cells, ok := b.Axiomatic().(*model.RegisterTheory); b.Axiomatic() == nil || model.Derived(b.Axiomatic()) ||
			weakening.AnyStart && (!ok || cells.FromInit) {
			continue
		}
		proved, err := explain.Prove(context.Background(), b, weakening, 500)
		require.NoError(c, err)
		if proved.Argument == nil {
			continue
		}
		told, err := words.Argument(b, weakening, proved.Argument, func(op history.OpID) string {
			return words.Numbered(b.Partition, op)
		})
		require.NoError(c, err)
		c.told["kind "+string(proof.KindArgument)]++
		c.axioms(proved.Argument)
		for _, s := range told {
			if c.of++; plainly(s) {
				c.plain++
			}
		}
		c.judge(b, 0, told, about)
	}
}

// quasi judges what is said of refutations under a factor.
func (c *claims) quasi() {
	for seed := range uint64(testenv.Scale(60, 5000)) {
		h, err := gen.Small("queue", seed, gen.SmallOptions{Least: 4, Most: 8, Keys: 1, Distinct: true, NoEdges: true,
			NoPending: true})
		require.NoError(c, err)
		b, err := specs.Queue().Bind(model.Whole(h))
		require.NoError(c, err)
		q := &quasi.Question{Factor: quasi.Factor{0, int32(seed % 3), 0}, Drain: true}
		a, err := quasimonitor.New().Check(context.Background(), &engine.Task{Instance: b, Quasi: q}, nil)
		require.NoError(c, err)
		if p, ok := a.Proof.(*proof.Displacement); ok {
			told, _, err := quasiexplain.Sentences(b, q, p, func(op history.OpID) string {
				return words.Numbered(b.Partition, op)
			})
			require.NoError(c, err)
			c.told["kind "+string(proof.KindDisplacement)]++
			c.judge(b, 0, told, fmt.Sprintf("a factor, seed %d", seed))
		}
	}
}

// widened looks at what is said of proofs about widenings.
func (c *claims) widened() {
	for seed := range uint64(testenv.Scale(60, 2000)) {
		h, err := gen.Small("counter", seed, gen.SmallOptions{Most: 6, Keys: 1, NoEdges: true})
		require.NoError(c, err)
		r, err := linsat.Check(context.Background(), specs.Counter(), h,
			linsat.Explain(linsat.ExplainOptions{Cores: linsat.AnyCore}),
			linsat.Quasi(quasi.Question{Factor: quasi.Factor{0, 0, 1, 0}}))
		require.NoError(c, err)
		if f := full(&r); f.Proof != nil && f.Proof.Kind() == proof.KindWidening {
			told := words.Told(f)
			require.Greater(c, len(told), 1)
			require.Equal(c, "In ρ″, within tickets=1:", told[0].String())
			require.Contains(c, told[len(told)-1].String(), "CONTRADICTION: ")
			c.told["kind "+string(proof.KindWidening)]++
			c.judge(f.Instance(), 0, told, fmt.Sprintf("a widening, seed %d", seed))
		}
	}
}

// plainly reports whether a sentence says no more than that something is wrong.
func plainly(s claim.Sentence) bool {
	return strings.Contains(s.String(), "do not fit each other") ||
		strings.Contains(s.String(), "does not fit the others")
}

func TestClaimsAreTrueOfTheWhole(t *testing.T) {
	c := newClaims(t)
	for _, s := range specs.All() {
		name := s.Info().Name
		for seed := range uint64(testenv.Scale(40, 1500)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Distinct: seed%2 == 0})
			require.NoError(t, err)
			c.check(h, fmt.Sprintf("%s, seed %d", name, seed))
		}
		for _, v := range gen.Violations() {
			for seed := range uint64(testenv.Scale(1, 5)) {
				g, err := gen.Generate(gen.Options{Spec: name, Operations: testenv.Scale(14, 30), Violation: v,
					Seed: seed, PendingRate: 0.02 * float64(seed%2)})
				if err == nil {
					c.check(g.History, fmt.Sprintf("%s of %s, seed %d", v, name, seed))
				}
			}
		}
	}
	files, err := filepath.Glob("../../examples/histories/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, folder := range []string{"violin/small/*", "fastlin/*", "knossos/*", "porcupine/*"} {
		if dir, ok := testenv.RecordedIfAny(filepath.FromSlash(folder)); ok {
			more, err := filepath.Glob(filepath.Join(dir, "*"))
			require.NoError(t, err)
			files = append(files, more...)
		}
	}
	for _, file := range files {
		h, err := history.ReadFile(file, history.ReadOptions{})
		if err != nil {
			continue // not a history
		}
		if h.Spec == "" {
			guess, err := specs.Recognise(h)
			if err != nil {
				continue
			}
			h.Spec = guess.Spec.Info().Name
		}
		c.check(h, file)
	}
	t.Logf("%d of %d sentences say no more than the proof; claims %v; judged by definition %v", c.plain, c.of,
		c.kinds, c.judged)
	assert.Less(t, 50*c.plain, c.of)
	for _, kind := range []string{"Before", "Confined", "Fillers", "OnlyFrom", "NeverPutIn", "PutInOnly", "Stays",
		"Sum", "TakenOut"} {
		assert.Greater(t, c.judged[kind], testenv.MoreThan(5), kind)
	}
}

// What is true of the beginning of a history is told as that where others come later.
func TestSentencesSayWhenOthersComeLater(t *testing.T) {
	for says, text := range map[string]string{
		"be released only once by then, by": `{"spec": "mutex", "operations": [
			{"process": 0, "f": "acquire", "call": 0, "return": 9}, {"process": 1, "f": "acquire", "call": 1, "return": 8}, {"process": 2, "f": "acquire", "call": 2, "return": 7},
			{"process": 3, "f": "release", "call": 0, "return": 9}, {"process": 3, "f": "release", "call": 20, "return": 21}]}`,
		"1 is taken out at least twice, by": `{"spec": "queue", "operations": [
			{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "deq", "result": 1, "call": 2, "return": 3}, {"process": 1, "f": "deq", "result": 1, "call": 2, "return": 4},
			{"process": 1, "f": "deq", "result": 1, "call": 6, "return": 7}]}`,
	} {
		h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
		require.NoError(t, err)
		_, sentences := sentencesOf(t, h)
		assert.Contains(t, strings.Join(sentences, "\n"), says)
	}
	// A read leads to nothing.
	h, err := history.Read(
		strings.NewReader(
			`{"spec": "cas-register", "operations": [{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 1},
		{"process": 0, "f": "cas", "arg": [1, 2], "result": true, "call": 2, "return": 3}, {"process": 1, "f": "read", "result": 1, "call": 4, "return": 5}]}`), history.ReadOptions{})
	require.NoError(t, err)
	b, err := specs.CASRegister().Bind(model.Whole(h))
	require.NoError(t, err)
	told, _, err := words.Evidence(b, &proof.RegisterConflict{Rule: proof.RegisterBackwards,
		Ops: []history.OpID{2, 1}}, func(op history.OpID) string { return words.Numbered(b.Partition, op) })
	require.NoError(t, err)
	assert.Equal(t,
		"CONTRADICTION: what read → 1 (#2) and cas [1, 2] → true (#1) find and leave can only come of one write, and "+
			"read → 1 (#2) comes first then, yet it was called after the other returned.", told[0].String())
}

// rare are violations by axioms and rules that random histories hardly ever need.
var rare = []string{
	`{"spec": "stack", "operations": [{"process": 0, "f": "push", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "push", "arg": 2, "call": 2, "return": 3},
		{"process": 0, "f": "pop", "result": 1, "call": 4, "return": 5}, {"process": 0, "f": "pop", "result": 2, "call": 6, "return": 7}]}`,
	`{"spec": "priority-queue", "operations": [{"process": 0, "f": "insert", "arg": 1, "call": 0, "return": 1}, {"process": 1, "f": "insert", "arg": 2, "call": 0, "return": 1},
		{"process": 0, "f": "deletemin", "result": 2, "call": 4, "return": 5}, {"process": 0, "f": "deletemin", "result": 1, "call": 6, "return": 7}]}`,
}

// quietly are the proofs whose sentences claim no more than that they were checked.
func quietly(b *model.Instance) []proof.Proof {
	all := proof.Everything()
	return []proof.Proof{&proof.Exhaustion{Weakening: all, Cases: 3}, &proof.Pairing{Weakening: all, Cases: 3},
		&proof.Saturation{Weakening: all, Cases: 3}, &proof.Clausal{Clauses: 2}, &proof.DualBound{}}
}

// rules calls every with all rules of a kind of proof, from the first on, that have a name.
func rules[R interface {
	~uint8
	String() string
}](every func(format string, names ...string), kind string, first R) {
	for r := first; r.String() != fmt.Sprintf("rule %d", uint8(r)); r++ {
		every("kind "+kind+" %s", r.String())
	}
}

func TestEveryRuleHasClaims(t *testing.T) {
	c := newClaims(t)
	for _, s := range specs.All() {
		name := s.Info().Name
		for seed := range uint64(testenv.Scale(900, 20_000)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Distinct: seed%2 == 0, Most: 8 + int(seed%3)*3, Keys: 1})
			require.NoError(t, err)
			about := fmt.Sprintf("%s, seed %d", name, seed)
			c.evidence(h, about)
			switch seed % 8 {
			case 0:
				c.argument(h, proof.Everything(), about)
			case 1:
				c.argument(h, &proof.Weakening{Cut: history.Never, AnyStart: true}, about)
			}
		}
	}
	for seed := range uint64(testenv.Scale(600, 20_000)) {
		h, err := gen.GrowingSet(seed, 8)
		require.NoError(t, err)
		h.Spec = "set"
		c.evidence(h, fmt.Sprintf("a growing set, seed %d", seed))
	}
	for seed := range uint64(testenv.Scale(300, 20_000)) {
		h, err := gen.Small("multi-register", seed, gen.SmallOptions{Most: 9, Keys: 3})
		require.NoError(t, err)
		c.evidence(h, fmt.Sprintf("transactions on several registers, seed %d", seed))
	}
	for _, text := range rare {
		h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
		require.NoError(t, err)
		c.argument(h, proof.Everything(), text)
		c.evidence(h, text)
	}
	c.quasi()
	c.widened()
	h, err := history.ReadFile("../../examples/histories/stale-read.json", history.ReadOptions{})
	require.NoError(t, err)
	r, err := linsat.Check(context.Background(), specs.CASRegister(), h)
	require.NoError(t, err)
	for _, p := range quietly(full(&r).Instance()) {
		f := *full(&r)
		f.Core, f.Proof, f.Furthest = nil, p, nil
		told := words.Told(&f)
		require.NotEmpty(t, told, "%v", p.Kind())
		c.told["kind "+string(p.Kind())]++
		c.judge(f.Instance(), 0, told, string(p.Kind()))
	}
	t.Logf("%d of %d pieces of evidence are told plainly; claims %v; judged by definition %v; told %v", c.plain, c.of,
		c.kinds, c.judged, c.told)
	assert.Less(t, 50*c.plain, c.of)
	every := func(format string, names ...string) {
		for _, name := range names {
			assert.Greater(t, c.told[fmt.Sprintf(format, name)], testenv.MoreThan(0), format, name)
		}
	}
	for _, kind := range proof.Kinds() {
		switch kind {
		case proof.KindCollectionConflict, proof.KindRegisterConflict, proof.KindGrowthConflict, proof.KindHoldConflict:
			continue // by rule
		}
		every("kind %s", string(kind))
	}
	source, err := os.ReadFile("../proof/axioms.go")
	require.NoError(t, err)
	axioms := regexp.MustCompile(`Axiom\s+= "(\w+)"`).FindAllSubmatch(source, -1)
	require.NotEmpty(t, axioms)
	for _, a := range axioms {
		every("axiom %s", string(a[1]))
	}
	rules(every, "collection-conflict", proof.RemovedTwice)
	rules(every, "register-conflict", proof.RegisterNoMode)
	rules(every, "growth-conflict", proof.GrowthTwice)
	rules(every, "hold-conflict", proof.HoldOwn)
	// Rules of logs have no names in proofs; each makes claims of its own.
	for _, kind := range []string{"OneOffset", "Differ", "NotAppended", "Appended"} {
		assert.Greater(t, c.kinds[kind], testenv.MoreThan(0), kind)
	}
}

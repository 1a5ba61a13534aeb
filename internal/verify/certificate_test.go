package verify_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/monitor"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// certificate makes the certificate of a small history, from the oracle and the prover, and says
// what the answer is.
func certificate(t *testing.T, s model.Spec, h *history.History, scope model.Partitioning) (c *verify.Certificate,
	linearizable bool) {
	q := verify.Question{Spec: s, Partition: scope}
	yes := verify.NewCertificate(h, q, engine.Linearizable)
	for _, p := range model.Split(s, h, scope) {
		b, err := s.Bind(p)
		require.NoError(t, err)
		part := verify.PartitionOf(p)
		ok, witness := oracle.Linearizable(b)
		if ok {
			part.Witness = witness
			yes.Partitions = append(yes.Partitions, part)
			continue
		}
		no := verify.NewCertificate(h, q, engine.NotLinearizable)
		weakening := proof.Everything()
		if b.Axiomatic() != nil {
			proved, err := explain.Prove(context.Background(), b, weakening, 0)
			require.NoError(t, err)
			if proved.Argument != nil {
				part.Proof = &proof.Argument{Weakening: weakening, Tree: proved.Argument}
			}
		}
		if part.Proof == nil {
			nodes, err := verify.Exhausted(b, weakening, base.MaxNodes)
			require.NoError(t, err)
			part.Proof = &proof.Exhaustion{Weakening: weakening, Cases: nodes}
		}
		no.Partitions = append(no.Partitions, part)
		return no, false
	}
	return yes, true
}

func written(t *testing.T, c *verify.Certificate) string {
	var b bytes.Buffer
	require.NoError(t, verify.WriteCertificate(&b, c))
	return b.String()
}

func reread(t *testing.T, text string) *verify.Certificate {
	c, err := verify.ReadCertificate(strings.NewReader(text))
	require.NoError(t, err, text)
	return c
}

// Certificates of all specifications are accepted after a way through JSON; what is altered in the
// text is refused, or the verdict is true all the same.
func TestCertificatesAreVerified(t *testing.T) {
	n := uint64(testenv.Scale(40, 400))
	yes, no, searched, refused, kept := 0, 0, 0, 0, 0
	for _, s := range specs.All() {
		name := s.Info().Name
		for seed := range n {
			h, err := gen.Small(name, seed, gen.SmallOptions{})
			require.NoError(t, err)
			q := verify.Question{Spec: s, Partition: model.Partitioning(seed % 3)}
			c, linearizable := certificate(t, s, h, q.Partition)
			where := fmt.Sprintf("%s seed %d", name, seed)
			text := written(t, c)
			require.NoError(t, verify.Verify(context.Background(), h, q, reread(t, text)), "%s\n%s", where, text)
			validates(t, text)
			if linearizable {
				yes++
			} else if no++; c.Partitions[0].Proof.Kind() == proof.KindExhaustion {
				searched++
			}
			// The opposite verdict has no proof.
			opposite := reread(t, text)
			opposite.Verdict = map[bool]engine.Verdict{true: engine.NotLinearizable,
				false: engine.Linearizable}[linearizable]
			require.Error(t, verify.Verify(context.Background(), h, q, opposite), where)

			rng := rand.New(rand.NewPCG(seed, 9))
			for range 10 {
				bad, err := verify.ReadCertificate(strings.NewReader(garbled(rng, text)))
				if err != nil || verify.Verify(context.Background(), h, q, bad) != nil {
					refused++
					continue
				}
				kept++
				require.Equal(t, c.Verdict, bad.Verdict, "%s: an altered certificate proves what is wrong", where)
			}
			// A history altered so that the answer is another one.
			for range 4 {
				g := changed(rng, h)
				if _, err := s.Bind(model.Whole(g)); err != nil {
					continue
				}
				if now := reallyLinearizable(t, s, g); now != linearizable {
					require.Error(t, verify.Verify(context.Background(), g, q, c), "%s: after the history was altered",
						where)
				}
			}
		}
	}
	t.Logf("%d yes, %d no (%d by trying again); %d altered certificates refused, %d still valid", yes, no,
		searched, refused, kept)
	assert.Greater(t, searched, testenv.MoreThan(10))
	assert.Greater(t, refused, yes+no)
}

func reallyLinearizable(t *testing.T, s model.Spec, h *history.History) bool {
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	ok, _ := oracle.Linearizable(b)
	return ok
}

// garbled changes a few characters: digits mostly, so that it stays readable.
func garbled(rng *rand.Rand, text string) string {
	b := []byte(text)
	for range 1 + rng.IntN(2) {
		var digits []int
		for i, c := range b {
			if c >= '0' && c <= '9' {
				digits = append(digits, i)
			}
		}
		if len(digits) == 0 || rng.IntN(8) == 0 {
			b[rng.IntN(len(b))] = "0189,:!<\"[]{}-eT "[rng.IntN(17)]
			continue
		}
		b[digits[rng.IntN(len(digits))]] = byte('0' + rng.IntN(10))
	}
	return string(b)
}

// Answers under a relaxation: ρ′ and ρ″ of the oracle, refutations of the monitor.
func TestQuasiCertificatesAreVerified(t *testing.T) {
	s, _ := specs.Lookup("queue")
	yes, no, refused, kept := 0, 0, 0, 0
	for seed := range uint64(testenv.Scale(300, 3000)) {
		h, err := gen.Small("queue", seed, gen.SmallOptions{Most: 6, NoEdges: true, Keys: 1, Relax: int(seed % 3)})
		require.NoError(t, err)
		r, err := quasi.Parse(s.Info(), fmt.Sprint(seed%2+1))
		require.NoError(t, err)
		relax := &quasi.Question{Factor: r.Factor, Meaning: quasi.Meaning(seed / 2 % 2), Drain: seed%5 < 3}
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		part := verify.PartitionOf(b.Partition)
		ok, witness, rearranged := oracle.QuasiLinearizable(b, *relax)
		verdict := engine.Linearizable
		if ok {
			part.Witness, part.Rearranged = witness, rearranged
			for _, i := range witness {
				if int(i) >= b.Partition.Len() {
					part.Drains++
				}
			}
			yes++
		} else {
			a, err := monitor.New().Check(context.Background(), &engine.Task{Instance: b, Quasi: relax}, nil)
			require.NoError(t, err)
			evidence, found := a.Proof.(*proof.Displacement)
			if !found {
				continue
			}
			verdict = engine.NotLinearizable
			part.Proof = evidence
			no++
		}
		q := verify.Question{Spec: s, Quasi: relax}
		c := verify.NewCertificate(h, q, verdict)
		c.Partitions = append(c.Partitions, part)
		text := written(t, c)
		require.NoError(t, verify.Verify(context.Background(), h, q, reread(t, text)), "seed %d\n%s", seed, text)
		validates(t, text)
		rng := rand.New(rand.NewPCG(seed, 10))
		for range 10 {
			bad, err := verify.ReadCertificate(strings.NewReader(garbled(rng, text)))
			if err != nil || verify.Verify(context.Background(), h, q, bad) != nil {
				refused++
				continue
			}
			kept++
			require.Equal(t, ok, bad.Verdict == engine.Linearizable,
				"seed %d: an altered certificate proves what is wrong", seed)
		}
	}
	t.Logf("%d yes, %d no; %d altered certificates refused, %d still valid", yes, no, refused, kept)
	assert.Greater(t, yes, testenv.MoreThan(50))
	assert.Greater(t, no, testenv.MoreThan(30))
}

// The plain search says what the oracle says, with facts forgotten, too.
func TestPlainSearchAgreesWithTheDefinition(t *testing.T) {
	no := 0
	for _, s := range specs.All() {
		for seed := range uint64(testenv.Scale(60, 1000)) {
			b := bound(t, s, seed)
			c := proof.Everything()
			rng := rand.New(rand.NewPCG(seed, 11))
			if seed%2 == 1 {
				c.Retain = make([]proof.Retained, b.Partition.Len())
				for i := range c.Retain {
					c.Retain[i] = proof.Retained(rng.IntN(3) * rng.IntN(2))
				}
				c.Cut = history.Rank(rng.Int32N(20))
			}
			weak, err := base.Weakened(b, c)
			require.NoError(t, err)
			ok, _ := oracle.Linearizable(weak)
			_, err = verify.Exhausted(b, c, base.MaxNodes)
			require.Equal(t, ok, err != nil, "%s seed %d: %v", s.Info().Name, seed, err)
			require.NotErrorIs(t, err, base.ErrTooLarge)
			if !ok {
				no++
				if nodes, _ := verify.Exhausted(b, c, base.MaxNodes); nodes > 1 {
					_, err = verify.Exhausted(b, c, nodes-1)
					require.ErrorIs(t, err, base.ErrTooLarge)
				}
			}
		}
	}
	assert.Greater(t, no, testenv.MoreThan(100))
}

// What does not belong together is refused.
func TestCertificatesOfOtherHistoriesAreRefused(t *testing.T) {
	s, _ := specs.Lookup("queue")
	other, _ := specs.Lookup("stack")
	h, err := gen.Small("queue", 0, gen.SmallOptions{})
	require.NoError(t, err)
	plain := verify.Question{Spec: s, Partition: model.Unpartitioned}
	factor := verify.Question{Spec: s, Partition: model.Unpartitioned,
		Quasi: &quasi.Question{Factor: quasi.Factor{0, 1, 0}, Drain: true}}
	c, _ := certificate(t, s, h, model.Unpartitioned)
	require.NoError(t, verify.Verify(context.Background(), h, plain, c))
	argument := func(c *verify.Certificate) *proof.Argument { return c.Partitions[0].Proof.(*proof.Argument) }
	stated := &verify.StatedQuasi{Factor: map[string]proof.Bound{"insertions": 0, "removals": 1, "peeks": 0},
		Drain: true}
	for _, x := range []struct {
		what, hint string
		q          verify.Question
		alter      func(c *verify.Certificate)
	}{
		{"about the specification queue, but the question is about stack", "--spec",
			verify.Question{Spec: other, Partition: model.Unpartitioned}, func(*verify.Certificate) {}},
		{"starts from [1], but the history from the initial state of the spec", "--initial", plain,
			func(c *verify.Certificate) { c.Question.Initial = "[1]" }},
		{"split by object, but the question is about one split by none", "--partition", plain,
			func(c *verify.Certificate) { c.Question.Partition = model.ByObject.String() }},
		{"about plain linearizability, but the question is about quasi-linearizability at", "without --quasi", factor,
			func(*verify.Certificate) {}},
		{"at insertions=0,peeks=0,removals=1 (slots, drained), but the question is about plain",
			"--quasi insertions=0,peeks=0,removals=1 --quasi-meaning slots --drain=true", plain,
			func(c *verify.Certificate) { c.Question.Quasi = stated }},
		{"removals=2 (slots, drained), but the question is about quasi-linearizability at " +
			"insertions=0,peeks=0,removals=1 (slots", "removals=2", factor, func(c *verify.Certificate) {
			more := *stated
			more.Factor = map[string]proof.Bound{"insertions": 0, "removals": 2, "peeks": 0}
			c.Question.Quasi = &more
		}},
		{"are about plain linearizability, and the question has a quasi factor", "", factor,
			func(c *verify.Certificate) { c.Question.Quasi = stated }},
		{"about quasi-linearizability, and the question is plain", "", plain, func(c *verify.Certificate) {
			c.Partitions[0].Proof = &proof.Displacement{}
		}},
		{"needs no proof", "", plain, func(c *verify.Certificate) { c.Verdict = engine.Unknown }},
		{"expected one", "", plain, func(c *verify.Certificate) { c.Partitions = nil }},
		{"do not form a partition", "", plain, func(c *verify.Certificate) {
			c.Partitions[0].Operations = c.Partitions[0].Operations[1:]
		}},
		{"no proof is given", "", plain, func(c *verify.Certificate) { c.Partitions[0].Proof = nil }},
		{"a witness of 1 operations", "", plain, func(c *verify.Certificate) {
			c.Partitions[0].Witness = []history.OpID{0}
		}},
		{"what is refuted", "", plain, func(c *verify.Certificate) { argument(c).Weakening = nil }},
		{"what is refuted", "", plain, func(c *verify.Certificate) {
			c.Partitions[0].Proof = &proof.Exhaustion{Cases: 1}
		}},
		{"no case was tried", "", plain, func(c *verify.Certificate) {
			c.Partitions[0].Proof = &proof.Exhaustion{Weakening: proof.Everything()}
		}},
		{"ends without", "", plain, func(c *verify.Certificate) { argument(c).Tree = &proof.Node{} }},
		{"covers 1 operations", "", plain, func(c *verify.Certificate) {
			argument(c).Weakening = &proof.Weakening{Retain: make([]proof.Retained, 1)}
		}},
	} {
		bad := reread(t, written(t, c))
		x.alter(bad)
		var refused *verify.Refusal
		require.ErrorAs(t, verify.Verify(context.Background(), h, x.q, bad), &refused, x.what)
		require.Contains(t, refused.Why, x.what)
		require.Contains(t, refused.Hint, x.hint)
		require.Equal(t, x.hint == "", refused.Hint == "", x.what)
	}
}

// Every kind of proof has a verifier, and none takes a proof that says nothing.
func TestEveryKindHasAVerifier(t *testing.T) {
	h, err := gen.Small("queue", 0, gen.SmallOptions{NoEdges: true})
	require.NoError(t, err)
	s, _ := specs.Lookup("queue")
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	empty := []proof.Proof{&proof.Argument{}, &proof.Exhaustion{}, &proof.RegisterConflict{},
		&proof.CollectionConflict{}, &proof.SumConflict{}, &proof.LogConflict{},
		&proof.HoldConflict{}, &proof.GrowthConflict{}, &proof.DualBound{}, &proof.Displacement{}, &proof.Pairing{},
		&proof.Saturation{}, &proof.Clausal{}, &proof.DependencyCycles{}, &proof.Widening{}}
	require.Len(t, empty, len(proof.Kinds()))
	factor := &quasi.Question{Factor: quasi.Factor{0, 1, 0}}
	for _, p := range empty {
		for _, q := range []*quasi.Question{nil, factor} {
			err := verify.Proof(context.Background(), q, b, p)
			require.Error(t, err)
			require.NotContains(t, err.Error(), "no verifier", p.Kind())
		}
	}
	require.ErrorContains(t, verify.Proof(context.Background(), nil, b, nil), "no proof")
}

// An argument is written one step a line.
func TestCertificateText(t *testing.T) {
	h, err := history.Read(strings.NewReader(`{"spec": "register", "operations": [
		{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 1, "id": "w1"}, {"process": 0, "f": "write", "arg": 2, "call": 2, "return": 3, "id": "w2"},
		{"process": 1, "f": "read", "result": 1, "call": 4, "return": 5, "id": "r"}]}`), history.ReadOptions{})
	require.NoError(t, err)
	s, _ := specs.Lookup("register")
	c, linearizable := certificate(t, s, h, model.ByKey)
	require.False(t, linearizable)
	text := written(t, c)
	require.Equal(t, `{
 "linsat": 2,
 "question": {
  "spec": "register",
  "partition": "key"
 },
 "verdict": "not linearizable",
 "parts": [
  {
   "operations": ["w1", "w2", "r"],
   "proof": {
    "kind": "argument",
    "version": 1,
    "weakening": {},
    "steps": [
     "RT 0 1: 0<1",
     "RT 1 2: 1<2",
     "INV 1 2 | 0<1 1<2: false"
    ]
   }
  }
 ]
}
`, text)
}

// FuzzJudge feeds the verifier with anything.
func FuzzJudge(f *testing.F) {
	s, _ := specs.Lookup("cas-register")
	question := verify.Question{Spec: s, Partition: model.Unpartitioned}
	var hs []*history.History
	var yes []bool
	for seed := range uint64(20) {
		h, err := gen.Small("cas-register", seed, gen.SmallOptions{})
		require.NoError(f, err)
		b, err := s.Bind(model.Whole(h))
		require.NoError(f, err)
		ok, witness := oracle.Linearizable(b)
		verdict := engine.NotLinearizable
		part := verify.PartitionOf(b.Partition)
		if ok {
			verdict, part.Witness = engine.Linearizable, witness
		} else {
			p, err := explain.Prove(context.Background(), b, proof.Everything(), 0)
			require.NoError(f, err)
			part.Proof = &proof.Argument{Weakening: proof.Everything(), Tree: p.Argument}
		}
		c := verify.NewCertificate(h, question, verdict)
		c.Partitions = append(c.Partitions, part)
		var text bytes.Buffer
		require.NoError(f, verify.WriteCertificate(&text, c))
		f.Add(text.String())
		hs, yes = append(hs, h), append(yes, ok)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := verify.ReadCertificate(strings.NewReader(text))
		if err != nil {
			return
		}
		for i, h := range hs {
			if verify.Verify(context.Background(), h, question, c) == nil {
				require.Equal(t, yes[i], c.Verdict == engine.Linearizable, "history %d", i)
			}
		}
	})
}

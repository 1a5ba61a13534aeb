package search

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// needy is a history of a cas-register with k writes of distinct values that never return, and
// segments one after the other, each of which needs one of its values to be there: all try to swap
// it for 0, with unknown results, then a process reads 0, and 1000 is written again.
func needy(t testing.TB, k int, segments [][]int) *model.Instance {
	s := script(t)
	for v := range k {
		s.op("write", s.int(1+v), history.Nil, int64(v), -1)
	}
	now := int64(k)
	s.op("write", s.int(1000), history.Nil, now, now+1)
	for _, values := range segments {
		now += 2
		for _, v := range values {
			s.op("cas", s.Values.List([]history.Value{s.int(1 + v), s.int(0)}), history.Nil, now, now+1)
		}
		s.op("read", history.Nil, s.int(0), now+2, now+3)
		s.op("write", s.int(1000), history.Nil, now+4, now+5)
		now += 4
	}
	return s.bind("cas-register")
}

// pigeons is k writes for k+1 segments that each take one of three neighbours.
func pigeons(t testing.TB, k int) *model.Instance {
	segments := make([][]int, k+1)
	for i := range segments {
		segments[i] = []int{i % k, (i + 1) % k, (i + 2) % k}
	}
	return needy(t, k, segments)
}

// matching is segments that each take one of three random values, and whether there is a way.
func matching(t testing.TB, k, n int, seed uint64) (b *model.Instance, want bool) {
	rng := rand.New(rand.NewPCG(seed, 12))
	segments := make([][]int, n)
	for i := range segments {
		segments[i] = rng.Perm(k)[:3]
	}
	taker := make([]int, k) // of every value, the segment plus one (Kuhn)
	var seen []bool
	var augment func(i int) bool
	augment = func(i int) bool {
		for _, v := range segments[i] {
			if seen[v] {
				continue
			}
			seen[v] = true
			if taker[v] == 0 || augment(taker[v]-1) {
				taker[v] = i + 1
				return true
			}
		}
		return false
	}
	want = true
	for i := range segments {
		seen = make([]bool, k)
		want = augment(i) && want
	}
	return needy(t, k, segments), want
}

// solve lets the engine decide within a time, and judges its answer.
func solve(t testing.TB, b *model.Instance, limit time.Duration) engine.Answer {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	a, err := New(VerdictOnly()).Check(ctx, &engine.Problem{Instance: b}, nil)
	require.NoError(t, err)
	if a.Verdict == engine.Linearizable {
		require.NoError(t, verify.Witness(b, a.Witness))
	}
	if a.Proof != nil {
		require.NoError(t, verify.Proof(context.Background(), nil, b, a.Proof))
	}
	return a
}

func TestPigeonholesAreRefuted(t *testing.T) {
	for _, k := range []int{3, 5, 12, 24, 50} {
		began := time.Now()
		a := solve(t, pigeons(t, k), 20*time.Second)
		assert.Equal(t, engine.NotLinearizable, a.Verdict)
		t.Logf("%d writes: %v, %+v, %v", k, time.Since(began), a.Effort, a.Proof)
	}
}

func TestMatching(t *testing.T) {
	sizes := []int{20, 40}
	if testenv.Scale(0, 1) == 1 {
		sizes = append(sizes, 60, 100)
	}
	for _, k := range sizes {
		for _, share := range []float64{0.8, 0.9, 1} {
			for seed := range uint64(2) {
				b, want := matching(t, k, int(share*float64(k)), seed)
				began := time.Now()
				a := solve(t, b, map[bool]time.Duration{false: time.Minute, true: 3 * time.Second}[k > 40])
				if a.Verdict != engine.Unknown {
					assert.Equal(t, want, a.Verdict == engine.Linearizable)
				} else { // tight ones may not be decided
					assert.True(t, k > 40 && want, "%d writes, %g segments, seed %d", k, share*float64(k), seed)
				}
				t.Logf("%d writes, %g segments, %v: %v after %v, %+v %v", k, share*float64(k), want, a.Verdict,
					time.Since(began), a.Effort, a.Proof)
			}
		}
	}
}

// Histories in which a third of the operations never return.
func TestHistoriesFullOfPendingOperationsAreDecided(t *testing.T) {
	for seed := range uint64(12) {
		values := []int{3, 10, 30}[seed%3]
		c, err := gen.Generate(gen.Options{Spec: "cas-register", Operations: 1000, Processes: 6, Values: values,
			PendingRate: 0.3, Seed: seed,
			Violation: []gen.Violation{gen.NoViolation, gen.NeverWritten, gen.Stale, gen.Swap}[seed%4]})
		require.NoError(t, err)
		b, err := testkit.Spec(t, "cas-register").Bind(model.Whole(c.History))
		require.NoError(t, err)
		began := time.Now()
		a := solve(t, b, time.Minute)
		t.Logf("%d values, %v: %v after %v, %+v %v", values, c.Known, a.Verdict, time.Since(began), a.Effort, a.Proof)
	}
}

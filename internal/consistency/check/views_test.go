package check_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// definitions are those of the questions about reads and writes.
var definitions = map[string]func(oracle.Memory) bool{
	"causal":              oracle.Memory.CausalMemory,
	"causal-convergence":  oracle.Memory.CausalConvergence,
	"weakly-causal":       oracle.Memory.WeaklyCausal,
	"pram":                func(m oracle.Memory) bool { return m.InViews(oracle.PRAM) },
	"read-your-writes":    func(m oracle.Memory) bool { return m.InViews(oracle.ReadYourWrites) },
	"monotonic-reads":     func(m oracle.Memory) bool { return m.InViews(oracle.MonotonicReads) },
	"monotonic-writes":    func(m oracle.Memory) bool { return m.InViews(oracle.MonotonicWrites) },
	"writes-follow-reads": oracle.Memory.WritesFollowReads,
}

// randomMemory returns a history of a map or, of one object, of a register, and what it is as reads
// and writes: values are written once; some reads are of what is written later or by nobody; some
// operations never return, and some results are forgotten.
func randomMemory(t *testing.T, rng *rand.Rand, most int) (model.Spec, *history.History, oracle.Memory) {
	return repeatedMemory(t, rng, most, 0)
}

// repeatedMemory is randomMemory with so many values, of which 0 is the one at the start; 0 for
// values that are written once.
func repeatedMemory(t *testing.T, rng *rand.Rand, most, distinct int) (model.Spec, *history.History, oracle.Memory) {
	n, processes, objects := 2+rng.IntN(most-1), 1+rng.IntN(3), 1+rng.IntN(3)
	spec, read, write := "kv", "get", "put"
	if rng.IntN(3) == 0 {
		spec, read, write, objects = "register", "read", "write", 1
	}
	b := history.NewBuilder()
	v := b.Values
	b.SetSpec(spec)
	values := make([]int, objects) // written so far
	written := make([]int, objects)
	var m oracle.Memory
	all := make([]oracle.MemoryOp, n)
	ended := make([]bool, processes)
	var live []int
	for i := range all {
		live = live[:0]
		for p := range processes {
			if !ended[p] {
				live = append(live, p)
			}
		}
		if len(live) == 0 {
			all = all[:i]
			break
		}
		x := &all[i]
		x.Process, x.Object = live[rng.IntN(len(live))], rng.IntN(objects)
		if x.Write = rng.IntN(2) == 0; x.Write {
			values[x.Object]++
			if x.Value = values[x.Object]; distinct > 0 {
				x.Value = 1 + rng.IntN(distinct-1)
			}
		}
		if rng.IntN(12) == 0 {
			x.Pending, ended[x.Process] = true, true
		}
	}
	for i := range all {
		x := &all[i]
		switch {
		case x.Write:
			written[x.Object] = x.Value
		case rng.IntN(40) == 0:
			x.Value = 99
		case rng.IntN(8) == 0: // perhaps of the future
			x.Value = rng.IntN(values[x.Object] + 1)
		case rng.IntN(2) == 0 && distinct > 0:
			x.Value = rng.IntN(distinct)
		case rng.IntN(2) == 0:
			x.Value = rng.IntN(written[x.Object] + 1)
		default:
			x.Value = written[x.Object]
		}
	}
	for i, x := range all {
		r := history.Record{Process: b.ProcessInt(int64(x.Process)), F: v.String(read), Key: history.NoKey,
			Call: int64(10 * i), Return: int64(10*i + 5 + rng.IntN(4))}
		if spec == "kv" {
			r.Key = v.String(string(rune('x' + x.Object)))
		}
		switch {
		case x.Write:
			r.F, r.Arg = v.String(write), v.Int(int64(x.Value))
		case x.Value > 0:
			r.Result = v.Int(int64(x.Value))
		}
		if x.Pending {
			r.Pending, r.Result = true, history.Nil
		} else if !x.Write && rng.IntN(15) == 0 {
			r.Forgotten, r.Result = true, history.Nil
		}
		if x.Write || !x.Pending && !r.Forgotten {
			m = append(m, x)
		}
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	s, ok := specs.Lookup(spec)
	require.True(t, ok)
	return s, h, m
}

// TestReadsAndWritesAreTheDefinitions compares questions about reads and writes with their
// definitions, and answers with each other: what implies what.
func TestReadsAndWritesAreTheDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 1))
	counts := map[string][2]int{}
	for n := range testenv.Scale(1000, 20_000) {
		s, h, m := randomMemory(t, rng, 8)
		found := map[string]check.Answer{}
		for name, definition := range definitions {
			a := ask(t, s, h, name)
			want := definition(m)
			require.Equal(t, want, a.Verdict == levels.Holds, "%d: %s of %+v", n, name, m)
			found[name] = a
			c := counts[name]
			if c[0]++; !want {
				c[0]--
				c[1]++
			}
			counts[name] = c
		}
		if n%4 == 0 {
			found["sequential"], found["linearizable"] = ask(t, s, h, "sequential"), ask(t, s, h, "linearizable")
		}
		for k := range consistency.Questions {
			q := &consistency.Questions[k]
			for j := range consistency.Questions {
				p := &consistency.Questions[j]
				a, met := found[q.Name]
				b, also := found[p.Name]
				if met && also && q.IsAtLeast(p) && a.Verdict == levels.Holds {
					require.Equal(t, levels.Holds, b.Verdict, "%s implies %s: %+v", q.Name, p.Name, m)
				}
			}
		}
	}
	for name, c := range counts {
		assert.Greater(t, min(c[0], c[1]), testenv.MoreThan(30), "%s: %d hold, %d fail", name, c[0], c[1])
	}
	t.Log(fmt.Sprint(counts))
}

// TestRepeatedValuesAreTheDefinitions compares the same questions with their definitions where
// values repeat: for some choice of a write for each read, or, of views whose order does not depend
// on that, by values alone.
func TestRepeatedValuesAreTheDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 3))
	counts, repeats := map[string][2]int{}, 0
	for n := range testenv.Scale(600, 20_000) {
		s, h, m := repeatedMemory(t, rng, 7, 2+rng.IntN(2))
		for name, definition := range definitions {
			want := m.AnySources(definition)
			switch name {
			case "pram", "read-your-writes", "monotonic-reads", "monotonic-writes":
				require.Equal(t, definition(m), want, "%s of %+v", name, m)
			}
			a := ask(t, s, h, name)
			require.Equal(t, want, a.Verdict == levels.Holds, "%d: %s of %+v", n, name, m)
			if a.Certificate.Chosen != nil || a.Certificate.Choices != nil {
				repeats++
			}
			c := counts[name]
			if c[0]++; !want {
				c[0]--
				c[1]++
			}
			counts[name] = c
		}
	}
	for name, c := range counts {
		assert.Greater(t, min(c[0], c[1]), testenv.MoreThan(30), "%s: %d hold, %d fail", name, c[0], c[1])
	}
	assert.Greater(t, repeats, testenv.MoreThan(500))
	t.Log(counts, repeats)
}

// TestPipelinedIsTheDefinition compares pram of objects of all kinds with its definition: each
// process by itself, without what others found.
func TestPipelinedIsTheDefinition(t *testing.T) {
	for _, name := range []string{"queue", "cas-register", "counter", "set", "mutex", "stack"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := specs.Lookup(name)
			for seed := range uint64(testenv.Scale(60, 20_000)) {
				h, q := small(t, name, seed)
				want := true
				for p := range h.Processes {
					b, err := s.Bind(model.Whole(consistency.Hidden(h, int32(p))))
					require.NoError(t, err)
					want = want && oracle.Sequential(b)
				}
				c := newCase(s, h)
				a, err := check.Ask(context.Background(), c, q)
				require.NoError(t, err)
				if a.Verdict == levels.Unknown {
					continue
				}
				require.Equal(t, want, a.Verdict == levels.Holds, "seed %d", seed)
				if a.Certificate != nil {
					holds, err := check.Verify(context.Background(), s, h, q, a.Certificate)
					require.NoError(t, err)
					require.Equal(t, want, holds)
				}
			}
		})
	}
}

package conformance_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheoriesOfManyPartitionsAreDerivedLater compares a register of the caller's own, of which the
// history has so many partitions that theories are derived only where they are needed, with the
// shipped register: the verdict of every partition, and that a violation is certified with a core.
func TestTheoriesOfManyPartitionsAreDerivedLater(t *testing.T) {
	mine, err := spec.Define(spec.Definition[int64]{Name: "mine",
		Step: func(s int64, c spec.Call) []spec.Outcome[int64] {
			switch c.F {
			case "write":
				return []spec.Outcome[int64]{{Next: c.Arg.(int64), AnyOutput: true}}
			case "read":
				return []spec.Outcome[int64]{{Output: s, Next: s}}
			}
			return nil
		}})
	require.NoError(t, err)
	violations := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		rec := new(history.Recorder)
		for key := range 80 {
			rec.CallKey(0, key, "write", 0).Return(nil)
			a := rec.CallKey(0, key, "write", 1)
			b := rec.CallKey(10+key, key, "write", 2)
			a.Return(nil)
			if r.IntN(8) > 0 {
				b.Return(nil)
			}
			found := 1 + r.IntN(2)
			if r.IntN(100) == 0 {
				found = 0
			}
			rec.CallKey(2, key, "read", nil).Return(found)
		}
		h, err := rec.History()
		require.NoError(t, err)
		want, err := linsat.Check(context.Background(), specs.Register(), h)
		require.NoError(t, err)
		got, err := linsat.Check(context.Background(), mine, h)
		require.NoError(t, err)
		require.Equal(t, want.Verdict, got.Verdict, "seed %d", seed)
		require.Equal(t, len(want.PartitionVerdicts), len(got.PartitionVerdicts))
		for i := range want.PartitionVerdicts {
			assert.Equal(t, want.PartitionVerdicts[i].Verdict, got.PartitionVerdicts[i].Verdict,
				"seed %d, part %d", seed, i)
		}
		assert.True(t, got.Certified, "seed %d: %s", seed, got.Uncertified)
		if got.Verdict == linsat.NotLinearizable {
			violations++
			require.NotNil(t, full(&got).Core, "seed %d", seed)
			assert.True(t, full(&got).Core.Minimal, "seed %d", seed)
			assert.Equal(t, len(full(&want).Core.Facts), len(full(&got).Core.Facts), "seed %d", seed)
		}
	}
	assert.Greater(t, violations, 5)
}

// TestTheoriesOfManyKeysAreMadeLater compares maps of many keys that are appended to, whose
// theories are made only where they are needed, with each key alone, whose theory is there at once:
// the verdict, and that a violation is certified with a core of the same size.
func TestTheoriesOfManyKeysAreMadeLater(t *testing.T) {
	violations := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		type call struct {
			key, client, word, found int
			returns                  bool
		}
		var all []call
		for key := range 12 {
			for range 2 + r.IntN(4) {
				all = append(all, call{key: key, client: r.IntN(3), word: r.IntN(2), found: -1,
					returns: r.IntN(10) > 0})
			}
			all = append(all, call{key: key, client: 0, found: r.IntN(3), returns: true})
		}
		record := func(only int) *history.History {
			rec := new(history.Recorder)
			written := map[int]string{}
			for at := 0; at < len(all); at += 2 { // two at a time
				var open []func()
				for k, c := range all[at:min(at+2, len(all))] {
					if only >= 0 && c.key != only {
						continue
					}
					client := 1000*at + 10*k + c.client
					if c.found < 0 {
						word := string(rune('a' + c.word))
						o := rec.CallKey(client, c.key, "append", word)
						written[c.key] += word
						if c.returns {
							open = append(open, func() { o.Return(nil) })
						}
						continue
					}
					o := rec.CallKey(client, c.key, "get", nil)
					text := written[c.key]
					switch {
					case c.found == 0 && len(text) > 1: // the last two the other way round
						n := len(text)
						text = text[:n-2] + text[n-1:] + text[n-2:n-1]
					case c.found == 1:
						text = text[:len(text)/2]
					}
					open = append(open, func() { o.Return(text) })
				}
				for _, end := range open {
					end()
				}
			}
			h, err := rec.History()
			require.NoError(t, err)
			return h
		}
		got, err := linsat.Check(context.Background(), specs.KV(), record(-1))
		require.NoError(t, err)
		require.Len(t, got.PartitionVerdicts, 12)
		first := true
		for key, part := range got.PartitionVerdicts {
			want, err := linsat.Check(context.Background(), specs.KV(), record(key))
			require.NoError(t, err)
			require.Equal(t, want.Verdict, part.Verdict, "seed %d, key %d", seed, key)
			if want.Verdict != linsat.NotLinearizable || !first {
				continue
			}
			first = false
			violations++
			assert.Equal(t, want.Certified, got.Certified, "seed %d: %s", seed, got.Uncertified)
			require.NotNil(t, full(&got).Core, "seed %d", seed)
			assert.Equal(t, full(&want).Core.Minimal, full(&got).Core.Minimal, "seed %d", seed)
			assert.Equal(t, len(full(&want).Core.Facts), len(full(&got).Core.Facts), "seed %d", seed)
		}
	}
	assert.Greater(t, violations, 10)
}

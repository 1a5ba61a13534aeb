package starspec

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/foreign"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type outcomes = []spec.Outcome[string]

func one(result any, next string) outcomes { return outcomes{{Output: result, Next: next}} }
func leaves(next string) outcomes          { return outcomes{{Next: next, AnyOutput: true}} }

// digits reads a state of the twins: items of one digit each.
func digits(s string) []any {
	out := []any{}
	for _, c := range s {
		out = append(out, int64(c-'0'))
	}
	return out
}

func digit(s string, at int) int64 { return int64(s[at] - '0') }

// twins are the same specifications in Go, written apart from the files.
var twins = map[string]spec.Definition[string]{
	"bank": {
		// "ab": the balances of a and b as letters from 'A', "." for an account that is not there
		Init: func(any) (string, error) { return "..", nil },
		Step: func(s string, c spec.Call) outcomes {
			balance := func(i int) int { return max(0, int(s[i])-'A') }
			set := func(s string, i, n int) string { return s[:i] + string(rune('A'+n)) + s[i+1:] }
			name := func(v any) int { return int(v.(string)[0] - 'a') }
			arg, _ := c.Arg.([]any)
			switch c.F {
			case "read":
				all := map[string]any{}
				for i := range s {
					if s[i] != '.' {
						all[string(rune('a'+i))] = balance(i)
					}
				}
				return one(all, s)
			case "deposit":
				i := name(arg[0])
				return leaves(set(s, i, balance(i)+int(arg[1].(int64))))
			default:
				from, to, n := name(arg[0]), name(arg[1]), int(arg[2].(int64))
				if balance(from) < n {
					return one(false, s)
				}
				return one(true, set(set(s, from, balance(from)-n), to, balance(to)+n))
			}
		},
	},
	"lease": {
		// "xy": the holders of leases x and y, "-" for none
		Init: func(any) (string, error) { return "--", nil },
		Step: func(s string, c spec.Call) outcomes {
			arg := c.Arg.(map[string]any)
			i, by := int(arg["lease"].(string)[0]-'x'), arg["by"].(string)
			held := func(holder string) string { return s[:i] + holder + s[i+1:] }
			holder := s[i : i+1]
			switch {
			case c.F == "acquire" && (holder == "-" || holder == by):
				return one(true, held(by))
			case c.F == "acquire":
				return append(one(true, held(by)), one(false, s)...)
			case c.F == "renew" && holder == by:
				return append(one(true, s), one(false, held("-"))...)
			case c.F == "renew":
				return one(false, s)
			case holder == by:
				return leaves(held("-"))
			}
			return leaves(s)
		},
	},
	"echo": {Step: func(s string, c spec.Call) outcomes { return one(c.Arg, s) }},
	"bounded-buffer": {
		Step: func(s string, c spec.Call) outcomes {
			switch {
			case c.F == "size":
				return one(len(s), s)
			case c.F == "put" && len(s) == 2:
				return one(false, s)
			case c.F == "put":
				return one(true, s+fmt.Sprint(c.Arg))
			case s == "":
				return one(nil, s)
			}
			return one(digit(s, 0), s[1:])
		},
	},
	"lru-cache": { // keys, the last used first; every value is 1
		KeyIsPiece: true,
		Pieces:     func(spec.Call) []any { return nil },
		Step: func(s string, c spec.Call) outcomes {
			key := c.Key.(string)
			rest := strings.ReplaceAll(s, key, "")
			found := len(rest) < len(s)
			switch {
			case c.F == "put":
				s = key + rest
				return leaves(s[:min(2, len(s))])
			case c.F == "remove":
				return one(found, rest)
			case found:
				return one(1, key+rest)
			}
			return one(nil, s)
		},
	},
	"fenced-lock": { // the token, and the holder or nothing
		ByProcess: true,
		Init:      func(any) (string, error) { return "0", nil },
		Step: func(s string, c spec.Call) outcomes {
			token, holder := s, ""
			if last := s[len(s)-1]; last >= 'a' {
				token, holder = s[:len(s)-1], s[len(s)-1:]
			}
			n, _ := strconv.Atoi(token)
			switch {
			case c.F == "acquire" && holder == "":
				return one(n+1, strconv.Itoa(n+1)+c.Process)
			case c.F == "acquire":
				return nil
			case holder == c.Process && int64(n) == c.Arg.(int64):
				return one(true, token)
			}
			return one(false, s)
		},
	},
	"work-stealing": {
		Step: func(s string, c spec.Call) outcomes {
			switch {
			case c.F == "push":
				return leaves(s + fmt.Sprint(c.Arg))
			case s == "":
				return one(nil, s)
			case c.F == "pop":
				return one(digit(s, len(s)-1), s[:len(s)-1])
			}
			return append(one(nil, s), one(digit(s, 0), s[1:])...)
		},
	},
	"id-generator": { // the numbers that were given, ascending
		Step: func(s string, _ spec.Call) (out outcomes) {
			given := strings.Fields(s)
			block := len(given) / 3
			for id := 3 * block; id < 3*block+3; id++ {
				if text := strconv.Itoa(id); !slices.Contains(given, text) {
					next := append(slices.Clone(given), text)
					slices.SortFunc(next, func(a, b string) int { return 1000*(len(a)-len(b)) + strings.Compare(a, b) })
					out = append(out, one(id, strings.Join(next, " "))...)
				}
			}
			return out
		},
	},
	"drained-queue": { // items, after "!" if it is closed
		Step: func(s string, c spec.Call) outcomes {
			items, closed := strings.CutPrefix(s, "!")
			switch {
			case c.F == "close":
				return leaves("!" + items)
			case c.F == "drain":
				return one(digits(items), "!")
			case c.F == "enq" && closed:
				return one(false, s)
			case c.F == "enq":
				return one(true, s+fmt.Sprint(c.Arg))
			case items != "":
				return one(digit(items, 0), strings.TrimSuffix(s, items)+items[1:])
			case closed:
				return one("closed", s)
			}
			return one(nil, s)
		},
	},
}

// random returns a small history of sampled calls, some of which never return.
func random(r *rand.Rand, samples []foreign.Sample) (*history.History, error) {
	b := history.NewBuilder()
	free := map[string]int64{} // when a process has time again
	for i := range 1 + r.IntN(7) {
		s := samples[r.IntN(len(samples))]
		call, process := int64(2*i), s.Call.Process
		own := process == ""
		if own {
			process = strconv.Itoa(i)
		}
		call = max(call, free[process])
		rec := history.Record{Process: b.Process(process), F: b.Values.String(s.Call.F), Key: history.NoKey, Call: call,
			Return: call + 1 + int64(r.IntN(9))}
		free[process] = rec.Return + 1
		if own && r.IntN(8) == 0 {
			rec.Pending = true
		}
		var err error
		if s.Call.Key != nil {
			if rec.Key, err = b.Values.Of(s.Call.Key); err != nil {
				return nil, err
			}
		}
		if rec.Arg, err = b.Values.Of(s.Call.Arg); err != nil {
			return nil, err
		}
		var result any
		if r.IntN(8) == 0 { // a result of any call
			s = samples[r.IntN(len(samples))]
		}
		if len(s.Results) > 0 {
			result = s.Results[r.IntN(len(s.Results))]
		}
		if rec.Result, err = b.Values.Of(result); err != nil {
			return nil, err
		}
		rec.Forgotten = r.IntN(8) == 0
		if _, err = b.Add(rec); err != nil {
			return nil, err
		}
	}
	return b.Finish()
}

// TestExamplesAgreeWithTheirTwins compares every shipped file with a specification in Go that was
// written apart, and both with the definition.
func TestExamplesAgreeWithTheirTwins(t *testing.T) {
	files, err := filepath.Glob("../../examples/specs/*.star")
	require.NoError(t, err)
	require.Len(t, files, len(twins))
	runs := uint64(testenv.Scale(150, 10_000))
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".star")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := Load(path, io.Discard)
			require.NoError(t, err)
			definition, ok := twins[name]
			require.True(t, ok)
			definition.Name = name
			twin, err := spec.Define(definition)
			require.NoError(t, err)
			calls, err := f.Calls()
			require.NoError(t, err)
			samples, err := f.Samples(calls, 4)
			require.NoError(t, err)
			seen := map[linsat.Verdict]int{}
			for seed := range runs {
				h, err := random(rand.New(rand.NewPCG(seed, 1)), samples)
				require.NoError(t, err)
				want, err := linsat.Check(context.Background(), twin, h)
				require.NoError(t, err)
				got, err := linsat.Check(context.Background(), f.Spec, h)
				require.NoError(t, err)
				require.Equal(t, want.Verdict, got.Verdict, "seed %d", seed)
				whole, err := linsat.Check(context.Background(), f.Spec, h, linsat.Partition("none"))
				require.NoError(t, err)
				require.Equal(t, want.Verdict, whole.Verdict, "whole, seed %d", seed)
				bound, err := model.Full(f.Spec).Bind(model.Whole(h))
				require.NoError(t, err)
				defined, _ := oracle.Linearizable(bound)
				require.Equal(t, defined, got.Verdict == linsat.Linearizable, "the definition, seed %d", seed)
				seen[got.Verdict]++
			}
			assert.Greater(t, seen[linsat.Linearizable], testenv.MoreThan(int(runs/20)))
			assert.Greater(t, seen[linsat.NotLinearizable], testenv.MoreThan(int(runs/20)))
		})
	}
}

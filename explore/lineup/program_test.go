package lineup

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deciding is a program whose threads choose what they call next by what they got last.
type deciding struct {
	object *explore.Object
	models []*sequential // an operation follows any of them
	first  [][]int       // by thread and operation
}

func (p *deciding) calls(thread, k int, last any) string {
	n := p.first[thread][k]
	if last == nil {
		n++
	}
	return names[n%len(names)]
}

func (p *deciding) program(x *explore.Exec) {
	instance := p.object.New(x.Memory())
	for i := range p.first {
		x.Go(func(t *explore.Thread) {
			var last any
			for k := range p.first[i] {
				f := p.calls(i, k, last)
				last = t.Do(f, nil, func() any { return instance(f, nil) })
			}
		})
	}
}

// ran is an operation of a serial history.
type ran struct {
	thread int
	f      string
	result any
	stuck  bool
}

// serial lists the serial histories by the definition.
func (p *deciding) serial() (all [][]ran) {
	done, last := make([]int, len(p.first)), make([]any, len(p.first))
	var walk func(state int, run []ran)
	walk = func(state int, run []ran) {
		ended := true
		for t := range p.first {
			if done[t] == len(p.first[t]) {
				continue
			}
			ended = false
			f := p.calls(t, done[t], last[t])
			o := slices.Index(names[:], f)
			for _, m := range p.models {
				if m.next[state][o] < 0 {
					all = append(all, append(slices.Clone(run), ran{thread: t, f: f, stuck: true}))
					continue
				}
				before := last[t]
				done[t]++
				last[t] = m.results[state][o]
				walk(m.next[state][o], append(run[:len(run):len(run)], ran{t, f, last[t], false}))
				done[t]--
				last[t] = before
			}
		}
		if ended {
			all = append(all, run)
		}
	}
	walk(0, nil)
	return all
}

// distinct returns the serial histories, each once, as texts.
func distinct(serial [][]ran) map[string]bool {
	all := map[string]bool{}
	for _, run := range serial {
		all[fmt.Sprintf("%#v", run)] = true
	}
	return all
}

// witnessed reports whether one of the serial histories is a serial witness of operations
// (Definitions 1 and 2): the same operations by thread, in an order that has theirs.
func witnessed(serial [][]ran, ops []explore.Op) bool {
	return slices.ContainsFunc(serial, func(run []ran) bool {
		if len(run) != len(ops) {
			return false
		}
		place, called := make([]int, len(ops)), map[int]int{}
		for i, op := range ops {
			k := called[op.Thread]
			called[op.Thread]++
			place[i] = slices.IndexFunc(run, func(s ran) bool {
				if s.thread == op.Thread {
					k--
				}
				return k < 0
			})
			if place[i] < 0 {
				return false
			}
			s := run[place[i]]
			if s.f != op.F || s.stuck != (op.Return < 0) || !s.stuck && !assert.ObjectsAreEqual(s.result, op.Result) {
				return false
			}
		}
		for i, a := range ops {
			for j, b := range ops {
				if a.Return >= 0 && a.Return < b.Call && place[i] > place[j] {
					return false
				}
			}
		}
		return true
	})
}

// linearizable is Definition 3.
func linearizable(serial [][]ran, x *explore.Execution) bool {
	if x.Outcome == explore.Completed {
		return witnessed(serial, x.Ops)
	}
	for e := range x.Ops {
		var only []explore.Op // H[e]
		for i, op := range x.Ops {
			if i == e || op.Return >= 0 {
				only = append(only, op)
			}
		}
		if x.Ops[e].Return < 0 && !witnessed(serial, only) {
			return false
		}
	}
	return true
}

// TestProgramsAgainstDefinition compares what is said of programs whose calls are not known
// beforehand, of objects that are right, race, block, and have several outcomes, with the paper's
// definitions: the serial histories, the verdict of Check, and that of package explore with the
// specification that was learned.
func TestProgramsAgainstDefinition(t *testing.T) {
	rounds := testenv.Scale(200, 4000)
	wrong, stuck, several := 0, 0, 0
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 11))
		p := &deciding{models: []*sequential{randomModel(r)}}
		switch seed % 4 {
		case 0:
			p.object = p.models[0].object()
		case 1:
			p.object = p.models[0].sloppy(r.IntN(2) == 0)
		default:
			p.models = append(p.models, randomModel(r))
			p.object = either([2]*sequential(p.models), seed%4 == 2)
		}
		threads := 2
		if len(p.models) == 1 {
			threads += r.IntN(2)
		}
		for range threads {
			p.first = append(p.first, []int{r.IntN(3)})
		}
		for range r.IntN(2) {
			at := r.IntN(len(p.first))
			p.first[at] = append(p.first[at], r.IntN(3))
		}
		serial := p.serial()
		c := explore.ProgramCase("program", p.program)
		o, failure, phase, err := Synthesize(context.Background(), c, Options{Nondeterministic: true})
		require.NoError(t, err, "seed %d", seed)
		require.Nil(t, failure, "seed %d", seed)
		require.Empty(t, phase.Cause, "seed %d", seed)
		seen := 0
		o.each(func(run []step) {
			seen++
			require.True(t, slices.ContainsFunc(serial, func(s []ran) bool {
				return slices.EqualFunc(run, s, func(a step, b ran) bool {
					return o.threadIndex(b.thread) == a.thread && o.call(a.thread, a.index).F == b.f &&
						a.stuck == b.stuck && (a.stuck || o.values.find(b.result) == a.result)
				})
			}), "seed %d", seed)
		})
		require.Equal(t, len(distinct(serial)), seen, "seed %d", seed)
		good, classes := true, map[string]bool{}
		_, err = explore.Run(p.program, explore.DPOR(), explore.Options{}, func(x *explore.Execution) bool {
			key := string(x.Class(nil))
			if classes[key] {
				return true
			}
			classes[key] = true
			if x.Outcome == explore.Stuck {
				stuck++
			}
			byDef := linearizable(serial, x)
			ok, _, err := o.Accepts(x)
			require.NoError(t, err, "seed %d", seed)
			require.Equal(t, byDef, ok, "seed %d, schedule %s", seed, x.Schedule)
			good = good && byDef
			return true
		})
		require.NoError(t, err, "seed %d", seed)
		report, err := explore.Check(context.Background(), c, o.Spec(), explore.CheckOptions{Strategy: explore.DPOR()})
		require.NoError(t, err, "seed %d", seed)
		want := engine.Linearizable
		if !good {
			want = engine.NotLinearizable
			wrong++
		}
		require.Equal(t, want, report.Verdict, "seed %d", seed)
		checked, err := Check(context.Background(), c, Options{Bound: -1, Nondeterministic: true})
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, good, checked.Verdict == Pass, "seed %d", seed)
		if !o.Deterministic() {
			several++
		}
		require.True(t, o.Equal(checked.Observations), "seed %d", seed)
	}
	t.Log(wrong, stuck, several)
	assert.Greater(t, wrong, testenv.MoreThan(rounds/20))
	assert.Greater(t, stuck, testenv.MoreThan(rounds/8))
	assert.Greater(t, several, testenv.MoreThan(rounds/8))
}

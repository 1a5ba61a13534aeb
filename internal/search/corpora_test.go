package search

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorded is a history with a known verdict.
type recorded struct {
	name  string
	spec  model.Spec
	h     *history.History
	wants bool
}

func read(t testing.TB, path string) *history.History {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	h, err := history.Read(bytes.NewReader(data), history.ReadOptions{Name: path})
	require.NoError(t, err)
	return h
}

// porcupine reads the histories below a folder of the corpus of Porcupine.
func porcupine(t testing.TB, folder, specName string) []recorded {
	var all []recorded
	for _, v := range testenv.Verdicts(t, folder) {
		all = append(all, recorded{v.Name, testkit.Spec(t, specName), read(t, v.File), v.Linearizable})
	}
	return all
}

// decideAll checks all partitions of a history and returns the verdict and what it took.
func decideAll(t testing.TB, e *Engine, x recorded) (linearizable bool, effort engine.Effort) {
	linearizable = true
	for _, p := range model.Split(x.spec, x.h, model.ByKey) {
		b, err := x.spec.Bind(p)
		require.NoError(t, err)
		a, err := e.Check(context.Background(), &engine.Problem{Instance: b}, nil)
		require.NoError(t, err)
		require.NotEqual(t, engine.Unknown, a.Verdict, "%s: %v", x.name, a.Cause)
		effort = effort.Add(a.Effort)
		if a.Verdict == engine.NotLinearizable {
			linearizable = false
		} else {
			requireReplays(t, b, a.Witness)
		}
	}
	return linearizable, effort
}

// requireReplays checks a witness by definition, in time that long histories allow.
func requireReplays(t testing.TB, b *model.Instance, witness []history.OpID) {
	p := b.Partition
	place := make([]int, p.Len())
	for k, i := range witness {
		require.Zero(t, place[i], "operation %d occurs twice", i)
		place[i] = k + 1
	}
	for i, k := range place {
		require.True(t, k > 0 || p.Ops[i].Pending(), "completed operation %d is missing", i)
	}
	latest := history.Rank(-1) // greatest call so far
	for _, i := range witness {
		require.Less(t, latest, p.Ops[i].Return, "operation %d comes too late", i)
		latest = max(latest, p.Ops[i].Call)
	}
	for _, e := range p.Edges {
		if place[e.Before] > 0 && place[e.After] > 0 {
			require.Less(t, place[e.Before], place[e.After])
		}
	}
	m := b.NewMachine()
	states := []model.State{m.Init()}
	for k, i := range witness {
		met := map[model.State]bool{}
		var next []model.State
		for _, s := range states {
			for _, n := range m.Step(s, i, nil) {
				if !met[n] {
					met[n] = true
					next = append(next, n)
				}
			}
		}
		require.NotEmpty(t, next, "operation %d is not allowed at place %d", i, k)
		states = next
	}
}

func TestEtcdHistoriesHaveTheirVerdicts(t *testing.T) {
	all := porcupine(t, "jepsen", "cas-register")
	require.Len(t, all, 102)
	var total engine.Effort
	for _, x := range all {
		got, effort := decideAll(t, New(), x)
		assert.Equal(t, x.wants, got, x.name)
		total = total.Add(effort)
		if strings.Contains(x.name, "etcd_002") {
			assert.LessOrEqual(t, effort.Steps, int64(10000))
			t.Logf("etcd_002: %+v", effort)
		}
	}
	t.Logf("all: %+v", total)
}

func TestKVHistoriesHaveTheirVerdicts(t *testing.T) {
	all := porcupine(t, "kv", "kv")
	require.Len(t, all, 6)
	for _, x := range all {
		got, effort := decideAll(t, New(), x)
		assert.Equal(t, x.wants, got, x.name)
		t.Logf("%s: %d operations, %+v", x.name, len(x.h.Ops), effort)
	}
}

func TestKnossosHistoriesHaveTheirVerdicts(t *testing.T) {
	dir := testenv.Recorded(t, "knossos")
	seen := 0
	for _, folder := range []string{"cas-register/good", "cas-register/bad", "mutex/bad"} {
		files, err := history.Files(filepath.Join(dir, folder), nil)
		require.NoError(t, err)
		for _, f := range files {
			specName, _, _ := strings.Cut(folder, "/")
			x := recorded{f, testkit.Spec(t, specName), read(t, f), strings.HasSuffix(folder, "good")}
			got, effort := decideAll(t, New(), x)
			assert.Equal(t, x.wants, got, f)
			t.Logf("%s: %d operations, %+v", filepath.Base(f), len(x.h.Ops), effort)
			seen++
		}
	}
	assert.Positive(t, seen)
}

// BenchmarkEtcd checks all 102 etcd logs, parsing and binding apart.
//
//	LINSAT_CORPORA=… go test -run - -bench Etcd ./internal/wgl
func BenchmarkEtcd(b *testing.B) { benchmark(b, porcupine(b, "jepsen", "cas-register")) }

// BenchmarkKV checks the six key-value histories of Porcupine, split by key.
func BenchmarkKV(b *testing.B) { benchmark(b, porcupine(b, "kv", "kv")) }

func benchmark(b *testing.B, all []recorded) {
	for _, way := range []struct {
		name   string
		engine *Engine
	}{{"verdict", New(VerdictOnly())}, {"failure", New()}} {
		b.Run(way.name, func(b *testing.B) {
			bounds := make([][]*model.Instance, len(all))
			for k, x := range all {
				for _, p := range model.Split(x.spec, x.h, model.ByKey) {
					bound, err := x.spec.Bind(p)
					require.NoError(b, err)
					bounds[k] = append(bounds[k], bound)
				}
			}
			steps := int64(0)
			b.ReportAllocs()
			for b.Loop() {
				steps = 0
				for k, x := range all {
					linearizable := true
					for _, bound := range bounds[k] {
						a, err := way.engine.Check(context.Background(), &engine.Problem{Instance: bound}, nil)
						if err != nil || a.Verdict == engine.Unknown {
							b.Fatal(x.name, err, a.Cause)
						}
						steps += a.Effort.Steps
						linearizable = linearizable && a.Verdict == engine.Linearizable
					}
					if linearizable != x.wants {
						b.Fatalf("%s: linearizable is %v, expected %v", x.name, linearizable, x.wants)
					}
				}
			}
			b.ReportMetric(float64(steps), "steps/op")
		})
	}
}

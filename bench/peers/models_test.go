//go:build unix

package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
)

// TestModelsMeanTheSame compares the peer's verdicts with linsat's on small random histories,
// violated and not, with pending operations, empty results and equal values.
func TestModelsMeanTheSame(t *testing.T) {
	rounds := uint64(400)
	if testenv.Full() {
		rounds = 8000
	}
	for _, name := range []string{"register", "cas-register", "queue", "stack", "deque", "counter", "kv"} {
		seen := map[porcupine.CheckResult]int{}
		s, _ := specs.Lookup(name)
		for n := range rounds {
			o := gen.Options{Spec: name, Operations: 10, Processes: 3, Seed: n, Values: int(n % 4),
				PendingRate: float64(n%3) / 10, EmptyRate: float64(n%2) / 5}
			if name == "register" || name == "cas-register" || name == "counter" || name == "kv" {
				o.EmptyRate = 0
			}
			if name == "kv" {
				o.Keys = 2
			}
			if n%2 == 1 {
				o.Violation = gen.Violations()[n/2%5]
			}
			c, err := gen.Generate(o)
			if err != nil {
				continue // this violation found no place
			}
			r, err := linsat.Check(t.Context(), s, c.History,
				linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
			if err != nil {
				t.Fatal(err)
			}
			said := ask(t, c.History, false)
			seen[said]++
			if (said == porcupine.Ok) != (r.Verdict == engine.Linearizable) {
				t.Fatalf("%s, seed %d: the peer says %v, linsat %v", name, n, said, r.Verdict)
			}
		}
		if seen[porcupine.Ok] < int(rounds)/4 || seen[porcupine.Illegal] < int(rounds)/20 {
			t.Errorf("%s: too little variety: %v", name, seen)
		}
	}
}

func TestMapModels(t *testing.T) {
	dir := testenv.Recorded(t)
	for _, name := range []string{"c01-ok", "c01-bad", "c10-ok", "c10-bad"} {
		h, err := history.ReadFile(filepath.Join(dir, "porcupine", "kv", name+".txt"), history.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		h.Spec = "kv" // the files do not name it
		want := porcupine.Ok
		if name[4:] == "bad" {
			want = porcupine.Illegal
		}
		if said := ask(t, h, false); said != want {
			t.Errorf("%s: %v", name, said)
		}
		if name[:3] == "c01" {
			if said := ask(t, h, true); said != want {
				t.Errorf("%s as a whole: %v", name, said)
			}
		}
	}
}

func ask(t *testing.T, h *history.History, whole bool) porcupine.CheckResult {
	m, err := modelFor(h, whole)
	if err != nil {
		t.Fatal(err)
	}
	ops, err := translate(h)
	if err != nil {
		t.Fatal(err)
	}
	return porcupine.CheckOperationsTimeout(m, ops, time.Minute)
}

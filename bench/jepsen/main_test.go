package main

import (
	"path/filepath"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/require"
)

// Every workload is recognised and answered as its fault says.
func TestWorkloadsAreAnswered(t *testing.T) {
	for i := range workloads {
		w := &workloads[i]
		for _, fault := range append([]string{""}, w.faults...) {
			for _, infos := range []float64{0, 0.05} {
				store := t.TempDir()
				require.NoError(t, write(store, w, fault, 600, infos))
				h, err := history.ReadFile(filepath.Join(store, "history.edn"), history.ReadOptions{})
				require.NoError(t, err)
				guess, err := specs.Recognise(h)
				require.NoError(t, err, w.name)
				r, err := linsat.Check(t.Context(), guess.Spec, h,
					linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
				require.NoError(t, err)

				want := "linearizable"
				if fault != "" {
					want = "not linearizable"
				}
				require.Equal(t, want, r.Verdict.String(), "%s %s %v", w.name, fault, infos)
			}
		}
	}
}

package spectest_test

import (
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/spec/spectest"
	"github.com/stretchr/testify/require"
)

// TestRelaxed: specifications relaxed by semantics obey the laws, purity and locality among them.
func TestRelaxed(t *testing.T) {
	for _, s := range specs.All() {
		name := s.Info().Name
		relaxations := []specs.SemanticRelaxation{{}, {Stuttering: 1}, {Stuttering: 2}}
		switch name {
		case "queue", "stack", "priority-queue", "deque":
			relaxations = append(relaxations, specs.SemanticRelaxation{OutOfOrder: 1},
				specs.SemanticRelaxation{Lateness: 1}, specs.SemanticRelaxation{OutOfOrder: 2, Lateness: 1},
				specs.SemanticRelaxation{OutOfOrder: 1, Stuttering: 1}, specs.SemanticRelaxation{OutOfOrder: 2,
					Lateness: 2, Stuttering: 1})
		}
		for _, x := range relaxations {
			r, err := specs.Relax(s, x)
			if slices.Contains([]string{"bank", "bounded-queue", "fenced-mutex", "unique-ids"}, name) &&
				x.Stuttering > 0 {
				require.ErrorContains(t, err, "stuttering is not defined for")
				continue
			}
			require.NoError(t, err)
			t.Run(r.Info().Name, func(t *testing.T) {
				kit := kits[name]
				kit.Runs = runs(t, 2_000)
				if kit.Depth = 3; name == "deque" {
					kit.Depth = 2
				}
				for _, g := range gen.Specs() {
					if g == name {
						kit.Histories = func(seed uint64) (*history.History, error) {
							return gen.Small(name, seed, gen.SmallOptions{})
						}
					}
				}
				if x.OutOfOrder+x.Lateness > 0 { // size and drain have no meaning there
					kit.Samples = slices.DeleteFunc(slices.Clone(kit.Samples), func(s spectest.Sample) bool {
						return s.F == "size" || s.F == "drain"
					})
				}
				require.Empty(t, spectest.Check(r, kit))
			})
		}
	}
}

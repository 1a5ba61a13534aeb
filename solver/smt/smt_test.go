package smt_test

import (
	"context"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/solver/process"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	_ "github.com/linsat/linsat/solver/smt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The engine that the import links answers as the search does, and its answers are certified.
func TestCheckAsksThePrograms(t *testing.T) {
	for _, program := range process.Scripts() {
		t.Run(program, func(t *testing.T) {
			if _, err := process.ScriptProgram(program); err != nil && program == "z3" {
				testenv.Missing(t, testenv.Solvers, err)
			} else if err != nil {
				t.Skip(err) // one of the programs suffices
			}
			asked := linsat.Engine(linsat.Engines("smt:" + program))
			for _, name := range []string{"register", "counter", "queue"} {
				s, ok := specs.Lookup(name)
				require.True(t, ok)
				decided := 0
				for seed := range uint64(testenv.Scale(6, 200)) {
					h, err := gen.Small(name, seed, gen.SmallOptions{Most: 7})
					require.NoError(t, err)
					r, err := linsat.Check(context.Background(), s, h, asked)
					require.NoError(t, err)
					want, err := linsat.Check(context.Background(), s, h, linsat.Engine(linsat.Search))
					require.NoError(t, err)
					if r.Verdict == linsat.Unknown {
						require.Equal(t, linsat.Unsupported, r.Cause, "%s seed %d: %s", name, seed, r.Detail)
						continue
					}
					decided++
					assert.Equal(t, want.Verdict, r.Verdict, "%s seed %d", name, seed)
					assert.True(t, r.Certified, "%s seed %d: %s", name, seed, r.Uncertified)
				}
				assert.Positive(t, decided, name)
			}
		})
	}
	_, err := linsat.Check(context.Background(), nil, nil, linsat.Engine("smt:boolector"))
	assert.ErrorContains(t, err, "boolector")
}

package verify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/isolationtest"
	"github.com/linsat/linsat/internal/testenv"
)

// TestWitnessesOfTwoBlocksAreTheAxioms compares what is accepted of orders that are looked at in
// two passes with the axioms. Sessions read what they have received, and some of them something
// older, once.
func TestWitnessesOfTwoBlocksAreTheAxioms(t *testing.T) {
	seen := map[bool]int{}
	for seed := range uint64(testenv.Scale(6, 60)) {
		r := rand.New(rand.NewPCG(seed, 5))
		h, from, order := replicated(r, lineBits+100+r.IntN(60))
		name := []string{"causal", "psi"}[r.IntN(2)]
		level, err := isolation.ParseLevel(name)
		require.NoError(t, err)
		want := (&definition{h, level, order, from}).holds()
		err = Check(context.Background(), h, &isolation.Certificate{Level: level.String(),
			Witness: &isolation.Witness{Events: order, Sources: stated(from)}})
		require.Equal(t, want, err == nil, "seed %d, %s: %v", seed, name, err)
		seen[want]++
	}
	require.Greater(t, min(seen[true], seen[false]), testenv.MoreThan(0), "%v", seen)
}

// replicated returns transactions of sessions that have a copy of all objects each, and sometimes
// receive another one's: in the order of their writes, which win in that order.
func replicated(r *rand.Rand, n int) (h *isolation.History, from map[isolation.Place]int32, order []int32) {
	const sessions, objects = 4, 12
	var copies [sessions][objects]int32 // by object: the last transaction that wrote it, plus one
	var written [objects][]int32
	lines := make([]string, n)
	from = map[isolation.Place]int32{}
	wrong := n - 1 - r.IntN(50)
	if r.IntN(2) == 0 {
		wrong = n
	}
	for i := range n {
		t, s := int32(i), r.IntN(sessions)
		if r.IntN(8) == 0 {
			for x, w := range copies[r.IntN(sessions)] {
				copies[s][x] = max(copies[s][x], w)
			}
		}
		x, y := r.IntN(objects), r.IntN(objects)
		w := copies[s][x]
		if k := slices.Index(written[x], w); i >= wrong && k > 0 {
			w = written[x][r.IntN(k)]
		}
		lines[i] = fmt.Sprintf("%c:%d", 'a'+x, w)
		if from[isolation.Place{Txn: t}] = w - 1; r.IntN(3) == 0 {
			lines[i] += fmt.Sprintf(" %c=%d", 'a'+y, t+1)
			copies[s][y] = t + 1
			written[y] = append(written[y], t+1)
		}
		lines[i] += fmt.Sprintf(" | session %d", s)
		order = append(order, t)
	}
	return isolationtest.Parse(strings.Join(lines, "\n")), from, order
}

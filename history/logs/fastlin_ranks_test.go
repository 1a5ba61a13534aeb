package logs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// What finishRanked makes of a file is what a Builder makes of it: operations, origins, processes
// and values. It leaves files with equal times to a Builder, and only those.
func TestFastlinRanksAreThoseOfABuilder(t *testing.T) {
	size := fastlinBlockBytes
	defer func() { fastlinBlockBytes = size }()
	ranked, equal, apart := 0, 0, 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(30)
		scale := uint64(1) << r.IntN(56)
		times := r.Perm(2*n + r.IntN(10))[:2*n]
		for range max(0, r.IntN(6)-2) { // some are equal
			times[r.IntN(2*n)] = times[r.IntN(2*n)]
		}
		if r.IntN(3) == 0 { // operations in the order of their calls
			slices.Sort(times)
		}
		distinct := map[int]bool{}
		for _, at := range times {
			distinct[at] = true
		}
		var text strings.Builder
		text.WriteString([]string{"# queue\n", "# set\n", "", "# priorityqueue\n"}[r.IntN(4)])
		for i := range n {
			call, ret := min(times[2*i], times[2*i+1]), max(times[2*i], times[2*i+1])
			fmt.Fprintf(&text, "%s %d %d %d\n", []string{"enq", "deq", "insert", "contains_true"}[r.IntN(4)],
				r.IntN(12), uint64(call)*scale, uint64(ret)*scale)
		}
		fastlinBlockBytes = 1 + r.IntN(200)
		read := func() *fastlinReader {
			f := &fastlinReader{builder: &history.Reading{Builder: history.NewBuilder()}}
			s := lex.NewSource(strings.NewReader(text.String()), 0)
			for {
				lines, line, err := s.Lines(fastlinBlockBytes, nil)
				require.NoError(t, err)
				if len(lines) == 0 {
					return f
				}
				require.NoError(t, f.add(newFastlinBlock(lines, line)), "seed %d", seed)
			}
		}
		quick, slow := read(), read()
		require.Equal(t, len(distinct) == 2*n, quick.finishRanked(), "seed %d", seed)
		if len(distinct) < 2*n {
			equal++
			continue
		}
		ranked++
		if slow.ranks().table == nil {
			apart++
		}
		require.NoError(t, slow.addAll(slow.times()))
		got, err := quick.builder.Finish()
		require.NoError(t, err)
		want, err := slow.builder.Finish()
		require.NoError(t, err)
		require.Equal(t, want, got, "seed %d: %s", seed, text.String())
	}
	assert.Greater(t, ranked, 500)
	assert.Greater(t, equal, 300)
	assert.Greater(t, apart, 300)
}

//go:build !linsat_native

package c11

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/relaxed/program"
	"github.com/linsat/linsat/internal/relaxed/trust"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

func byBuffers(r *program.Runner, l program.Limits) program.Search {
	l.Buffers = true
	return trust.New(r, l)
}

// TestLoadBufferingIsTheDefinition compares the graphs of the search with those of all candidates
// that satisfy the axioms but the one against cycles. Where no write depends on a read, the search
// finds all; otherwise at least those without cycles, and nothing that is not among them.
func TestLoadBufferingIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	free := []int{doLoad, doLoad, doStore, doStore, doSwap, doFence}
	any := []int{doLoad, doStore, doSwap, doCAS, doWeak, doAdd, doFence, doAwait}
	total, cyclic, left := 0, 0, 0
	for n := range testenv.Scale(40, 400) {
		threads := 2 + r.IntN(2)
		p := draw(r, threads, 2, 4-threads, [][]int{free, free, any}[n%3])
		p.joins = false
		for t := range p.threads {
			of := &p.threads[t]
			if r.IntN(5) > 0 {
				*of = append([]step{{op: doLoad, loc: t % 2, order: one(r, loadOrders)}}, *of...)
				*of = append(*of, step{op: doStore, loc: (t + 1) % 2, order: one(r, storeOrders)})
			}
			if threads == 3 {
				*of = (*of)[:min(len(*of), 2)]
			}
			for i := range *of {
				if n%3 < 2 {
					(*of)[i].value = t & 1 // no load ends its thread
				}
			}
		}
		if n%4 == 1 {
			p.nest(n)
		}
		want, _ := byDefinition(&p, true)
		without, _ := byDefinition(&p, false)
		got, _ := graphs(t, p.run, byBuffers)
		for k, text := range got {
			require.Contains(t, want, k, "program %d\n%sinconsistent:\n%s", n, p.String(), text)
		}
		for k := range want {
			if _, ok := got[k]; !ok {
				require.True(t, n%3 == 2 && !without[k], "program %d\n%smissing %q, found %v", n, p.String(), k, got)
				left++
			}
		}
		total, cyclic = total+len(got), cyclic+len(got)-len(without)
	}
	t.Logf("%d graphs, %d with cycles, %d left out", total, cyclic, left)
	require.Greater(t, cyclic, testenv.MoreThan(0))
}

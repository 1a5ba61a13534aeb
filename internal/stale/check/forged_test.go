package check

import (
	"context"
	"slices"
	"testing"

	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/verify"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// TestForgedSourcesAreRefused gives the verifier, where the answer is no, a source for each read
// that left the value which the read returned: only the times tell it from a right one.
func TestForgedSourcesAreRefused(t *testing.T) {
	q, refused := stale.Question{Kind: stale.WeaklyRegular}, 0
	for seed := range uint64(testenv.Scale(2_000, 20_000)) {
		name := []string{"register", "kv"}[seed%2]
		sp, _ := specs.Lookup(name)
		h := random(t, name, seed)
		x, err := stale.Of(sp, h)
		if err != nil || len(h.Edges) > 0 || x.OnlyReadsAndWrites() != nil || defined(t, h, name, q) {
			continue
		}
		forged := &stale.Certificate{Question: q.String()}
		complete := true
		for k := range x.Objects {
			o := &x.Objects[k]
			order := stale.Order{Object: o.Name}
			for i := range o.Ops {
				read := &o.Ops[i]
				if !read.Read {
					continue
				}
				w := slices.IndexFunc(o.Ops, func(w stale.Op) bool {
					return !w.Read && w.Call < read.Return && read.Modes[0].Allows(w.Modes[0].Leaves)
				})
				source := stale.Source{Read: read.ID, Write: -1}
				if w >= 0 {
					source.Write = o.Ops[w].ID
				}
				complete = complete && (w >= 0 || read.Modes[0].Allows(o.Initial))
				order.Sources = append(order.Sources, source)
			}
			forged.Orders = append(forged.Orders, order)
		}
		if !complete {
			continue
		}
		require.Error(t, verify.New(x).Check(context.Background(), forged), "seed %d: %+v", seed, h.Ops)
		refused++
	}
	require.Greater(t, refused, testenv.MoreThan(50))
}

package check

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/verify"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAlteredCertificatesAreTrueOrRefused alters certificates at random: what the verifier accepts
// all the same is true by definition.
func TestAlteredCertificatesAreTrueOrRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 2))
	tried, accepted := 0, 0
	for seed := range uint64(testenv.Scale(300, 5_000)) {
		name := []string{"register", "cas-register", "kv", "set"}[seed%4]
		sp, _ := specs.Lookup(name)
		h := random(t, name, seed)
		x, err := stale.Of(sp, h)
		if err != nil || len(h.Edges) > 0 || len(h.Ops) == 0 {
			continue
		}
		questions := []stale.Question{{Kind: stale.Late, Bound: r.Int64N(3)}, {Kind: stale.Moved, Bound: r.Int64N(6)}}
		if x.OnlyReadsAndWrites() == nil {
			questions = append(questions, stale.Question{Kind: stale.Regular},
				stale.Question{Kind: stale.WeaklyRegular})
		}
		for _, q := range questions {
			a := Ask(context.Background(), x, q)
			require.NotNil(t, a.Certificate)
			for range 10 {
				c := altered(t, r, a.Certificate, len(h.Ops))
				tried++
				if verify.New(x).Check(context.Background(), c) != nil {
					continue
				}
				accepted++
				asked, err := stale.ParseQuestion(c.Question)
				require.NoError(t, err)
				require.Equal(t, defined(t, h, name, asked), c.Core == nil, "seed %d: %+v", seed, c)
			}
		}
	}
	t.Logf("%d altered, %d of them accepted and true", tried, accepted)
	assert.Greater(t, min(accepted, tried-accepted), testenv.MoreThan(100))
}

// altered returns a certificate with a change.
func altered(t *testing.T, r *rand.Rand, from *stale.Certificate, ops int) *stale.Certificate {
	text, err := json.Marshal(from)
	require.NoError(t, err)
	c := &stale.Certificate{}
	require.NoError(t, json.Unmarshal(text, c))
	list := func(l *[]history.OpID) {
		switch n := len(*l); {
		case n == 0 || r.IntN(4) == 0:
			*l = slices.Insert(*l, r.IntN(n+1), history.OpID(r.IntN(ops+2)-1))
		case r.IntN(3) == 0:
			k := r.IntN(n)
			*l = slices.Delete(*l, k, k+1)
		case r.IntN(2) == 0:
			i, k := r.IntN(n), r.IntN(n)
			(*l)[i], (*l)[k] = (*l)[k], (*l)[i]
		default:
			(*l)[r.IntN(n)] = history.OpID(r.IntN(ops))
		}
	}
	switch n := len(c.Orders); {
	case r.IntN(5) == 0:
		c.Question = []string{"late 0", "late 1", "late 2", "moved 0", "moved 1", "moved 3", "regular",
			"weakly-regular", "late", "moved -1"}[r.IntN(10)]
	case c.Core != nil && r.IntN(5) == 0:
		c.Core.Object = "key 7"
	case c.Core != nil:
		list(&c.Core.Operations)
	case n > 1 && r.IntN(5) == 0:
		i, k := r.IntN(n), r.IntN(n)
		c.Orders[i], c.Orders[k] = c.Orders[k], c.Orders[i]
	case n > 0:
		o := &c.Orders[r.IntN(n)]
		switch r.IntN(4) {
		case 0:
			o.Late = append(o.Late, stale.Lateness{Read: history.OpID(r.IntN(ops)), By: int32(r.IntN(4) - 1)})
		case 1:
			if len(o.Sources) > 0 {
				o.Sources[r.IntN(len(o.Sources))].Write = history.OpID(r.IntN(ops+2) - 1)
				break
			}
			fallthrough
		default:
			list(&o.Operations)
		}
	}
	return c
}

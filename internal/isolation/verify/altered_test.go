package verify

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/internal/gen/randomtxn"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/isolationtest"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
)

// TestAlteredCertificatesAreRefused alters certificates of both kinds.
func TestAlteredCertificatesAreRefused(t *testing.T) {
	judge := isolationtest.Judge{Isolated: oracle.Isolated,
		Check: func(h *isolation.History, c *isolation.Certificate) error { return Check(context.Background(), h, c) }}
	const times = 40
	var tried, accepted [2]int // of witnesses, of refutations
	for seed := range uint64(testenv.Scale(600, 20000)) {
		r := rand.New(rand.NewPCG(seed, 3))
		h := randomtxn.History(r, 4)
		l := isolation.Levels()[r.IntN(len(isolation.Levels()))]
		c, kind := refutation(t, h, l), 1
		if c == nil {
			c, kind = witness(h, l), 0
		}
		if c != nil {
			tried[kind] += times
			accepted[kind] += judge.Alter(t, r, h, c, times)
		}
	}
	t.Logf("altered witnesses and refutations %v, accepted and true %v", tried, accepted)
	for kind := range tried {
		require.Greater(t, accepted[kind], testenv.MoreThan(100))
		require.Greater(t, tried[kind]-accepted[kind], testenv.MoreThan(100))
	}
}

// witness returns a witness of a history, or nil.
func witness(h *isolation.History, l isolation.Level) (c *isolation.Certificate) {
	orders(h, func(order []int32, from map[isolation.Place]int32) bool {
		if !(&definition{h, l, order, from}).holds() {
			return true
		}
		return starts(l, order, func(events []int32) bool {
			w := &isolation.Witness{Events: slices.Clone(events), Sources: stated(from)}
			one := &isolation.Certificate{Level: l.String(), Witness: w}
			if Check(context.Background(), h, one) != nil {
				return true
			}
			c = one
			return false
		})
	})
	return c
}

func stated(from map[isolation.Place]int32) (all []isolation.Source) {
	for p, s := range from {
		all = append(all, isolation.Source{Place: p, From: s})
	}
	return all
}

package solve

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/internal/gen/randomtxn"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/isolationtest"
	"github.com/linsat/linsat/internal/isolation/verify"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
)

// TestAlteredCertificatesAreTrueOrRefused alters what the engine proves: what the verifier accepts
// all the same is true.
func TestAlteredCertificatesAreTrueOrRefused(t *testing.T) {
	judge := isolationtest.Judge{Isolated: oracle.Isolated,
		Check: func(h *isolation.History, c *isolation.Certificate) error {
			return verify.Check(context.Background(), h, c)
		}}
	r := rand.New(rand.NewPCG(37, 2))
	tried, accepted := 0, 0
	for n := range testenv.Scale(150, 10_000) {
		h := randomtxn.History(r, 2+n%4)
		for _, l := range isolation.Levels() {
			if a := Decide(context.Background(), h, l, newGini, 0); a.Certificate != nil {
				tried += 10
				accepted += judge.Alter(t, r, h, a.Certificate, 10)
			}
		}
	}
	t.Logf("%d altered, %d of them accepted and true", tried, accepted)
	assert.Greater(t, min(accepted, tried-accepted), testenv.MoreThan(100))
}

//go:build !linsat_native

package c11

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReplay makes every execution of random programs again.
func TestReplay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	ops := []int{doLoad, doStore, doSwap, doCAS, doWeak, doAdd, doFence, doAwait, doChoose, doRead, doWrite, doNew}
	met := map[Outcome]int{}
	for n := range 100 {
		p := draw(r, 2+r.IntN(2), 2, 3, ops)
		if n%2 == 1 {
			p.nest(n)
		}
		_, err := Run(p.run, Options{}, func(g *Graph) bool {
			again, err := Replay(p.run, Options{}, g.Steps())
			require.NoError(t, err, "%s%s%s", p.String(), g.Text(), g.Steps())
			require.Equal(t, g.Key(), again.Key(), "%s%s%s\n%s", p.String(), g.Text(), g.Steps(), again.Text())
			require.Equal(t, g.Outcome, again.Outcome, "%s%s%s", p.String(), g.Text(), g.Steps())
			require.Equal(t, g.Steps(), again.Steps())
			met[g.Outcome]++
			return true
		})
		require.NoError(t, err)
	}
	t.Log(met)
	for _, o := range []Outcome{Complete, Race, Uninitialized, Stuck} {
		require.Positive(t, met[o], "%d", o)
	}
}

// TestReplayRefuses gives steps that the program cannot make.
func TestReplayRefuses(t *testing.T) {
	p := updates(2)
	for steps, why := range map[string]string{
		"1:0,2:2":     "",
		"2:0,1:2":     "",
		"1:0,2:0":     "does not allow",
		"1:0,2:4":     "does not allow",
		"1:0,2:3":     "does not allow",
		"1:0":         "thread 2 goes on",
		"1:0,2:2,2:0": "has ended",
		"3:0":         "has ended",
		"1:x":         "a step",
		"1":           "steps of a thread",
	} {
		g, err := Replay(p, Options{}, steps)
		if why == "" {
			require.NoError(t, err, steps)
			assert.Equal(t, Complete, g.Outcome)
			assert.Equal(t, steps, g.Steps())
			assert.True(t, strings.HasSuffix(g.Events[1].File, "speed_test.go"), g.Events[1].File)
			continue
		}
		assert.ErrorContains(t, err, why, steps)
	}
}

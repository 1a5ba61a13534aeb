package check_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// TestAlteredCertificatesAreTrueOrRefused alters certificates about reads and writes, and gives
// them to other questions: what the verifier accepts all the same is true.
func TestAlteredCertificatesAreTrueOrRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 2))
	var tried, accepted int
	for n := range testenv.Scale(300, 5000) {
		s, h, m := repeatedMemory(t, rng, 6, n%2*(2+n%3)) // half of them with values that repeat
		for name := range definitions {
			a := ask(t, s, h, name)
			for range 6 {
				c := altered(t, rng, a.Certificate, len(h.Ops), len(h.Processes))
				about := name
				if rng.IntN(3) == 0 {
					for about = range definitions { // any
						break
					}
					c.Question = about
				}
				q, err := consistency.Parse(about)
				require.NoError(t, err)
				tried++
				if holds, err := check.Verify(context.Background(), s, h, q, c); err == nil {
					accepted++
					require.Equal(t, m.AnySources(definitions[about]), holds, "%d: %s of %+v: %+v", n, about, m, c)
				}
			}
		}
	}
	t.Logf("%d altered, %d of them accepted and true", tried, accepted)
	require.Greater(t, min(accepted, tried-accepted), testenv.MoreThan(100))
}

// altered returns a certificate with one thing changed, or none.
func altered(t *testing.T, rng *rand.Rand, of *consistency.Certificate, ops, processes int) *consistency.Certificate {
	text, err := json.Marshal(of)
	require.NoError(t, err)
	c := &consistency.Certificate{}
	require.NoError(t, json.Unmarshal(text, c))
	change := func(list *[]history.OpID) {
		at := rng.IntN(len(*list) + 1)
		one := history.OpID(rng.IntN(ops+2) - 1)
		switch kind := rng.IntN(4); {
		case kind == 0 || len(*list) == 0:
			*list = slices.Insert(*list, at, one)
		case at == len(*list):
		case kind == 1:
			*list = slices.Delete(*list, at, at+1)
		case kind == 2:
			(*list)[at] = one
		default:
			(*list)[at], (*list)[0] = (*list)[0], (*list)[at]
		}
	}
	choice := func(list []consistency.Choice) []consistency.Choice {
		at := rng.IntN(len(list))
		switch rng.IntN(3) {
		case 0:
			return slices.Delete(list, at, at+1)
		case 1:
			list[at].Write = history.OpID(rng.IntN(ops+2) - 1)
		default:
			list[at].Read = history.OpID(rng.IntN(ops+2) - 1)
		}
		return list
	}
	switch k := rng.IntN(4); {
	case len(c.Chosen) > 0 && k == 3:
		c.Chosen = choice(c.Chosen)
	case c.Choices != nil && len(c.Choices.Cases) > 0 && k == 0:
		at := rng.IntN(len(c.Choices.Cases))
		c.Choices.Cases = slices.Delete(c.Choices.Cases, at, at+1)
	case c.Choices != nil && len(c.Choices.Cases) > 0:
		x := &c.Choices.Cases[rng.IntN(len(c.Choices.Cases))]
		switch {
		case len(x.Chosen) > 0 && k == 1:
			x.Chosen = choice(x.Chosen)
		case x.Conflict != nil && k == 2:
			change(&x.Conflict.Path)
		case x.Conflict != nil && len(x.Conflict.Overwrites) > 0:
			change(&x.Conflict.Overwrites[rng.IntN(len(x.Conflict.Overwrites))].Path)
		}
	case len(c.Views) > 0 && k == 0:
		at := rng.IntN(len(c.Views))
		c.Views = slices.Delete(c.Views, at, at+1)
	case len(c.Views) > 0 && k == 1:
		c.Views[rng.IntN(len(c.Views))].Process = int32(rng.IntN(processes+2) - 1)
	case len(c.Views) > 0:
		change(&c.Views[rng.IntN(len(c.Views))].Order)
	case c.Conflict != nil && k == 0:
		c.Conflict.Process = int32(rng.IntN(processes+2) - 1)
	case c.Conflict != nil && k == 1 && len(c.Conflict.Overwrites) > 0:
		at := rng.IntN(len(c.Conflict.Overwrites))
		if rng.IntN(2) == 0 {
			c.Conflict.Overwrites = slices.Delete(c.Conflict.Overwrites, at, at+1)
		} else {
			change(&c.Conflict.Overwrites[at].Path)
		}
	case c.Conflict != nil:
		change(&c.Conflict.Path)
	case c.Commits != nil && c.Commits.Witness != nil && len(c.Commits.Witness.Events) > 1:
		events := c.Commits.Witness.Events
		at := rng.IntN(len(events))
		events[0], events[at] = events[at], events[0]
	}
	return c
}

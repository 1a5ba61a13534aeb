//go:build !linsat_native

package c11

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/internal/relaxed/axioms"
)

// TestHappensBeforeIsTheDefinition compares the clocks of random graphs with the relation.
func TestHappensBeforeIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	ops := []int{doLoad, doStore, doSwap, doCAS, doAdd, doFence, doFence, doRead, doWrite}
	pairs, before, synchronise := 0, 0, 0
	for n := range 60 {
		p := draw(r, 2+r.IntN(2), 2, 3, ops)
		if n%2 == 1 {
			p.nest(n)
		}
		_, err := Run(p.run, Options{}, func(g *Graph) bool {
			m := axioms.Of(g.of)
			for i := range g.Events {
				for j := range g.Events {
					e, f := &g.Events[i], &g.Events[j]
					if e.Thread < 0 || f.Thread < 0 {
						continue
					}
					hb := i != j && m.HB(e.last, f.first)
					require.Equal(t, hb, g.HB(i, j), "%s%s before %s", g.Text(), g.Name(i), g.Name(j))
					pairs++
					if hb {
						before++
					}
					if g.SW(i, j) {
						synchronise++
						require.True(t, hb || i == j)
					}
				}
			}
			return true
		})
		require.NoError(t, err)
	}
	assert.Positive(t, before)
	assert.Positive(t, synchronise)
	t.Log(pairs, before, synchronise)
}

// TestNotesAreOrdered annotates what is before and after a message, a start and a join.
func TestNotesAreOrdered(t *testing.T) {
	met := 0
	_, err := Run(func(x *Exec) {
		flag := NewAtomic(x, "flag", 0)
		x.Annotate("made")
		a := x.Go(func() {
			x.Annotate("sends")
			flag.Store(1, Release)
			x.Annotate("sent")
		})
		x.Annotate("later")
		b := x.Go(func() {
			x.Annotate("asks")
			if flag.Load(Acquire) == 1 {
				x.Annotate("told")
			}
		})
		a.Join()
		b.Join()
		x.Annotate("joined")
	}, Options{}, func(g *Graph) bool {
		at := map[string]int{}
		for i, n := range g.Notes {
			at[n.Payload.(string)] = i
		}
		hb := func(a, b string) bool { return g.NoteHB(at[a], at[b]) }
		for note := range at {
			if note != "made" {
				assert.True(t, hb("made", note), note)
				assert.False(t, hb(note, "made"), note)
			}
			if note != "joined" {
				assert.True(t, hb(note, "joined"), note)
				assert.False(t, hb("joined", note), note)
			}
		}
		assert.True(t, hb("later", "asks"))
		assert.False(t, hb("later", "sends"))
		assert.False(t, hb("asks", "sends"))
		assert.False(t, hb("sends", "asks"))
		if _, told := at["told"]; told {
			met++
			assert.True(t, hb("sends", "told"))
			assert.False(t, hb("sent", "told"))
		}
		assert.Equal(t, -1, g.Notes[at["sends"]].Before)
		assert.Equal(t, 1, g.Notes[at["sent"]].Done)
		assert.Equal(t, g.Notes[at["sends"]].After, g.Notes[at["sent"]].Before)
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, 1, met)
}

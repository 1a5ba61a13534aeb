package explain

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/gen"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
)

// named writes an operation with its result.
func describe(b *spec.Bound) func(op int32) string {
	v := b.Part.History.Values
	return func(i int32) string {
		o := b.Part.Ops[i]
		text := v.Format(o.F)
		if s, ok := v.AsString(o.F); ok {
			text = s
		}
		if o.Arg != history.Nil {
			text += " " + v.Format(o.Arg)
		}
		switch {
		case o.Pending():
			text += " (never returned)"
		case !o.Unknown:
			text += " → " + v.Format(o.Result)
		}
		return fmt.Sprintf("%s (#%s)", text, b.Part.ID(i))
	}
}

func sentences(t testing.TB, b *spec.Bound, c *check.Claim) []string {
	p, err := Prove(context.Background(), b, c, 0)
	require.NoError(t, err)
	require.NotNil(t, p.Argument)
	out, err := Sentences(b, c, p.Argument, describe(b))
	require.NoError(t, err)
	return out
}

func fromJSON(t testing.TB, text string) *spec.Bound {
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	require.NoError(t, err)
	s := lookup(t, h.Spec)
	b, err := s.Bind(spec.Whole(h))
	require.NoError(t, err)
	return b
}

func TestZZShow(t *testing.T) {
	for _, name := range withAxioms {
		s := lookup(t, name)
		shown := 0
		for seed := uint64(0); seed < 300 && shown < 9; seed++ {
			h, _ := gen.Small(name, seed, gen.SmallOptions{})
			b, err := s.Bind(spec.Whole(h))
			require.NoError(t, err)
			if b.Theory == nil {
				continue
			}
			p, err := Prove(context.Background(), b, check.Everything(), 0)
			require.NoError(t, err)
			if p.Argument == nil || p.Argument.Size().Steps < 3 && shown%3 > 0 {
				continue
			}
			out, err := Sentences(b, check.Everything(), p.Argument, describe(b))
			require.NoError(t, err)
			shown++
			fmt.Println(name, seed)
			for _, l := range out {
				fmt.Println("   ", l)
			}
		}
	}
	assert.True(t, true)
}

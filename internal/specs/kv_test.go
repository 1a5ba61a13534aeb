package specs_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// plainKV is a key with its real strings: "-" for an absent one, else the string behind "+".
func plainKV(p *model.Partition) model.Machine {
	t := p.History.Values
	spell := func(v history.Value) string {
		if s, isString := t.AsString(v); isString {
			return "+" + s
		}
		return "-"
	}
	return model.NewComparable("-", func(s string, op history.OpID, dst []string) []string {
		o := &p.Ops[op]
		f, _ := t.AsString(o.F)
		switch f {
		case "get":
			if o.Unknown || spell(o.Result) == s {
				dst = append(dst, s)
			}
		case "put":
			dst = append(dst, spell(o.Arg))
		case "append":
			dst = append(dst, "+"+s[1:]+spell(o.Arg)[1:])
		case "delete":
			dst = append(dst, "-")
		case "cas":
			pair, _ := t.AsList(o.Arg)
			unknown := o.Unknown || o.Result == history.Nil
			if s == spell(pair[0]) {
				if unknown || o.Result == history.True {
					dst = append(dst, spell(pair[1]))
				}
			} else if unknown || o.Result == history.False {
				dst = append(dst, s)
			}
		}
		return dst
	}, func(s string) string { return s }, nil)
}

// growing draws a history of one key whose strings are of few letters, so that the same string
// comes about in many ways. Results come from a run in some order, and some are changed.
func growing(r *rand.Rand) *history.History {
	b := history.NewBuilder()
	t := b.Values
	letters := 1 + r.IntN(2)
	word := func(most int) history.Value {
		s := ""
		for range r.IntN(most + 1) {
			s += string(rune('a' + r.IntN(letters)))
		}
		return t.String(s)
	}
	some := func(most int) history.Value {
		if r.IntN(5) == 0 {
			return history.Nil
		}
		return word(most)
	}
	state := history.Nil
	change := 0.6 * r.Float64()
	result := func(v, wrong history.Value) history.Value {
		if r.Float64() < change {
			return wrong
		}
		return v
	}
	spread := int64(1 + r.IntN(12))
	for i := range 2 + r.IntN(8) {
		at := 4 * int64(i)
		rec := history.Record{Process: b.Process(strconv.Itoa(i)), Key: t.String("x"), Call: at - r.Int64N(spread),
			Return: at + r.Int64N(spread)}
		f := "append"
		switch r.IntN(10) {
		case 0, 1, 2:
			f = "get"
			rec.Result = result(state, some(5))
		case 3:
			f, rec.Arg = "put", some(3)
			state = rec.Arg
		case 4:
			if f = "delete"; r.IntN(2) == 0 {
				state = history.Nil
				break
			}
			fallthrough
		case 5:
			f = "cas"
			old, next := some(3), some(3)
			if r.IntN(2) == 0 {
				old = state
			}
			rec.Arg = t.List([]history.Value{old, next})
			rec.Result = result(t.Bool(old == state), t.Bool(r.IntN(2) == 0))
			if old == state {
				state = next
			}
			if r.IntN(6) == 0 {
				rec.Result = history.Nil
			}
		default:
			rec.Arg = word(2)
			a, _ := t.AsString(state)
			s, _ := t.AsString(rec.Arg)
			state = t.String(a + s)
		}
		rec.F = t.String(f)
		if r.IntN(8) == 0 {
			rec.Pending = true
		}
		if _, err := b.Add(rec); err != nil {
			panic(err)
		}
	}
	h, err := b.Finish()
	if err != nil {
		panic(err)
	}
	return h
}

// The strings that kv tells apart are enough: its verdicts are those of the machine with the real
// strings, and so are the verdicts of its theory.
func TestKVAgreesWithRealStrings(t *testing.T) {
	accepted, n := 0, testenv.Scale(4_000, 50_000)
	for seed := range uint64(n) {
		h := growing(rand.New(rand.NewPCG(seed, 1)))
		p := model.Whole(h)
		b, err := specs.KV().Bind(p)
		require.NoError(t, err, "seed %d", seed)
		want, _ := oracle.Linearizable(&model.Instance{Partition: p, NewMachine: func() model.Machine {
			return plainKV(p)
		}})
		got, witness := oracle.Linearizable(b)
		require.Equal(t, want, got, "seed %d", seed)
		require.NotNil(t, b.Theory, "seed %d", seed)
		if got {
			accepted++
			require.NoError(t, oracle.Replay(&model.Instance{Partition: p, NewMachine: func() model.Machine {
				return plainKV(p)
			}}, witness), "seed %d", seed)
		}
		restore := specs.LimitEdges(-1)
		b2, err := specs.KV().Bind(p)
		restore()
		require.NoError(t, err, "seed %d", seed)
		again, _ := oracle.Linearizable(b2)
		require.Equal(t, want, again, "with real strings, seed %d", seed)
		bound := &model.Instance{Partition: p, NewMachine: func() model.Machine {
			return cellsMachine(b.Axiomatic().(*model.RegisterTheory))
		}}
		theory, _ := oracle.Linearizable(bound)
		require.Equal(t, want, theory, "theory, seed %d", seed)
	}
	assert.Greater(t, accepted, n/5)
	assert.Less(t, accepted, 4*n/5)
}

// cellsMachine executes the modes of cells.
func cellsMachine(c *model.RegisterTheory) model.Machine {
	return model.NewVector(c.Init, func(s []int32, op history.OpID, yield func([]int32)) {
		for _, m := range c.Of(op) {
			next := append([]int32(nil), s...)
			if !m.Allows(s[c.Object[op]]) {
				continue
			}
			if m.Leaves != model.Keep {
				next[c.Object[op]] = m.Leaves
			}
			yield(next)
		}
	}, func(s []int32) string { return fmt.Sprint(s) })
}

// A long log of appends and gets is bound in time linear in its strings, and its appends have few
// modes.
func TestKVBindsLongStrings(t *testing.T) {
	b := history.NewBuilder()
	v := b.Values
	var text strings.Builder
	key, get, app := v.String("x"), v.String("get"), v.String("append")
	const n = 4_000
	for i := range int64(n) {
		rec := history.Record{Process: b.Process(strconv.FormatInt(i%50, 10)), Key: key, Call: 4 * i, Return: 4*i + 1}
		if i%4 == 3 {
			rec.F, rec.Result = get, v.String(text.String())
		} else {
			token := fmt.Sprintf("x %d %d y", i%50, i)
			text.WriteString(token)
			rec.F, rec.Arg = app, v.String(token)
		}
		_, err := b.Add(rec)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	began := time.Now()
	bound, err := specs.KV().Bind(model.Whole(h))
	require.NoError(t, err)
	t.Logf("bound %d operations with %d bytes of string in %v", n, text.Len(), time.Since(began))
	c := bound.Axiomatic().(*model.RegisterTheory)
	assert.LessOrEqual(t, len(c.Modes), 2*n)
	m := bound.NewMachine()
	s := m.Init()
	for i := range history.OpID(n) {
		next := m.Step(s, i, nil)
		require.Len(t, next, 1)
		s = next[0]
	}
	assert.Equal(t, strconv.Quote(text.String()), m.Describe(s))
}

// Tokens that fit anywhere are too many to be told apart by what they make; real strings do it
// then.
func TestKVWithoutBounds(t *testing.T) {
	b := history.NewBuilder()
	v := b.Values
	key, get, app := v.String("x"), v.String("get"), v.String("append")
	const n = 200
	total := 0
	for i := range int64(n + 1) {
		rec := history.Record{Process: b.Process("0"), F: app, Key: key, Arg: v.String(strings.Repeat("a", int(i)+1)),
			Call: 2 * i, Return: 2*i + 1}
		if i == n {
			rec.F, rec.Arg, rec.Result = get, history.Nil, v.String(strings.Repeat("a", total))
		}
		total += int(i) + 1
		_, err := b.Add(rec)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	bound, err := specs.KV().Bind(model.Whole(h))
	require.NoError(t, err)
	assert.Nil(t, bound.Theory)
	m := bound.NewMachine()
	s := m.Init()
	for i := range history.OpID(n) {
		assert.Empty(t, m.Step(s, n, nil))
		next := m.Step(s, i, nil)
		require.Len(t, next, 1)
		s = next[0]
	}
	assert.Equal(t, []model.State{s}, m.Step(s, n, nil))
	assert.Greater(t, m.Bytes(), int64(total))
}

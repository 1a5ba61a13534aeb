package specs_test

import (
	"strconv"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/require"
)

// million makes a sequential history of a million operations; op fills in the i-th.
func million(b *testing.B, op func(t *history.Values, i int64, r *history.Record)) *history.History {
	builder := history.NewBuilder()
	process := builder.Process("0")
	for i := range int64(1_000_000) {
		r := history.Record{Process: process, Key: history.NoKey, Call: 2 * i, Return: 2*i + 1}
		op(builder.Values, i, &r)
		_, err := builder.Add(r)
		require.NoError(b, err)
	}
	h, err := builder.Finish()
	require.NoError(b, err)
	return h
}

// BenchmarkBind splits and binds histories of a million operations.
func BenchmarkBind(b *testing.B) {
	pair := func(t *history.Values, i int64) history.Value {
		return t.List([]history.Value{t.Int(i), t.Int(i + 1)})
	}
	for _, bench := range []struct {
		name string
		spec model.Spec
		op   func(t *history.Values, i int64, r *history.Record)
	}{
		{"register", specs.Register(), func(t *history.Values, i int64, r *history.Record) {
			if r.F, r.Arg = t.String("write"), t.Int(i); i%2 == 1 {
				r.F, r.Arg, r.Result = t.String("read"), history.Nil, t.Int(i-1)
			}
		}},
		{"cas-register", specs.CASRegister(), func(t *history.Values, i int64, r *history.Record) {
			r.F, r.Arg, r.Result = t.String("cas"), pair(t, i%1000), history.True
		}},
		{"kv, 1000 keys", specs.KV(), func(t *history.Values, i int64, r *history.Record) {
			r.Key = t.Int(i % 1000)
			if r.F, r.Arg = t.String("put"), t.Int(i); i%2000 > 1000 {
				r.F, r.Arg, r.Result = t.String("get"), history.Nil, t.Int(i-1000)
			}
		}},
		{"kv, appends", specs.KV(), func(t *history.Values, i int64, r *history.Record) {
			r.Key = t.Int(i % 10_000)
			if r.F, r.Arg = t.String("append"), t.String("x "+strconv.FormatInt(i, 10)+" y"); i%40_000 >= 30_000 {
				r.F, r.Arg, r.Result = t.String("get"), history.Nil, t.String("x "+strconv.FormatInt(i%10_000, 10)+" y")
			}
		}},
		{"set, 250,000 elements", specs.Set(), func(t *history.Values, i int64, r *history.Record) {
			r.F, r.Arg, r.Result = t.String("add"), t.Int(i/4), t.Bool(i%4 == 0)
		}},
		{"multi-register", specs.MultiRegister(), func(t *history.Values, i int64, r *history.Record) {
			r.F, r.Arg = t.String("write"), t.Map([]history.Value{t.Int(i % 100), t.Int(i % 1000)})
		}},
		{"mutex", specs.Mutex(), func(t *history.Values, i int64, r *history.Record) {
			if r.F = t.String("acquire"); i%2 == 1 {
				r.F = t.String("release")
			}
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			h := million(b, bench.op)
			for b.Loop() {
				for _, p := range model.Split(bench.spec, h, model.ByKey) {
					if _, err := bench.spec.Bind(p); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

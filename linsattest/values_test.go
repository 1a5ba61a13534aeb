package linsattest_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/linsat/linsat/linsattest"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type point struct {
	X    int
	y    float64
	tags []string
}

type problem struct{ code int }

func (p *problem) Error() string { return fmt.Sprint("problem ", p.code) }

type cyclic []cyclic

// values are arguments and results, no two of which are equal.
func values() []any {
	other := 2.5
	return []any{nil, true, 1, uint8(2), int64(-3), uint64(math.MaxUint64), "1.5x", 1.5, float32(3.5), math.NaN(), 1i,
		point{1, 2, nil}, point{1, 2.5, nil}, point{1, 2, []string{"a"}}, struct{}{}, [2]int{1, 2}, []point{{}},
		map[[2]int]error{{}: nil}, map[string]any{"a": &other}, errors.New("no"), &problem{7},
		fmt.Errorf("wrapped: %w", &problem{7}), time.Unix(0, 0).UTC(), big.NewInt(77), []byte("ab"),
		[]any{point{}, errors.New("no")}, []error{nil}}
}

// wrote is a program that writes one value and reads another one.
func wrote(one, another any) func(r *linsattest.Run) {
	return func(r *linsattest.Run) {
		r.Go(func(p *linsattest.Process) {
			p.Do("write", one, func() any { return nil })
			p.Do("read", nil, func() any { return another })
		})
	}
}

// TestValues: equal values are one, and others are not.
func TestValues(t *testing.T) {
	briefly(t)
	all, again := values(), values()
	var none *point
	var nothing error
	again[0] = none
	all = append(all, nothing)
	again = append(again, none)
	for i := range all {
		linsattest.Check(t, spec.MustLookup("register"), wrote(all[i], again[i]))
		linsattest.Check(t, nil, wrote(all[i], again[i]))
		for j := range len(all) - 1 {
			if i != j && i != len(all)-1 {
				linsattest.Control(t, spec.MustLookup("register"), wrote(all[i], again[j]))
			}
		}
	}
	linsattest.Check(t, nil, func(r *linsattest.Run) {
		r.Go(func(p *linsattest.Process) {
			got := p.Do("get", point{}, func() any { return &problem{7} })
			assert.Equal(t, &problem{7}, got, "the result itself is handed on")
		})
	})
}

// briefly lets the checks of a test run once each.
func briefly(t *testing.T) {
	duration := flag.Lookup("linsat.duration").Value.String()
	require.NoError(t, flag.Set("linsat.duration", "1ns"))
	t.Cleanup(func() { require.NoError(t, flag.Set("linsat.duration", duration)) })
}

// TestNoValues: what no history holds is named.
func TestNoValues(t *testing.T) {
	briefly(t)
	endless := cyclic{nil}
	endless[0] = endless
	for _, c := range []struct {
		value any
		says  string
	}{
		{&point{}, "linsattest_test.point"}, {func() {}, "func()"}, {make(chan int), "chan int"},
		{struct{ f func() }{func() {}}, "func("}, {endless, "nested more than"},
	} {
		for _, s := range []spec.Spec{spec.MustLookup("register"), nil} {
			o := try(t, func(t testing.TB) {
				linsattest.Check(t, s, func(r *linsattest.Run) {
					r.Go(func(p *linsattest.Process) { p.Do("read", nil, func() any { return c.value }) })
				})
			})
			assert.True(t, o.failed, "%T", c.value)
			assert.Contains(t, fmt.Sprint(o.errors), c.says)
		}
	}
}

// Package cells makes histories of operations on one, two or all of a few cells, for what needs
// specifications that say what their operations touch.
package cells

import (
	"fmt"
	"math/rand/v2"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/spec"
)

// Most is how many cells there are at most.
const Most = 256

// state is what the cells hold.
type state [Most]int8

// Spec returns the specification of the cells: "put" and "flip" of one, "move" and "get" of two,
// and the "sum" of all. What a flip leaves is open.
func Spec() model.Spec {
	s, err := spec.Define(spec.Definition[state]{
		Name:     "cells",
		ReadOnly: func(c spec.Call, _ spec.Result) bool { return c.F == "get" || c.F == "sum" },
		Step: func(s state, c spec.Call) []spec.Outcome[state] {
			a := c.Arg.([]any)
			x := a[0].(int64)
			switch c.F {
			case "move": // from a cell to another one, as much as there is
				y := a[1].(int64)
				moved := min(s[x], 1)
				s[x] -= moved
				s[y] += moved
				return []spec.Outcome[state]{{Output: moved > 0, Next: s}}
			case "put":
				s[x] = int8(a[1].(int64))
				return []spec.Outcome[state]{{Next: s}}
			case "flip": // to either
				one, two := s, s
				one[x], two[x] = 1, 2
				return []spec.Outcome[state]{{Next: one}, {Next: two}}
			case "sum":
				total := int64(0)
				for _, n := range s {
					total += int64(n)
				}
				return []spec.Outcome[state]{{Output: total, Next: s}}
			}
			both := int64(s[x])*16 + int64(s[a[1].(int64)])
			return []spec.Outcome[state]{{Output: both, Next: s}} // get
		},
		Pieces: func(c spec.Call) []any {
			a := c.Arg.([]any)
			switch c.F {
			case "put", "flip":
				return a[:1]
			case "sum":
				return nil
			}
			return a[:2]
		},
	})
	if err != nil {
		panic(err)
	}
	return model.Full(s)
}

// Options say what a history is like.
type Options struct {
	Operations, Cells, Open int     // Open operations at a time
	Pending                 float64 // share of operations that never return
	Wrong                   float64 // share of operations that are a get with any result
	WrongFrom               int     // the first of these
	Whole                   float64 // share of sums
}

// Small draws a history that is short enough for the definition.
func Small(rng *rand.Rand) *history.History {
	return History(rng, Options{Operations: 3 + rng.IntN(7), Cells: 2 + rng.IntN(5), Open: 2 + rng.IntN(4),
		Pending: []float64{0, 0.2}[rng.IntN(2)], Wrong: 0.3, Whole: []float64{0, 0, 0.1}[rng.IntN(3)]})
}

// History draws a history: every operation takes effect somewhere between its call and its
// return, and some results are changed afterwards.
func History(rng *rand.Rand, o Options) *history.History {
	operations, cells, open := o.Operations, o.Cells, o.Open
	b := history.NewBuilder()
	v := b.Values
	state := make([]int64, cells)
	last := open
	clients := make([]int, open)
	for k := range clients {
		clients[k] = k
	}
	var numbers []history.Value
	for k := range cells {
		numbers = append(numbers, v.Int(int64(k)))
	}
	for n := range operations {
		at, c := int64(100*n), n%open
		x := rng.IntN(cells)
		y := (x + 1 + rng.IntN(cells-1)) % cells
		f, arg, result := "", v.List([]history.Value{numbers[x], numbers[y]}), history.Nil
		lost := rng.Float64() < o.Pending
		skip := lost && rng.IntN(2) == 0
		switch k := rng.IntN(8); {
		case rng.Float64() < o.Whole:
			f = "sum"
			sum := int64(0)
			for _, n := range state {
				sum += n
			}
			result = v.Int(sum)
		case k < 2:
			f = "move"
			if result = v.Bool(state[x] > 0); state[x] > 0 && !skip {
				state[x]--
				state[y]++
			}
		case k == 2:
			f = "put"
			n := int64(rng.IntN(3))
			arg = v.List([]history.Value{numbers[x], v.Int(n)})
			if !skip {
				state[x] = n
			}
		case k == 3:
			f = "flip"
			if !skip {
				state[x] = int64(1 + rng.IntN(2))
			}
		default:
			f = "get"
			result = v.Int(state[x]*16 + state[y])
		}
		if rng.Float64() < o.Wrong && f == "get" && n >= o.WrongFrom {
			result = v.Int(int64(rng.IntN(3)*16 + rng.IntN(3)))
		}
		width := int64(50*open - 4)
		r := history.Record{Process: b.Process(fmt.Sprint(clients[c])), Key: history.NoKey, F: v.String(f), Arg: arg,
			Result: result, Call: at - rng.Int64N(width), Return: at + rng.Int64N(width)}
		if lost {
			r.Pending, r.Result = true, history.Nil
			clients[c], last = last, last+1
		}
		if _, err := b.Add(r); err != nil {
			panic(err)
		}
	}
	h, err := b.Finish()
	if err != nil {
		panic(err)
	}
	return h
}

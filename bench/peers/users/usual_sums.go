package main

import (
	"math/rand/v2"

	"github.com/anishathalye/porcupine"
)

// sums are a counter and a bank.
func sums() []object { return []object{counter(), bank()} }

// addIn adds an amount, or reads if it is 0.
type addIn struct{ amount int }

func counter() object {
	return object{
		name: "counter",
		model: porcupine.Model{
			Init: func() any { return 0 },
			Step: func(state, input, output any) (bool, any) {
				if in := input.(addIn); in.amount > 0 {
					return true, state.(int) + in.amount
				}
				return output == state, state
			},
		},
		start: 0,
		draw: func(r *rand.Rand, k, _ int, _ any) any {
			if r.IntN(2) == 0 {
				return addIn{}
			}
			return addIn{1 + r.IntN(5)}
		},
		apply: func(state, input any) (any, any) {
			if in := input.(addIn); in.amount > 0 {
				return 0, state.(int) + in.amount
			}
			return state, state
		},
		unknown: func(input any, _ string) (any, bool) { return 0, input.(addIn).amount > 0 },
		stale: func(past []porcupine.Operation, input, _ any) (any, bool) {
			if input.(addIn).amount > 0 {
				return nil, false
			}
			return goneBy(past, input)
		},
		lost: func(any) []step {
			return []step{{input: addIn{}}, {input: addIn{7}, forgotten: true}, {input: addIn{}}}
		},
	}
}

const usualAccounts = 5

// transferIn moves an amount, or reads all accounts if it is 0.
type transferIn struct{ from, to, amount int }

type balances [usualAccounts]int

type transferOut struct {
	unknown, refused bool
	all              balances
}

func bank() object {
	apply := func(state, input any) (any, any) {
		b, in := state.(balances), input.(transferIn)
		switch {
		case in.amount == 0:
			return transferOut{all: b}, b
		case b[in.from] < in.amount:
			return transferOut{refused: true}, b
		}
		b[in.from] -= in.amount
		b[in.to] += in.amount
		return transferOut{}, b
	}
	read := transferIn{}
	return object{
		name: "bank",
		model: porcupine.Model{
			Init: func() any { return balances{100, 100, 100, 100, 100} },
			Step: func(state, input, output any) (bool, any) {
				want, next := apply(state, input)
				return output.(transferOut).unknown || want == output, next
			},
		},
		start: balances{100, 100, 100, 100, 100},
		draw: func(r *rand.Rand, k, _ int, _ any) any {
			if r.IntN(2) == 0 {
				return read
			}
			from := r.IntN(usualAccounts)
			return transferIn{from, (from + 1 + r.IntN(usualAccounts-1)) % usualAccounts, 2 + 2*r.IntN(4)}
		},
		apply:   apply,
		unknown: func(input any, _ string) (any, bool) { return transferOut{unknown: true}, input != read },
		stale: func(past []porcupine.Operation, input, output any) (any, bool) {
			if input != read {
				return nil, false
			}
			for _, o := range past { // one account is what it was once, and so the total is wrong
				if o.Input == read && o.Output != output {
					was, now := o.Output.(transferOut).all, output.(transferOut)
					for k := range was {
						if was[k] != now.all[k] {
							now.all[k] = was[k]
							return now, true
						}
					}
				}
			}
			return nil, false
		},
		lost: func(state any) []step {
			from, b := 0, state.(balances)
			for k := range b {
				if b[k] > b[from] {
					from = k
				}
			}
			return []step{{input: read}, {input: transferIn{from, (from + 1) % usualAccounts, 1}, forgotten: true},
				{input: read}}
		},
	}
}

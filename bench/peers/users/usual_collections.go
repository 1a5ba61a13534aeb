package main

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/anishathalye/porcupine"
)

// collections are a queue, a stack, a set and a list that grows.
func collections() []object { return []object{queue(), stack(), set(), list()} }

// itemsIn puts a value in, or takes one out if put is false.
type itemsIn struct {
	put   bool
	value int
}

type itemsOut struct {
	unknown, empty bool
	value          int
}

// items is what a queue and a stack share: where the next value is taken.
func items(name string, next func(all []int) int) object {
	apply := func(state, input any) (any, any) {
		all, in := state.([]int), input.(itemsIn)
		switch {
		case in.put:
			return itemsOut{}, append(slices.Clone(all), in.value)
		case len(all) == 0:
			return itemsOut{empty: true}, state
		}
		i := next(all)
		return itemsOut{value: all[i]}, slices.Delete(slices.Clone(all), i, i+1)
	}
	return object{
		name: name,
		model: porcupine.Model{
			Init: func() any { return []int{} },
			Step: func(state, input, output any) (bool, any) {
				want, next := apply(state, input)
				return output.(itemsOut).unknown || want == output, next
			},
			Equal: func(a, b any) bool { return slices.Equal(a.([]int), b.([]int)) },
			DescribeOperation: func(input, output any) string {
				if in := input.(itemsIn); in.put {
					return fmt.Sprintf("put(%d)", in.value)
				}
				return fmt.Sprintf("take() -> %v", output)
			},
		},
		start: []int{},
		draw: func(r *rand.Rand, k, _ int, state any) any {
			if n := len(state.([]int)); r.IntN(10) < 3+min(n, 4) {
				return itemsIn{}
			}
			return itemsIn{true, k}
		},
		apply: apply,
		unknown: func(input any, fault string) (any, bool) {
			return itemsOut{unknown: true}, input.(itemsIn).put || fault != "lost"
		},
		stale: func(past []porcupine.Operation, input, output any) (any, bool) {
			if input.(itemsIn).put {
				return nil, false
			}
			for _, o := range slices.Backward(past) { // what another took before
				if got := o.Output.(itemsOut); o.Return != never && !o.Input.(itemsIn).put &&
					!got.empty && !got.unknown {
					return got, true
				}
			}
			return nil, false
		},
		lost: func(state any) []step {
			steps := []step{{input: itemsIn{true, 1 << 20}, forgotten: true}}
			for range len(state.([]int)) + 1 {
				steps = append(steps, step{input: itemsIn{}})
			}
			return steps
		},
	}
}

func queue() object { return items("queue", func([]int) int { return 0 }) }
func stack() object { return items("stack", func(all []int) int { return len(all) - 1 }) }

// elementIn adds an element, which no other does, removes it or asks for it.
type elementIn struct {
	op      string // add, remove or has
	element int
}

// members is a set as a map, which Step copies.
type members map[int]bool

func set() object {
	apply := func(state, input any) (any, any) {
		had, in := state.(members), input.(elementIn)
		if in.op == "has" {
			return had[in.element], state
		}
		next := members{}
		for e := range had {
			next[e] = true
		}
		if in.op == "add" {
			next[in.element] = true
		} else {
			delete(next, in.element)
		}
		return true, next
	}
	return object{
		name: "set",
		model: porcupine.Model{
			Init: func() any { return members{} },
			Step: func(state, input, output any) (bool, any) {
				want, next := apply(state, input)
				return want == output, next
			},
			Equal: func(a, b any) bool { return maps.Equal(a.(members), b.(members)) },
		},
		start: members{},
		draw: func(r *rand.Rand, k, _ int, _ any) any {
			switch recent := k - k%8 - 8*r.IntN(3); r.IntN(8) {
			case 0:
				return elementIn{"remove", recent}
			case 1, 2, 3, 4:
				return elementIn{"has", recent}
			default:
				if k%8 == 0 {
					return elementIn{"add", k}
				}
				return elementIn{"remove", k - k%8 - 16 - 8*r.IntN(3)}
			}
		},
		apply: apply,
		unknown: func(input any, _ string) (any, bool) {
			return true, input.(elementIn).op != "has"
		},
		lost: func(any) []step {
			return []step{{input: elementIn{"add", 1 << 20}, forgotten: true}, {input: elementIn{"has", 1 << 20}}}
		},
		wrong: func(any) []step {
			return []step{{input: elementIn{"add", 1 << 20}}, {input: elementIn{"remove", 1 << 20}},
				{input: elementIn{"has", 1 << 20}, output: true}}
		},
	}
}

// A list: an append returns its length, a read its length and a hash of what it holds.
type listIn struct {
	push  bool
	value int
}

type listOut struct {
	unknown bool
	length  int
	hash    uint64
}

func list() object {
	apply := func(state, input any) (any, any) {
		s, in := state.(listOut), input.(listIn)
		if !in.push {
			return s, s
		}
		h := fnv.New64a()
		fmt.Fprint(h, s.hash, in.value)
		s.length, s.hash = s.length+1, h.Sum64()
		return listOut{length: s.length}, s
	}
	return object{
		name: "list",
		model: porcupine.Model{
			Init: func() any { return listOut{} },
			Step: func(state, input, output any) (bool, any) {
				want, next := apply(state, input)
				return output.(listOut).unknown || want == output, next
			},
		},
		start: listOut{},
		draw: func(r *rand.Rand, k, _ int, _ any) any {
			if r.IntN(2) == 0 {
				return listIn{}
			}
			return listIn{true, k}
		},
		apply:   apply,
		unknown: func(input any, _ string) (any, bool) { return listOut{unknown: true}, input.(listIn).push },
		stale: func(past []porcupine.Operation, input, _ any) (any, bool) {
			if input.(listIn).push {
				return nil, false
			}
			return goneBy(past, input)
		},
		lost: func(any) []step {
			return []step{{input: listIn{}}, {input: listIn{true, 1 << 20}, forgotten: true}, {input: listIn{}}}
		},
	}
}

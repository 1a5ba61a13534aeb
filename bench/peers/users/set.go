package main

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/anishathalye/porcupine"
)

// setRequest adds an element, takes any one out, asks for one, or lets the set forget one element,
// which nobody sees.
type setRequest struct {
	op      string // add, take, has or forget
	element int
}

// setReply is the element that was taken, -1 if there was none, or whether an element is there.
type setReply struct {
	taken int
	there bool
}

// elements is how many there are. A set is a mask.
const elements = 8

var setModel = porcupine.NondeterministicModel{
	Init: func() []any { return []any{uint16(0)} },
	Step: func(state, input, output any) []any {
		s, in, out := state.(uint16), input.(setRequest), output.(setReply)
		switch in.op {
		case "add":
			return []any{s | 1<<in.element}
		case "take":
			if out.taken < 0 && s == 0 {
				return []any{s}
			}
			if out.taken >= 0 && s>>out.taken&1 == 1 {
				return []any{s &^ (1 << out.taken)}
			}
			return nil
		case "forget":
			var next []any
			for rest := s; rest != 0; rest &= rest - 1 {
				next = append(next, s&^(1<<bits.TrailingZeros16(rest)))
			}
			return append(next, s)
		}
		if out.there == (s>>in.element&1 == 1) {
			return []any{s}
		}
		return nil
	},
	DescribeOperation: func(input, output any) string {
		in, out := input.(setRequest), output.(setReply)
		return fmt.Sprintf("%s(%d) -> %d %v", in.op, in.element, out.taken, out.there)
	},
	DescribeState: func(state any) string { return fmt.Sprintf("%0*b", elements, state) },
}

func setHistories() []history {
	var all []history
	for _, n := range []int{200, 2000} {
		for _, end := range []string{"yes", "taken twice"} {
			all = append(all, history{fmt.Sprintf("set that forgets, %d operations, %s", n, end), known(end),
				setModel.ToModel(), func() []porcupine.Operation { return setHistory(4, n, end == "taken twice") }})
		}
	}
	return all
}

func setHistory(clients, operations int, twice bool) []porcupine.Operation {
	r := rand.New(rand.NewPCG(uint64(operations), 3))
	var s uint16
	var all []porcupine.Operation
	for k, t := range schedule(r, clients, operations) {
		in, out := setRequest{op: "has", element: r.IntN(elements)}, setReply{taken: -1}
		switch n := r.IntN(20); {
		case n < 8:
			in.op = "add"
			s |= 1 << in.element
		case n < 13:
			in.op, in.element = "take", 0
			if s != 0 {
				out.taken = pick(r, s)
				s &^= 1 << out.taken
			}
		case n == 13:
			in.op, in.element = "forget", 0
			if s != 0 && r.IntN(2) == 0 {
				s &^= 1 << pick(r, s)
			}
		default:
			out.there = s>>in.element&1 == 1
		}
		o := porcupine.Operation{ClientId: t.client, Input: in, Output: out, Call: t.from, Return: t.to}
		all = append(all, o)
		if twice && late(k, operations) && out.taken >= 0 {
			// Another client, which saw nothing, takes the same element once more, and at once.
			o.ClientId, twice = clients, false
			all = append(all, o)
		}
	}
	return all
}

// pick returns an element of the set.
func pick(r *rand.Rand, s uint16) int {
	for k := r.IntN(bits.OnesCount16(s)); k > 0; k-- {
		s &= s - 1
	}
	return bits.TrailingZeros16(s)
}

package main

import (
	"math/rand/v2"

	"github.com/anishathalye/porcupine"
)

// holders are a lock that is tried, and a lease with fencing tokens.
func holders() []object { return []object{lock(), lease()} }

// lockIn takes the lock or gives it back.
type lockIn struct {
	acquire bool
	client  int
}

// free is the state of a lock that nobody holds.
const free = -1

// lock: the output is whether it was taken or given back.
func lock() object {
	apply := func(state, input any) (any, any) {
		holder, in := state.(int), input.(lockIn)
		switch {
		case in.acquire && holder == free:
			return true, in.client
		case !in.acquire && holder == in.client:
			return true, free
		}
		return false, state
	}
	twice := func(state any) []step {
		var steps []step
		if holder := state.(int); holder != free {
			steps = append(steps, step{input: lockIn{false, holder}})
		}
		return append(steps, step{input: lockIn{true, 1000}, forgotten: true},
			step{input: lockIn{true, 1001}, output: true})
	}
	return object{
		name: "lock",
		model: porcupine.Model{
			Init: func() any { return free },
			Step: func(state, input, output any) (bool, any) {
				want, next := apply(state, input)
				return output == "no answer" || want == output, next
			},
		},
		start: free,
		draw: func(r *rand.Rand, k, client int, state any) any {
			if holder := state.(int); holder >= 1000 {
				return lockIn{false, holder}
			}
			return lockIn{state != client, client}
		},
		apply:   apply,
		unknown: func(input any, _ string) (any, bool) { return "no answer", true },
		lost:    twice,
		wrong: func(state any) []step {
			steps := twice(state)
			steps[len(steps)-2].forgotten = false
			return steps
		},
	}
}

// leaseIn grants the lease to a client, renews it, gives it up, or asks who has it.
type leaseIn struct {
	op     string
	client int
	token  int
}

type leaseOut struct {
	unknown, ok bool
	holder      int
	token       int
}

type leaseState struct{ holder, token int }

func lease() object {
	apply := func(state, input any) (any, any) {
		s, in := state.(leaseState), input.(leaseIn)
		switch {
		case in.op == "who":
			return leaseOut{ok: true, holder: s.holder, token: s.token}, s
		case in.op == "grant" && s.holder == free:
			s = leaseState{in.client, s.token + 1}
			return leaseOut{ok: true, token: s.token}, s
		case in.op == "renew" && s == leaseState{in.client, in.token}:
			return leaseOut{ok: true}, s
		case in.op == "release" && s == leaseState{in.client, in.token}:
			return leaseOut{ok: true}, leaseState{free, s.token}
		}
		return leaseOut{}, s
	}
	who := leaseIn{op: "who"}
	return object{
		name: "lease",
		model: porcupine.Model{
			Init: func() any { return leaseState{free, 0} },
			Step: func(state, input, output any) (bool, any) {
				want, next := apply(state, input)
				return output.(leaseOut).unknown || want == output, next
			},
		},
		start: leaseState{free, 0},
		draw: func(r *rand.Rand, k, client int, state any) any {
			s := state.(leaseState)
			mine := s.holder == client || s.holder >= 1000
			switch {
			case r.IntN(3) == 0:
				return who
			case mine && r.IntN(3) == 0:
				return leaseIn{"renew", s.holder, s.token}
			case mine:
				return leaseIn{"release", s.holder, s.token}
			}
			return leaseIn{op: "grant", client: client}
		},
		apply:   apply,
		unknown: func(input any, _ string) (any, bool) { return leaseOut{unknown: true}, input != who },
		stale: func(past []porcupine.Operation, input, _ any) (any, bool) {
			if input != who {
				return nil, false
			}
			was, ok := goneBy(past, input)
			if !ok {
				return nil, false
			}
			for _, o := range past { // a greater token was seen
				if o.Input == who && o.Output.(leaseOut).token > was.(leaseOut).token {
					return was, true
				}
			}
			return nil, false
		},
		lost: func(state any) []step {
			var steps []step
			if s := state.(leaseState); s.holder != free {
				steps = append(steps, step{input: leaseIn{"release", s.holder, s.token}})
			}
			return append(steps, step{input: leaseIn{op: "grant", client: 1000}, forgotten: true}, step{input: who})
		},
	}
}

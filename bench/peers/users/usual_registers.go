package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/anishathalye/porcupine"
)

// registers are a register, one with compare-and-set, one with versions and one whose model may do
// several things.
func registers() []object { return []object{register(), casRegister(), versioned(), maybeRegister()} }

type registerIn struct {
	put   bool
	value string
}

func register() object {
	return object{
		name: "register",
		model: porcupine.Model{
			Init: func() any { return "" },
			Step: func(state, input, output any) (bool, any) {
				if in := input.(registerIn); in.put {
					return true, in.value
				}
				return output == state, state
			},
			DescribeOperation: func(input, output any) string {
				if in := input.(registerIn); in.put {
					return fmt.Sprintf("put('%s')", in.value)
				}
				return fmt.Sprintf("get() -> '%v'", output)
			},
		},
		start: "",
		draw: func(r *rand.Rand, k, client int, _ any) any {
			if r.IntN(2) == 0 {
				return registerIn{}
			}
			return registerIn{true, fmt.Sprint(client, ".", k)}
		},
		apply: func(state, input any) (any, any) {
			if in := input.(registerIn); in.put {
				return "", in.value
			}
			return state, state
		},
		unknown: func(input any, _ string) (any, bool) { return "", input.(registerIn).put },
		stale: func(past []porcupine.Operation, input, _ any) (any, bool) {
			if input.(registerIn).put {
				return nil, false
			}
			return goneBy(past, input)
		},
		lost: func(any) []step {
			return []step{{input: registerIn{}}, {input: registerIn{true, "lost"}, forgotten: true},
				{input: registerIn{}}}
		},
	}
}

// A register of numbers, as etcd's logs have it: read, write and compare-and-set, whose answer may
// be missing.
type casIn struct{ op, from, to int }

type casOut struct {
	ok, unknown bool
	value       int
}

const (
	casRead = iota
	casWrite
	casSwap
)

func casRegister() object {
	apply := func(state, input any) (any, any) {
		switch in := input.(casIn); in.op {
		case casWrite:
			return casOut{}, in.to
		case casSwap:
			if state == in.from {
				return casOut{ok: true}, in.to
			}
			return casOut{}, state
		}
		return casOut{value: state.(int)}, state
	}
	return object{
		name: "register with compare-and-set",
		model: porcupine.Model{
			Init: func() any { return -1 },
			Step: func(state, input, output any) (bool, any) {
				value, in, out := state.(int), input.(casIn), output.(casOut)
				switch in.op {
				case casRead:
					return out.unknown || out.value == value, state
				case casWrite:
					return true, in.to
				}
				swapped := value == in.from
				next := value
				if swapped {
					next = in.to
				}
				return out.unknown || swapped == out.ok, next
			},
		},
		start: -1,
		draw: func(r *rand.Rand, k, _ int, state any) any {
			switch r.IntN(4) {
			case 0:
				return casIn{casWrite, 0, k}
			case 1:
				return casIn{casSwap, state.(int), k}
			}
			return casIn{op: casRead}
		},
		apply:   apply,
		unknown: func(input any, _ string) (any, bool) { return casOut{unknown: true}, input.(casIn).op != casRead },
		stale: func(past []porcupine.Operation, input, _ any) (any, bool) {
			if input.(casIn).op != casRead {
				return nil, false
			}
			return goneBy(past, input)
		},
		lost: func(any) []step {
			return []step{{input: casIn{op: casRead}}, {input: casIn{casWrite, 0, 1 << 20}, forgotten: true},
				{input: casIn{op: casRead}}}
		},
	}
}

// A key of a lab on key-value servers: a put happens at the version that it names.
type versionIn struct {
	put     bool
	value   string
	version int
}

type versionOut struct {
	err     string // "", "version" or "maybe"
	value   string
	version int
}

type versionState struct {
	value   string
	version int
}

func versioned() object {
	apply := func(state, input any) (any, any) {
		s, in := state.(versionState), input.(versionIn)
		switch {
		case !in.put:
			return versionOut{"", s.value, s.version}, s
		case in.version != s.version:
			return versionOut{err: "version"}, s
		}
		return versionOut{}, versionState{in.value, s.version + 1}
	}
	return object{
		name: "value with versions",
		model: porcupine.Model{
			Init: func() any { return versionState{} },
			Step: func(state, input, output any) (bool, any) {
				want, next := apply(state, input)
				return want == output || output.(versionOut).err == "maybe", next
			},
		},
		start: versionState{},
		draw: func(r *rand.Rand, k, client int, state any) any {
			if r.IntN(2) == 0 {
				return versionIn{}
			}
			return versionIn{true, fmt.Sprint(client, ".", k), state.(versionState).version - r.IntN(2)}
		},
		apply:   apply,
		unknown: func(input any, _ string) (any, bool) { return versionOut{err: "maybe"}, input.(versionIn).put },
		stale: func(past []porcupine.Operation, input, _ any) (any, bool) {
			if input.(versionIn).put {
				return nil, false
			}
			return goneBy(past, input)
		},
		lost: func(state any) []step {
			return []step{{input: versionIn{}}, {input: versionIn{true, "lost", state.(versionState).version},
				forgotten: true}, {input: versionIn{}}}
		},
	}
}

// A register of a replicated log: a put without an answer leaves two states.
type maybeOut struct {
	value   string
	unknown bool
}

func maybeRegister() object {
	o := register()
	o.name = "nondeterministic register"
	o.model = (&porcupine.NondeterministicModel{
		Init: func() []any { return []any{""} },
		Step: func(state, input, output any) []any {
			in, out := input.(registerIn), output.(maybeOut)
			switch {
			case in.put && out.unknown:
				return []any{state, in.value}
			case in.put:
				return []any{in.value}
			case out.value == state:
				return []any{state}
			}
			return nil
		},
		Equal: func(a, b any) bool { return a == b },
	}).ToModel()
	apply := o.apply
	o.apply = func(state, input any) (any, any) {
		out, next := apply(state, input)
		return maybeOut{value: out.(string)}, next
	}
	o.unknown = func(input any, _ string) (any, bool) { return maybeOut{unknown: true}, input.(registerIn).put }
	return o
}

package main

import (
	"fmt"
	"maps"
	"math/rand/v2"

	"github.com/anishathalye/porcupine"
)

// stores are the store of a lab, split by key; one whose state is a map of all keys; and one with
// revisions and transactions.
func stores() []object { return []object{labStore(), mapStore(), revisionStore()} }

const usualKeys = 10

func drawKV(r *rand.Rand, k, client int, _ any) any {
	in := kvRequest{op: "get", key: fmt.Sprint(r.IntN(usualKeys))}
	switch r.IntN(4) {
	case 0:
		in.op, in.value = "put", fmt.Sprintf("%d.%d;", client, k)
	case 1:
		in.op, in.value = "append", fmt.Sprintf("%d.%d;", client, k)
	}
	return in
}

func applyKV(state, input any) (any, any) {
	in, had := input.(kvRequest), state.(map[string]string)
	if in.op == "get" {
		return kvReply{had[in.key]}, state
	}
	next := maps.Clone(had)
	if in.op == "put" {
		next[in.key] = in.value
	} else {
		next[in.key] += in.value
	}
	return kvReply{}, next
}

func labStore() object {
	get := kvRequest{op: "get", key: "0"}
	return object{
		name:  "store split by key",
		model: kvModel,
		start: map[string]string{},
		draw:  drawKV,
		apply: applyKV,
		unknown: func(input any, _ string) (any, bool) {
			return kvReply{}, input.(kvRequest).op != "get"
		},
		stale: func(past []porcupine.Operation, input, _ any) (any, bool) {
			if input.(kvRequest).op != "get" {
				return nil, false
			}
			return goneBy(past, input)
		},
		lost: func(any) []step {
			return []step{{input: get}, {input: kvRequest{"append", "0", "lost;"}, forgotten: true}, {input: get}}
		},
	}
}

func mapStore() object {
	o := labStore()
	o.name = "store as one map"
	o.model = porcupine.Model{
		Init: func() any { return map[string]string{} },
		Step: func(state, input, output any) (bool, any) {
			had, in := state.(map[string]string), input.(kvRequest)
			if in.op == "get" {
				return output.(kvReply).value == had[in.key], state
			}
			_, next := applyKV(state, input)
			return true, next
		},
		Equal: func(a, b any) bool { return maps.Equal(a.(map[string]string), b.(map[string]string)) },
	}
	return o
}

// A store as etcd: every change has a revision, and a transaction puts a value if the key has not
// changed since.
type revisionIn struct {
	op, key, value string // get, put or txn
	since          int
}

type revisionOut struct {
	unknown, failed bool
	value           string
	revision        int // of the store
	changed         int // of the key
}

type entry struct {
	value   string
	changed int
}

type revisionState struct {
	revision int
	keys     [3]entry
}

func revisionStore() object {
	apply := func(state, input any) (any, any) {
		s, in := state.(revisionState), input.(revisionIn)
		e := &s.keys[in.key[0]-'a']
		if in.op == "get" {
			return revisionOut{value: e.value, revision: s.revision, changed: e.changed}, s
		}
		if in.op == "txn" && e.changed != in.since {
			return revisionOut{failed: true, revision: s.revision}, s
		}
		s.revision++
		*e = entry{in.value, s.revision}
		return revisionOut{revision: s.revision}, s
	}
	get := revisionIn{op: "get", key: "a"}
	return object{
		name: "store with revisions",
		model: (&porcupine.NondeterministicModel{
			Init: func() []any { return []any{revisionState{}} },
			Step: func(state, input, output any) []any {
				want, next := apply(state, input)
				switch {
				case output.(revisionOut).unknown:
					return []any{state, next}
				case want == output:
					return []any{next}
				}
				return nil
			},
			Equal: func(a, b any) bool { return a == b },
		}).ToModel(),
		start: revisionState{},
		draw: func(r *rand.Rand, k, client int, state any) any {
			key := r.IntN(3)
			in := revisionIn{op: "get", key: string(rune('a' + key))}
			switch r.IntN(4) {
			case 0:
				in.op, in.value = "put", fmt.Sprint(client, ".", k)
			case 1:
				in.op, in.value, in.since = "txn", fmt.Sprint(client, ".", k), state.(revisionState).keys[key].changed
			}
			return in
		},
		apply: apply,
		unknown: func(input any, _ string) (any, bool) {
			return revisionOut{unknown: true}, input.(revisionIn).op != "get"
		},
		stale: func(past []porcupine.Operation, input, _ any) (any, bool) {
			if input.(revisionIn).op != "get" {
				return nil, false
			}
			return goneBy(past, input)
		},
		lost: func(any) []step {
			return []step{{input: get}, {input: revisionIn{op: "put", key: "a", value: "lost"}, forgotten: true},
				{input: get}}
		},
	}
}

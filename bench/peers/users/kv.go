package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/anishathalye/porcupine"
)

// kvRequest and kvReply are what a client of the key-value store sends and gets.
type kvRequest struct {
	op         string // get, put or append
	key, value string
}

type kvReply struct{ value string }

// kvModel is the store: one string for each key.
var kvModel = porcupine.Model{
	Partition: func(all []porcupine.Operation) [][]porcupine.Operation {
		byKey := map[string][]porcupine.Operation{}
		for _, o := range all {
			key := o.Input.(kvRequest).key
			byKey[key] = append(byKey[key], o)
		}
		var parts [][]porcupine.Operation
		for _, key := range slices.Sorted(maps.Keys(byKey)) {
			parts = append(parts, byKey[key])
		}
		return parts
	},
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		had, request := state.(string), input.(kvRequest)
		switch request.op {
		case "put":
			return true, request.value
		case "append":
			return true, had + request.value
		}
		return output.(kvReply).value == had, had
	},
	DescribeOperation: func(input, output any) string {
		request := input.(kvRequest)
		if request.op == "get" {
			return fmt.Sprintf("get(%s) -> %q", request.key, output.(kvReply).value)
		}
		return fmt.Sprintf("%s(%s, %q)", request.op, request.key, request.value)
	},
}

// kvHistories are those of a test of 15 s: 5 clients and 5 keys, one put in ten operations.
func kvHistories() []history {
	const clients, operations = 5, 2600
	var all []history
	for _, end := range []string{"yes", "stale get", "append applied twice"} {
		all = append(all, history{"kv of a lab, 5 clients for 15 s, " + end, known(end), kvModel,
			func() []porcupine.Operation { return kvHistory(clients, operations, end) }})
	}
	return all
}

func kvHistory(clients, operations int, end string) []porcupine.Operation {
	r := rand.New(rand.NewPCG(15, 1))
	values := map[string]string{}
	type found struct {
		at    int64
		value string
	}
	old := map[string][]found{}
	violated := end == "yes"
	var all []porcupine.Operation
	for k, t := range schedule(r, clients, operations) {
		request := kvRequest{"get", fmt.Sprint(r.IntN(clients)), ""}
		reply := kvReply{}
		switch n := r.IntN(10); {
		case n == 0:
			request.op = "put"
		case n < 5:
			request.op = "append"
		}
		had := values[request.key]
		if request.op != "get" {
			request.value = fmt.Sprintf("x %d %d y", t.client, k)
		}
		switch request.op {
		case "put":
			values[request.key] = request.value
		case "append":
			values[request.key] = had + request.value
			if end == "append applied twice" && !violated && late(k, operations) {
				values[request.key] += request.value
				violated = true
			}
		default:
			reply.value = had
			if end == "stale get" && !violated && late(k, operations) {
				for _, f := range slices.Backward(old[request.key]) {
					if f.at < t.effect-2*longest && f.value != had {
						reply.value, violated = f.value, true
						break
					}
				}
			}
			old[request.key] = append(old[request.key], found{t.effect, had})
		}
		all = append(all, porcupine.Operation{ClientId: t.client, Input: request, Output: reply,
			Call: t.from, Return: t.to})
	}
	return all
}

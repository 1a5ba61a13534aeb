package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/anishathalye/porcupine"
)

// logRequest asks to append records, to read all of them, or where the log ends.
type logRequest struct {
	op       string // append, read or check-tail
	records  int
	body     uint64 // a hash of the records
	expected int    // an append only happens at this tail; -1 is anywhere
	fenced   bool   // an append only happens if the token of the log is this one
	token    string
	set      string // the token after the append, if it is not ""
}

// logReply says where the log ended, and for a read a hash of all that it holds.
type logReply struct {
	refused, unknown bool
	tail             int
	hash             uint64
}

// logState is what is known of a log.
type logState struct {
	tail  int
	hash  uint64
	token string
}

// append is the log after an append, if it happens.
func (s logState) append(in logRequest) (logState, bool) {
	if in.expected >= 0 && in.expected != s.tail || in.fenced && in.token != s.token {
		return s, false
	}
	h := fnv.New64a()
	fmt.Fprint(h, s.hash, in.body)
	s.tail, s.hash = s.tail+in.records, h.Sum64()
	if in.set != "" {
		s.token = in.set
	}
	return s, true
}

var logModel = porcupine.NondeterministicModel{
	Init: func() []any { return []any{logState{}} },
	Step: func(state, input, output any) []any {
		s, in, out := state.(logState), input.(logRequest), output.(logReply)
		if in.op == "append" {
			next, happens := s.append(in)
			switch {
			case out.unknown && happens:
				return []any{next, s}
			case out.unknown || out.refused && !happens:
				return []any{s}
			case happens && !out.refused && out.tail == next.tail:
				return []any{next}
			}
			return nil
		}
		if out.tail == s.tail && (in.op == "check-tail" || out.hash == s.hash) {
			return []any{s}
		}
		return nil
	},
	Equal: func(a, b any) bool { return a == b },
	Hash:  func(s any) uint64 { return s.(logState).hash },
	DescribeOperation: func(input, output any) string {
		in, out := input.(logRequest), output.(logReply)
		switch {
		case out.unknown:
			return fmt.Sprintf("%s(%d) -> unknown", in.op, in.records)
		case out.refused:
			return fmt.Sprintf("%s(%d) -> refused", in.op, in.records)
		}
		return fmt.Sprintf("%s(%d) -> %d, %x", in.op, in.records, out.tail, out.hash)
	},
}

// logHistories are of 8 clients. One append in 25 has an unknown outcome, one operation in 50.
func logHistories() []history {
	var all []history
	for _, n := range []int{1000, 5000, 20_000} {
		for _, end := range []string{"yes", "stale read"} {
			all = append(all, history{fmt.Sprintf("append log, %d operations, 2 %% unknown, %s", n, end), known(end),
				logModel.ToModel(), func() []porcupine.Operation { return logHistory(8, n, end == "stale read") }})
		}
	}
	return all
}

func logHistory(clients, operations int, stale bool) []porcupine.Operation {
	r := rand.New(rand.NewPCG(uint64(operations), 2))
	var s logState
	tails, tokens, names := make([]int, clients), make([]string, clients), make([]int, clients)
	for c := range names {
		names[c] = c
	}
	last := clients
	type found struct {
		at int64
		logState
	}
	var old []found
	var all []porcupine.Operation
	var end int64
	for k, t := range schedule(r, clients, operations) {
		c := t.client
		in, out := logRequest{op: "read", expected: -1}, logReply{}
		switch n := r.IntN(10); {
		case n < 5:
			in.op, in.records, in.body = "append", 1+r.IntN(5), r.Uint64()
			switch n := r.IntN(50); {
			case n == 0:
				in.set = fmt.Sprint("client ", names[c])
			case n < 30:
				in.expected = tails[c]
			case n < 40:
				in.fenced, in.token = true, tokens[c]
			}
		case n < 7:
			in.op = "check-tail"
		}
		end = max(end, t.to)
		name := names[c]
		switch next, happens := s.append(in); {
		case in.op == "append" && r.IntN(25) == 0:
			out.unknown = true
			if r.IntN(2) == 0 {
				s = next
			}
			names[c], last = last, last+1
		case in.op == "append" && !happens:
			out.refused = true
		case in.op == "append":
			s = next
			out.tail = s.tail
		default:
			out.tail = s.tail
			if in.op == "read" {
				out.hash = s.hash
			}
			if stale && in.op == "read" && late(k, operations) {
				for _, f := range slices.Backward(old) {
					if f.at < t.effect-2*longest && f.tail < s.tail {
						out.tail, out.hash, stale = f.tail, f.hash, false
						break
					}
				}
			}
			old = append(old, found{t.effect, s})
		}
		if !out.unknown {
			tails[c], tokens[c] = s.tail, s.token // every reply tells the client
		}
		all = append(all, porcupine.Operation{ClientId: name, Input: in, Output: out, Call: t.from, Return: t.to})
	}
	for k := range all {
		if all[k].Output.(logReply).unknown {
			all[k].Return = end + 1
		}
	}
	return all
}

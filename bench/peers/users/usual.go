package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/anishathalye/porcupine"
)

// Usual histories: the models that users of Porcupine write most, each drawn from an object that is
// simulated, as tests record it: correct, with a stale answer and with a lost update, of 160 to
// 50,000 operations. Either every operation returned, or some updates have an unknown outcome: half
// of them took effect, and their returns are invented at the end, as Porcupine needs them.
//
// The verdict is known. Values are never used twice, sums only grow, and amounts of transfers are
// even but for the one that is lost, so that no update of unknown outcome explains what is wrong.

// object is a model with what a simulated object does.
type object struct {
	name  string
	model porcupine.Model
	start any
	// draw makes the input of operation k, in a state of the object.
	draw func(r *rand.Rand, k, client int, state any) any
	// apply is what the object does.
	apply func(state, input any) (output, next any)
	// unknown is the output of an operation of which the client got no answer. ok is false for
	// those that tests leave out then: reads, and updates that would explain the fault.
	unknown func(input any, fault string) (output any, ok bool)
	// stale is a wrong answer to an input, in view of the operations that had returned; false if
	// none would be wrong for certain. The right answer is output.
	stale func(past []porcupine.Operation, input, output any) (any, bool)
	// lost are operations that are called one after another while no other is open. Those with
	// forgotten are acknowledged and change nothing. They are wrong for certain.
	lost func(state any) []step
	// wrong replaces stale by such operations.
	wrong func(state any) []step
}

// step is an operation of a script.
type step struct {
	input     any
	forgotten bool
	output    any // in place of that of the object, unless it is nil
}

// usualSizes are the numbers of operations.
var usualSizes = []int{160, 640, 2_500, 10_000, 50_000}

const (
	usualClients = 10
	unknownEach  = 20 // one update of so many has an unknown outcome
)

// usualHistories lists them: easy ones have no operation of unknown outcome.
func usualHistories() []history {
	var all []history
	for _, o := range slices.Concat(registers(), stores(), collections(), holders(), sums()) {
		for _, n := range usualSizes {
			for _, fault := range []string{"correct", "stale", "lost"} {
				for _, kind := range []string{"easy", "invented returns"} {
					want := porcupine.Illegal
					if fault == "correct" {
						want = porcupine.Ok
					}
					all = append(all, history{fmt.Sprintf("%s, %d, %s, %s", o.name, n, fault, kind), want, o.model,
						func() []porcupine.Operation {
							return o.history(n, fault, kind == "easy")
						}})
				}
			}
		}
	}
	return all
}

// rounds draws when n operations of some clients are called, take effect and return. Three clients
// of ten are waiting for an answer at a time.
func rounds(r *rand.Rand, clients, n int) []turn {
	free := make([]int64, clients)
	for c := range free {
		free[c] = r.Int64N(3000)
	}
	turns := make([]turn, n)
	for k := range turns {
		c := slices.Index(free, slices.Min(free))
		took := 100 + r.Int64N(1000)
		turns[k] = turn{client: c, from: free[c], effect: free[c] + 1 + r.Int64N(took-1), to: free[c] + took}
		free[c] += took + 1 + r.Int64N(3000)
	}
	slices.SortFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(a.effect, b.effect), cmp.Compare(a.client, b.client))
	})
	return turns
}

// history draws n operations. A fault comes at nine tenths.
func (o object) history(n int, fault string, easy bool) []porcupine.Operation {
	r := rand.New(rand.NewPCG(uint64(n), 33))
	state, turns := o.start, rounds(r, usualClients, n)
	script := o.lost
	if fault == "stale" {
		script = o.wrong
	}
	scripted := fault != "correct" && script != nil
	var calm int64 // from when on everything is later, since a script has run
	var ops []porcupine.Operation
	var end int64
	faulty := fault != "correct"
	for k, t := range turns {
		if scripted && faulty && k >= n*9/10 {
			// The clients stop; two of them are called in turn; the others go on. What they have
			// called is still answered.
			at := end + 10
			for i, s := range script(state) {
				out, next := o.apply(state, s.input)
				if s.output != nil {
					out = s.output
				}
				if !s.forgotten {
					state = next
				}
				ops = append(ops, porcupine.Operation{ClientId: usualClients + i%2, Input: s.input, Output: out,
					Call: at, Return: at + 10})
				at += 20
			}
			calm, faulty = at, false
			for _, u := range turns[k:] {
				calm = max(calm, at-u.from)
			}
		}
		t.from, t.to = t.from+calm, t.to+calm
		in := o.draw(r, k, t.client, state)
		out, next := o.apply(state, in)
		op := porcupine.Operation{ClientId: t.client, Input: in, Output: out, Call: t.from, Return: t.to}
		if !easy && r.IntN(unknownEach) == 0 {
			if out, ok := o.unknown(in, fault); ok {
				op.Output, op.Return = out, never
				if r.IntN(2) == 0 {
					state = next
				}
				ops = append(ops, op)
				continue
			}
		}
		state = next
		if faulty && !scripted && k >= n*9/10 {
			if wrong, ok := o.stale(before(ops, t.from), in, out); ok {
				op.Output, faulty = wrong, false
			}
		}
		end = max(end, t.to)
		ops = append(ops, op)
	}
	if faulty {
		panic(o.name + ": no operation could be made wrong")
	}
	for i := range ops {
		if ops[i].Return == never {
			ops[i].Return = end + 1
		}
	}
	return ops
}

// never is the Return of an operation of unknown outcome while a history is drawn.
const never = int64(1) << 60

// before returns those of the latest operations that had returned at a time.
func before(ops []porcupine.Operation, at int64) []porcupine.Operation {
	var past []porcupine.Operation
	for _, o := range ops[max(0, len(ops)-1000):] {
		if o.Return < at {
			past = append(past, o)
		}
	}
	return past
}

// goneBy is an answer to the same input that another answer followed: an earlier operation got it,
// and one that was called when that had returned got another.
func goneBy(past []porcupine.Operation, input any) (any, bool) {
	var same []porcupine.Operation
	for _, o := range past {
		if o.Input == input {
			same = append(same, o)
		}
	}
	for i, late := range slices.Backward(same) {
		for _, early := range same[:i] {
			if early.Return < late.Call && early.Output != late.Output {
				return early.Output, true
			}
		}
	}
	return nil, false
}

package certify

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/linsat/linsat/check"
	"github.com/linsat/linsat/spec"
)

// For specifications without axioms, the certificate of a no is the weakened history itself: it is decided again, by a search that
// is as plain as can be. All orders are tried, but never twice from the same state after the same operations.

// MaxNodes is how many pairs of a set of operations and a state the judge visits at most.
const MaxNodes = 200_000

// workPerNode is how many operations the judge looks at for each of the nodes that it may visit, on average: without this limit,
// operations that never take effect would make every node as long as the history.
const workPerNode = 200

// ErrTooLarge is the error of a search that would take too long.
var ErrTooLarge = errors.New("too many cases to try again")

// Exhausted checks by trying everything that b's part is not linearizable after forgetting what the claim forgets, visiting at most
// so many nodes. It returns how many it visited, and an error if there is a linearization or the limit is reached. Claims may
// forget the future, responses, results and explicit order.
func Exhausted(b *spec.Bound, claim *check.Claim, limit int) (nodes int, err error) {
	return exhausted(context.Background(), b, claim, limit)
}

// exhausted is Exhausted, until ctx is done.
func exhausted(ctx context.Context, b *spec.Bound, claim *check.Claim, limit int) (nodes int, err error) {
	if claim.From != 0 || claim.AnyStart || claim.SomeOrder {
		return 0, errors.New("the past, the start and single facts of order cannot be forgotten here")
	}
	for _, k := range claim.Keep {
		if k == check.KeepNothing {
			return 0, errors.New("operations cannot be left out here")
		}
	}
	weak, err := Weakened(b, claim)
	if err != nil {
		return 0, err
	}
	s := newPlain(weak, limit)
	s.ctx = ctx
	found, err := s.visit(s.machine.Init())
	if err == nil && found {
		err = errors.New("there is a linearization")
	}
	return len(s.dead), err
}

// plain is a search in progress.
type plain struct {
	ctx     context.Context
	part    *spec.Part
	machine spec.Machine
	limit   int
	work    int    // operations looked at
	done    []byte // a bit for every operation
	low     int32  // all operations before this one are done
	left    int    // completed operations that are not done
	after   [][]int32
	before  [][]int32
	dead    map[string]bool // done and state, from which there is no way
}

func newPlain(b *spec.Bound, limit int) *plain {
	n := b.Part.Len()
	s := &plain{part: b.Part, machine: b.NewMachine(), limit: limit, done: make([]byte, (n+7)/8), dead: map[string]bool{},
		after: make([][]int32, n), before: make([][]int32, n)}
	for i := range b.Part.Ops {
		if !b.Part.Ops[i].Pending() {
			s.left++
		}
	}
	for _, e := range b.Part.Edges {
		s.after[e.Before] = append(s.after[e.Before], e.After)
		s.before[e.After] = append(s.before[e.After], e.Before)
	}
	return s
}

func (s *plain) is(i int32) bool { return s.done[i/8]>>(i%8)&1 != 0 }

// window bounds what is in question: all operations before low are done, and those from end on are called only after one that is
// not done has returned. It costs as much as the window has operations.
func (s *plain) window() (low, end int32) {
	n := int32(s.part.Len())
	for s.low < n && s.is(s.low) {
		s.low++
	}
	first := int32(1<<31 - 1) // earliest return of an operation that is not done
	for end = s.low; end < n && s.part.Ops[end].Call <= first; end++ {
		if !s.is(end) {
			first = min(first, s.part.Ops[end].Return)
		}
	}
	return s.low, end
}

// next lists the operations of the window that may come next.
func (s *plain) next(low, end int32) []int32 {
	var out []int32
next:
	for i := low; i < end; i++ {
		if s.is(i) {
			continue
		}
		for _, j := range s.before[i] {
			if !s.is(j) && !s.part.Ops[j].Pending() {
				continue next
			}
		}
		for _, j := range s.after[i] {
			if s.is(j) {
				continue next
			}
		}
		out = append(out, i)
	}
	return out
}

// visit says whether there is a way on from a state.
func (s *plain) visit(state spec.State) (bool, error) {
	if s.left == 0 {
		return true, nil
	}
	low, end := s.window()
	key := binary.LittleEndian.AppendUint32(nil, uint32(state))
	key = binary.LittleEndian.AppendUint32(key, uint32(low))
	key = append(key, s.done[low/8:(end+7)/8]...) // nothing after the window is done
	if s.dead[string(key)] {
		return false, nil
	}
	if s.work += int(end-low) + 1; len(s.dead) >= s.limit || s.work > s.limit*workPerNode {
		return false, ErrTooLarge
	}
	if err := context.Cause(s.ctx); err != nil {
		return false, err
	}
	s.dead[string(key)] = true // nothing comes back to it before it is known
	for _, i := range s.next(low, end) {
		for _, t := range s.machine.Step(state, i, nil) {
			s.do(i, -1)
			found, err := s.visit(t)
			s.do(i, 1)
			if found || err != nil {
				return found, err
			}
		}
	}
	return false, nil
}

// do takes an operation (-1) or takes it back (1).
func (s *plain) do(i int32, by int) {
	s.done[i/8] ^= 1 << (i % 8)
	if by > 0 {
		s.low = min(s.low, i)
	}
	if !s.part.Ops[i].Pending() {
		s.left += by
	}
}

package explore

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/linsat/linsat/internal/schedule"
)

// Op is one operation of an execution. It is called together with its first access and returns
// together with its last one; Call and Return are positions among all calls and returns. Return is
// -1 if it never returned. An operation that is blocked at its first access when the execution ends
// stuck counts as called.
type Op struct {
	Thread       int // -1 for operations before and after the threads
	F            string
	Key          any // of the object that it is on, nil if it names none
	Arg, Result  any
	Call, Return int32

	apart bool // its thread had touched nothing when it returned
}

func (o *Op) String() string {
	call := o.call()
	if o.Return < 0 {
		return call + " → ?"
	}
	return call + " → " + text(o.Result)
}

// call writes the operation without its result.
func (o *Op) call() string {
	call := Call{o.F, o.Arg}.String()
	if o.Key != nil {
		call += " on " + text(o.Key)
	}
	return call
}

// Event is one access of a traced execution.
type Event struct {
	Access        schedule.Recorded // what it did, sealed; What says it in words
	Thread        int               // -1 for operations before and after the threads
	Op            int               // position in Execution.Ops, -1 outside of any
	Name          string            // of the location, "a, b" for two
	Before, After string            // the value, before and after; "" for a local event
	File          string            // where the object's code made the access
	Line          int
	Func          string
	own           bool // of a thread of the object's own
}

// Execution is what visit receives. It is valid during the visit, unless cloned.
type Execution struct {
	Outcome  Outcome
	Schedule Schedule
	Ops      []Op    // in the order of their calls
	Events   []Event // the accesses in order, with Options.Trace
	Waiting  []Event // of a Stuck one, with Options.Trace: the accesses that could not happen
	Steps    int     // how many accesses the threads made
	Panic    any     // of a Panicked one: the value, or a text that says runtime.Goexit
	// of a Panicked one: the operation in which it happened, nil if in none; if it had made no
	// access, it is not among Ops, and Call is -1
	PanicOp *Op
	// of a Panicked one: where in the code of the object, innermost function first, a line each
	Stack string

	initial       any             // of Exec.SetInitial
	time          *schedule.Clock // at the end
	stopped       bool            // an operation reached the bound on its accesses
	abrupt        bool            // the bound on its steps ended it, or that on threads
	crowded       bool            // that on threads
	accesses      []schedule.Access
	offsets, seen []int32
	order         []int32
}

// Clone returns a copy that stays valid.
func (e *Execution) Clone() *Execution {
	c := *e
	c.Schedule = slices.Clone(e.Schedule)
	c.Ops = slices.Clone(e.Ops)
	c.Events = slices.Clone(e.Events)
	c.Waiting = slices.Clone(e.Waiting)
	c.accesses = slices.Clone(e.accesses)
	c.offsets, c.seen, c.order = nil, nil, nil
	return &c
}

// Class appends a key to dst: executions with equal keys have the same operations with the same
// results, the same interval order between them, the same pending operations, and both are stuck or
// neither is; so they get the same verdicts.
func (e *Execution) Class(dst []byte) []byte {
	threads := 1
	for i := range e.Ops {
		threads = max(threads, e.Ops[i].Thread+2)
	}
	e.offsets = append(e.offsets[:0], make([]int32, threads+1)...)
	for i := range e.Ops {
		e.offsets[e.Ops[i].Thread+2]++
	}
	for i := range threads {
		e.offsets[i+1] += e.offsets[i]
	}
	// order[k] is the operation with the canonical number k: by thread, then by call.
	e.order = append(e.order[:0], make([]int32, len(e.Ops))...)
	for i := range e.Ops {
		t := e.Ops[i].Thread + 1
		e.order[e.offsets[t]] = int32(i)
		e.offsets[t]++
	}
	dst = append(dst, byte(e.Outcome))
	last := schedule.Main - 1
	for _, i := range e.order {
		o := &e.Ops[i]
		if o.Thread != last {
			last = o.Thread
			dst = append(dst, 0xff, byte(o.Thread+1))
		}
		dst = appendString(dst, o.F)
		dst = appendValue(dst, o.Key)
		dst = appendValue(dst, o.Arg)
		if o.Return < 0 {
			dst = append(dst, '?')
			continue
		}
		dst = appendValue(dst, o.Result)
	}
	// For each operation, how many of each thread's operations precede it.
	for _, i := range e.order {
		call := e.Ops[i].Call
		e.seen = append(e.seen[:0], make([]int32, threads)...)
		for j := range e.Ops {
			if r := e.Ops[j].Return; r >= 0 && r < call {
				e.seen[e.Ops[j].Thread+1]++
			}
		}
		for _, n := range e.seen {
			dst = binary.AppendUvarint(dst, uint64(n))
		}
	}
	return dst
}

func appendString(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func appendValue(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, 'n')
	case bool:
		if v {
			return append(dst, 't')
		}
		return append(dst, 'f')
	case int:
		return binary.AppendVarint(append(dst, 'i'), int64(v))
	case int64:
		return binary.AppendVarint(append(dst, 'i'), v)
	case string:
		return appendString(append(dst, 's'), v)
	case map[string]any:
		dst = binary.AppendUvarint(append(dst, 'm'), uint64(len(v)))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			dst = appendValue(appendString(dst, k), v[k])
		}
		return dst
	case []any:
		dst = binary.AppendUvarint(append(dst, 'l'), uint64(len(v)))
		for _, e := range v {
			dst = appendValue(dst, e)
		}
		return dst
	}
	return appendString(append(dst, 'x'), fmt.Sprintf("%T %#v", v, v))
}

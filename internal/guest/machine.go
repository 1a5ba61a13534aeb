package guest

import (
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Code is the code of a specification that a caller wrote, on the operations of one partition.
//
// What it adds to that code: states become numbers; a panic becomes a *Fault that names operation
// and state; a call that is in progress can be named (Watch); and sampled calls are repeated, so
// that code which is not pure is found out (purity.go).
type Code[S any] struct {
	Name      string // of the specification
	Partition *model.Partition
	Init      S
	// Next appends to dst every state in which operation op may leave the object when it is applied
	// in s.
	Next func(s S, op history.OpID, dst []S) []S
	// Choices returns everything that the function behind Next answers, whatever the result of op
	// is.
	Choices func(s S, op history.OpID) []Choice[S]
	// Func names the function behind Next.
	Func func(op history.OpID) string
	// Show writes a state. It may panic.
	Show func(s S) string
	// NewTable returns an empty table of states.
	NewTable func() Table[S]
	// Same reports whether two states are equal. OwnEqual says that it is the caller's, OwnHash
	// that the table uses a hash of the caller; Plain, that == compares states and holds of no two
	// that a function could tell apart.
	Same                     func(a, b S) bool
	OwnEqual, OwnHash, Plain bool
	// Print returns a number that changes if the contents of a state do; nil where states cannot
	// change.
	Print func(s S) uint64
	// ReadOnly are the operations that are said to leave every state alone, by position.
	ReadOnly []bool
	// Touches are the keys that operations are said to touch, as in model.Instance; nil if nothing
	// is said.
	Touches [][]int32
	// IntsDiffer says how the code takes an int for what it does not recognise as an int64, "" if
	// it does not; nil for code whose inputs are the caller's own.
	IntsDiffer func(s S, op history.OpID) string
	// Watch and Sampler are shared by all partitions of the specification.
	Watch   *Watch
	Sampler *Sampler
	// Memo, unless it is nil, returns what keeps the answers of the code, for all machines that
	// share it. Kind then gives the kind of every operation: those that share a Memo and have the
	// same kind, which is not negative, act alike.
	Memo func() *Memo[S]
	Kind []int32
}

// Choice is one answer of a specification: a result and the state that it goes with.
type Choice[S any] struct {
	Next   S
	Result any
}

// Table finds the numbers of states.
type Table[S any] interface {
	Find(s S) (model.State, bool)
	// Add notes the number of a new state and returns how many bytes hang on it, estimated, besides
	// its own size.
	Add(s S, number model.State) int64
	Clear()
}

// NewMachine returns a Machine that executes the guest. It panics with a *Fault if the initial
// state cannot be used.
func (g *Code[S]) NewMachine() *Machine[S] {
	m := &Machine[S]{Code: g}
	if m.alone = g.Memo == nil; m.alone {
		m.table = g.NewTable()
		m.schedule()
	} else {
		m.memo = g.Memo()
	}
	if g.Watch != nil {
		m.running.history, m.running.say = g.Partition.History, m.say
		g.Watch.add(&m.running)
	}
	m.running.op.Store(comparing)
	model.Guarded(func() model.Fault {
		return g.fault("Init", -1, g.Attempt(g.Init))
	}, func() model.State { return m.add(g.Init) })
	if !m.Plain { // what is there may be a state of another machine
		m.one(0, m.states[0], g.Init)
	}
	m.running.op.Store(0)
	return m
}

// Machine executes a Code. States are kept in the order of their numbers; what a number
// stands for is never overwritten, since another goroutine may be showing it (Watch).
type Machine[S any] struct {
	*Code[S]
	alone   bool     // it uses no Memo
	table   Table[S] // if it is alone
	states  []S
	prints  []uint64 // by state, if there is Print
	next    []S
	bytes   int64
	running Running
	at      atomic.Pointer[S] // the state of the call that is running
	sampling[S]
	member[S]
}

// add returns the number of a state.
func (m *Machine[S]) add(s S) model.State {
	if m.alone {
		return m.intern(s)
	}
	m.next = append(m.next[:0], s)
	return m.enter(m.next, nil)[0]
}

// notItself is a panic about a state that cannot be found again.
const notItself = "a state that does not equal itself: does it hold NaN, or a function?"

// weight is what a state takes besides what its table counts.
func (m *Machine[S]) weight(s S) int64 {
	if m.Print != nil {
		return 3*int64(unsafe.Sizeof(s)) + 24
	}
	return 3*int64(unsafe.Sizeof(s)) + 16
}

// intern is add for a machine that is alone.
func (m *Machine[S]) intern(s S) model.State {
	if k, ok := m.table.Find(s); ok {
		return k
	}
	k := model.State(len(m.states))
	m.states = append(m.states, s)
	m.bytes += m.weight(s) + m.table.Add(s, k)
	if m.Print != nil {
		m.prints = append(m.prints, m.Print(s))
	}
	if found, ok := m.table.Find(s); !ok || found != k {
		panic(m.unfound(s))
	}
	return k
}

// Init implements Machine.
func (m *Machine[S]) Init() model.State { return 0 }

// Peek returns the state of that number.
func (m *Machine[S]) Peek(s model.State) S { return m.states[s] }

// DiffersForInts says how the code, asked about op in s, takes an int for what it does not
// recognise as an int64; "" if it does not.
func (m *Machine[S]) DiffersForInts(s model.State, op history.OpID) string {
	if m.IntsDiffer == nil {
		return ""
	}
	return m.IntsDiffer(m.states[s], op)
}

// Step implements Machine. It panics with a *Fault.
func (m *Machine[S]) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	due := false
	if !m.alone {
		var known bool
		if dst, known, due = m.recall(s, op, dst); known {
			return dst
		}
	}
	before := m.states[s]
	m.at.Store(&m.states[s])
	m.running.op.Store(int32(op) + 1)
	defer m.contain(op, s)
	from, known := len(dst), model.State(len(m.states))
	m.sample(s, op, due)
	m.next = m.Next(before, op, m.next[:0])
	if m.alone {
		for _, n := range m.next {
			dst = appendNew(dst, from, m.intern(n))
		}
	} else {
		dst = m.enter(m.next, dst)
	}
	m.met(op, dst, from, known)
	if m.ReadOnly != nil && m.ReadOnly[op] {
		for _, k := range dst[from:] {
			if k != s {
				m.impure(op, before, fmt.Sprintf("it is said never to change a state, and leaves %s",
					m.Attempt(m.states[k])))
			}
		}
	}
	m.running.op.Store(0)
	return dst
}

// appendNew appends a state that is not there from some place on.
func appendNew(dst []model.State, from int, k model.State) []model.State {
	if slices.Contains(dst[from:], k) {
		return dst
	}
	return append(dst, k)
}

// contain turns a panic of Step into one with a *Fault.
func (m *Machine[S]) contain(op history.OpID, s model.State) {
	if m.running.op.Load() == 0 { // Step came to its end
		return
	}
	m.running.op.Store(0)
	m.disclaim()
	if v := recover(); v != nil {
		panic(m.fault(m.Func(op), op, m.Attempt(m.states[s])).Of(v))
	}
}

// fault is a Fault about operation op of the partition, unless that is negative.
func (g *Code[S]) fault(function string, op history.OpID, state string) model.Fault {
	f := model.Fault{Spec: g.Name, Func: function, State: state}
	switch {
	case op < 0:
	case g.Partition.Global(op) < 0:
		f.Operation = "that draining adds (" + g.Partition.ID(op) + ")"
	default:
		f.Operation = OperationText(g.Partition.History, g.Partition.Global(op))
	}
	return f
}

// Forget implements Forgetter.
func (m *Machine[S]) Forget(s model.State) model.State {
	if len(m.states) < model.ForgetFrom {
		return s
	}
	keep := []model.State{s}
	m.Collect(keep)
	return keep[0]
}

// Collect implements Collector.
func (m *Machine[S]) Collect(keep []model.State) {
	old, shared := m.states, m.shared
	m.states, m.prints, m.bytes = nil, nil, 0
	if m.alone {
		m.table.Clear()
		for i, s := range keep {
			keep[i] = m.intern(old[s])
		}
		return
	}
	m.member = member[S]{memo: m.memo}
	m.memo.mu.Lock()
	defer m.memo.mu.Unlock()
	for i, s := range keep {
		keep[i] = m.local(shared[s])
	}
}

// Describe implements Machine. It panics with a *Fault.
func (m *Machine[S]) Describe(s model.State) string {
	state := m.states[s]
	at := func() model.Fault { return m.fault("Describe", -1, fmt.Sprintf("%+v", state)) }
	return model.Guarded(at, func() string { return m.Show(state) })
}

// Attempt shows a state, as fmt does where Show panics.
func (g *Code[S]) Attempt(s S) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("%+v", s)
		}
	}()
	return g.Show(s)
}

// Bytes implements Machine.
func (m *Machine[S]) Bytes() int64 { return m.bytes }

// say names the call that is running, or says nothing if there is none.
func (m *Machine[S]) say() string {
	op, s := m.running.op.Load(), m.at.Load()
	if op == comparing {
		return "comparison of the initial state"
	}
	if op == 0 || s == nil || op != m.running.op.Load() {
		return ""
	}
	running := history.OpID(op - 1)
	f := m.fault(m.Func(running), running, "")
	text := f.Func + " on operation " + f.Operation
	if state, ok := soon(func() string { return m.Attempt(*s) }); ok {
		text += " in state " + state
	}
	return text
}

// OperationText names operation i of h and says what it is.
func OperationText(h *history.History, i history.OpID) string {
	o, t := &h.Ops[i], h.Values
	text := h.ID(i) + " (" + t.Format(o.F)
	if name, isString := t.AsString(o.F); isString {
		text = h.ID(i) + " (" + name
	}
	if o.Arg != history.Nil {
		text += " " + t.Format(o.Arg)
	}
	if o.Pending() {
		return text + ", pending)"
	}
	if o.Unknown {
		return text + ")"
	}
	return text + " → " + t.Format(o.Result) + ")"
}

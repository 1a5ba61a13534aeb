package spec

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
)

// Spec is a sequential specification: one that linsat ships, one made by Define, or one made from
// another by Relax. A Spec has no state of its own. Any number of goroutines may use it.
type Spec = model.Spec

// Info describes a specification: its names, operations and classes.
type Info = model.Info

// Operation describes one operation of a specification.
type Operation = model.Operation

// Class is a class of operations whose places a quasi factor may exchange.
type Class = model.Class

// Fault is the error for a specification whose code panics or is not pure.
type Fault = model.Fault

// All returns the specifications that linsat ships, in the order of the manual.
func All() []Spec { return specs.All() }

// Lookup returns the shipped specification of that name or alias.
func Lookup(name string) (Spec, bool) { return specs.Lookup(name) }

// Bank is a table of accounts with transfers and reads of all balances.
func Bank() Spec { return specs.Bank() }

// BoundedQueue is a FIFO queue of limited capacity.
func BoundedQueue() Spec { return specs.BoundedQueue() }

// CASRegister is a register with reads, writes, compare-and-set and swap.
func CASRegister() Spec { return specs.CASRegister() }

// Counter is an integer with additions and reads.
func Counter() Spec { return specs.Counter() }

// Deque is a double-ended queue.
func Deque() Spec { return specs.Deque() }

// FencedMutex is a lock whose every acquisition returns a larger token than the last.
func FencedMutex() Spec { return specs.FencedMutex() }

// KV is a map from keys to values.
func KV() Spec { return specs.KV() }

// Log is an append-only list with reads from an offset.
func Log() Spec { return specs.Log() }

// MultiRegister is a set of registers with transactions of reads and writes.
func MultiRegister() Spec { return specs.MultiRegister() }

// Mutex is a lock without an owner.
func Mutex() Spec { return specs.Mutex() }

// OwnedMutex is a lock that only the process that holds it can release.
func OwnedMutex() Spec { return specs.OwnedMutex() }

// PriorityQueue is a queue from which the least priority leaves first.
func PriorityQueue() Spec { return specs.PriorityQueue() }

// Queue is a FIFO queue.
func Queue() Spec { return specs.Queue() }

// RWMutex is a lock for one writer or several readers.
func RWMutex() Spec { return specs.RWMutex() }

// ReentrantMutex is a lock that its owner may acquire several times.
func ReentrantMutex() Spec { return specs.ReentrantMutex() }

// Register is one cell with reads, writes and swap.
func Register() Spec { return specs.Register() }

// Semaphore is a number of permits.
func Semaphore() Spec { return specs.Semaphore() }

// Set is a set of values.
func Set() Spec { return specs.Set() }

// Stack is a LIFO stack.
func Stack() Spec { return specs.Stack() }

// UnorderedQueue is a pool: any value that is in it may leave.
func UnorderedQueue() Spec { return specs.UnorderedQueue() }

// Recognise returns the specification whose operations a history uses, with others that fit as
// well. If none or several fit, it returns a *history.Error that names the candidates.
func Recognise(h *history.History) (*specs.Guess, error) { return specs.Recognise(h) }

// Relax returns s relaxed by what the text says, as linsat solve --relax takes it: any of
// out-of-order=K, lateness=K and stuttering=K, joined by commas. It returns an error where s has no
// such relaxation.
func Relax(s Spec, text string) (Spec, error) {
	x, err := specs.ParseSemanticRelaxation(text)
	if err != nil {
		return nil, err
	}
	return specs.Relax(s, x)
}

// Rename returns s with other names of operations. names maps names of operations of s to those
// that histories use:
//
//	spec.Rename(spec.Queue(), map[string]string{"enq": "submit", "deq": "fetch"})
//
// Operations that are not mentioned keep their names. The result has the engines, monitors and
// arguments of s, and its certificates are verified against it. Rename returns an error for an
// operation that s does not have, for a name that two operations would share, and for
// specifications that linsat does not ship: a Definition lists its names itself.
func Rename(s Spec, names map[string]string) (Spec, error) { return specs.Rename(s, names) }

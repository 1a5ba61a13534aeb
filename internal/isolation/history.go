package isolation

import "github.com/linsat/linsat/history"

// History is transactions on named objects, each of which is a register or a list.
type History struct {
	Txns    []Txn    // by call; aborted ones among them
	Objects []Object // by the number that accesses have
	Values  []string // how values are written, by their number
}

// Object is what accesses are of.
type Object struct {
	Name string
	List bool // it is appended to, and empty at the start
	// Initial is the value of a register at the start.
	Initial int32
}

// Txn is one transaction. It is identified by its position in History.Txns.
type Txn struct {
	// Op is its operation in the history that it was made of, history.OpID; of an aborted one, its
	// place among the aborted.
	Op      history.OpID
	Session int32 // the process, from 0
	// Call and Return are ranks as in history.Op. Return is history.Never of those that never
	// returned.
	Call, Return history.Rank
	Status       Status
	Accesses     []Access // in the order of the program
}

// Status is what is known of the end of a transaction.
type Status uint8

// The statuses.
const (
	Committed Status = iota
	Open             // it may have committed or not; what it read is not known
	Aborted          // it did not commit
)

// Access is a read, a write or an append of one object.
type Access struct {
	Kind   Kind
	Object int32
	// Value is what was written or appended, or what was read of a register.
	Value int32
	// List is what was read of a list.
	List []int32
}

// Kind is what an access does.
type Kind uint8

// The kinds. Reads whose result is not known are no accesses.
const (
	Read   Kind = iota // of a register: Value; of a list: List
	Write              // of a register
	Append             // to a list
)

// Place is an access: the transaction, and its position in Accesses.
type Place struct {
	Txn    int32 `json:"txn"`
	Access int32 `json:"access"`
}

// Initial stands for the initial transaction, which wrote the initial values, before all others.
const Initial int32 = -1

// GivenBefore reports whether order o puts transaction a before b, both taking effect.
func (h *History) GivenBefore(o Order, a, b int32) bool {
	x, y := &h.Txns[a], &h.Txns[b]
	switch {
	case o >= RealTime && x.Return < y.Call:
		return true
	case o >= SessionOrder && x.Session == y.Session:
		return x.Call < y.Call
	}
	return false
}

// Repeats reports whether h is of registers alone, and two transactions write one value to one.
func (h *History) Repeats() (some bool) {
	by := map[[2]int32]int32{}
	for t := range h.Txns {
		for _, a := range h.Txns[t].Accesses {
			if h.Objects[a.Object].List {
				return false
			}
			if w, known := by[[2]int32{a.Object, a.Value}]; a.Kind == Write {
				some = some || known && w != int32(t)
				by[[2]int32{a.Object, a.Value}] = int32(t)
			}
		}
	}
	return some
}

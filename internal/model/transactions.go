package model

import "github.com/linsat/linsat/history"

// Transactions says what the operations of named registers do, each of which may read and write
// several. It describes them completely. It is no theory: operations on one register alone have
// that of cells.
type Transactions struct {
	Init     []int32 // by register: its value at the start
	Accesses []Access
	First    []int32 // accesses of operation i are Accesses[First[i]:First[i+1]], in their order
	// Register and Value return readable texts.
	Register func(number RegisterID) string
	Value    func(number int32) string
}

// RegisterID numbers the registers of a partition of transactions.
type RegisterID int32

// Access is one read or write of one register within an operation.
type Access struct {
	Does     AccessKind
	Register RegisterID
	Value    int32 // the value that it sees or writes
}

// AccessKind is what an access does.
type AccessKind uint8

// The kinds of accesses.
const (
	Reads  AccessKind = iota // any value: what it found is not known
	Sees                     // the value
	Writes                   // the value
)

// Of returns the accesses of operation i.
func (t *Transactions) Of(i history.OpID) []Access { return t.Accesses[t.First[i]:t.First[i+1]] }

package check

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
)

// Step says why one operation comes before another.
type Step struct {
	Kind          StepKind
	Before, After history.OpID
	// Read is, where one overwrites the other, the read from After that Before comes before, or,
	// where the kind is Overwritten, Before itself.
	Read history.OpID
}

// StepKind is a reason why one operation comes before another.
type StepKind uint8

// The reasons.
const (
	Process     StepKind = iota // they are of one process, in this order
	Reads                       // After read what Before wrote
	Overwrites                  // Before comes before Read, which shows what After wrote
	Overwritten                 // Before read what After overwrote
)

// Pattern is a contradiction by its name.
type Pattern string

// The patterns, those of Bouajjani, Enea, Guerraoui and Hamza (POPL 2017) where they have one.
const (
	ThinAirRead     Pattern = "ThinAirRead"     // a read of what nobody wrote
	CyclicCO        Pattern = "CyclicCO"        // a cycle of process order and reads
	WriteCOInitRead Pattern = "WriteCOInitRead" // a read of the start after a write, by these
	WriteCORead     Pattern = "WriteCORead"     // a read of what was overwritten before, by these
	WriteHBInitRead Pattern = "WriteHBInitRead" // as WriteCOInitRead, with overwriting
	CyclicHB        Pattern = "CyclicHB"        // a cycle with overwriting
	CyclicCF        Pattern = "CyclicCF"        // a cycle of conflicts between writes that all see
)

// conflict says what a contradiction for one process rests on.
func (a *Answer) conflict(x *consistency.Accesses, c *consistency.Conflict) {
	a.Process, a.Initial, a.Closed = c.Process, -1, true
	last := c.Path[len(c.Path)-1]
	if len(c.Path) == 1 {
		a.Pattern, a.Results = ThinAirRead, c.Path
		return
	}
	over := map[history.Edge]history.OpID{}
	source := func(r history.OpID) history.OpID {
		return history.OpID(slices.IndexFunc(x.Ops, func(w consistency.Access) bool {
			return w.Writes && w.Object == x.Ops[r].Object && w.Left == x.Ops[r].Found
		}))
	}
	for _, o := range c.Overwrites {
		r := o.Path[len(o.Path)-1]
		over[history.Edge{Before: o.Path[0], After: source(r)}] = r
		a.steps(x, o.Path, over, source)
	}
	a.steps(x, c.Path, over, source)
	cycle := c.Path[0] == last
	if !cycle {
		a.Initial, a.Closed = last, false
	}
	switch {
	case cycle && len(c.Overwrites) == 0:
		a.Pattern = CyclicCO
	case cycle && len(c.Overwrites) == 1 && reaches(c):
		a.Pattern = WriteCORead
	case cycle && !a.ByProcess:
		a.Pattern = CyclicCF
	case cycle:
		a.Pattern = CyclicHB
	case len(c.Overwrites) == 0:
		a.Pattern = WriteCOInitRead
	default:
		a.Pattern = WriteHBInitRead
	}
}

// reaches reports whether a cycle is of one overwriting and a path of nothing else, from the write
// that was read to the one that overwrites it.
func reaches(c *consistency.Conflict) bool {
	o := c.Overwrites[0]
	return slices.Contains(c.Path, o.Path[0])
}

// steps adds those of a path that are not there yet.
func (a *Answer) steps(x *consistency.Accesses, path []history.OpID, over map[history.Edge]history.OpID,
	source func(history.OpID) history.OpID) {
	for k := range path[1:] {
		s := Step{Before: path[k], After: path[k+1]}
		r, overwrites := over[history.Edge{Before: s.Before, After: s.After}]
		switch {
		case x.Ops[s.After].Reads && source(s.After) == s.Before:
			s.Kind = Reads
		case overwrites:
			s.Kind, s.Read = Overwrites, r
		}
		if !slices.Contains(a.Steps, s) {
			a.Steps = append(a.Steps, s)
		}
	}
}

package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
)

// Partition is a partition of a history that is decided on its own. Engines know operations by
// their position in Ops.
type Partition struct {
	History *history.History
	Name    string         // "key 3", "element x"; "" for the whole
	Ops     []history.Op   // sorted by Call
	Index   []history.OpID // position here → position in History.Ops; nil for the whole
	Edges   []history.Edge // explicit order between positions here, sorted by After
	// Demands is set for prefixes. It lists the explicit order between two operations that are open
	// at the end of the prefix: the second cannot have taken effect without the first. The prefix
	// as a history by itself does not say this; verdicts do not depend on it.
	Demands []history.Edge
	// Initial is the initial state, as values of History.Values; HasInitial reports whether
	// there is one, or the specification's own default holds.
	Initial    history.Value
	HasInitial bool
	// Contents, if HasContents is set, stands for Initial in a collection or a log: explanations
	// ask about parts of the initial contents, and about other contents. It is not in the history's
	// table of values, which is not changed while the history is checked.
	Contents    []history.Value
	HasContents bool
	// Renaming, if there is one, says which operations of the specification the names in the
	// history stand for.
	Renaming *Renaming
	// TheoryLater says that Bind need not make a theory that takes long or helps rarely: the caller
	// tries without one first, and binds again where that does not settle the partition.
	TheoryLater bool
	// Drains is the number of operations at the end that are not in the history: removals that
	// Drained appended under a quasi factor.
	Drains int
}

// Renaming gives the operations of a specification other names.
type Renaming struct {
	Info Info // of the specification, with the new names
	// Names maps new names, folded, to those of the specification, folded; and names that are no
	// longer valid to "".
	Names map[string]string
}

// Original returns the folded name by which the specification knows an operation.
func (r *Renaming) Original(folded string) string {
	if name, ok := r.Names[folded]; ok {
		return name
	}
	return folded
}

// Whole returns the history as one partition. Not inlined: it has many callers.
//
//go:noinline
func Whole(h *history.History) *Partition {
	return &Partition{History: h, Ops: h.Ops, Edges: h.Edges, Initial: h.Initial, HasInitial: h.HasInitial}
}

// Title names the partition in words, by its key or the piece that it is about: key 3, key "3", key
// "a", element 2. It is "" for a whole history and for operations without a key.
func (p *Partition) Title(info Info) string {
	if p.Name == "" || len(p.Ops) == 0 {
		return ""
	}
	rest, title := p.Name, ""
	if key := p.Ops[0].Key; !info.KeyIsPiece && key != history.NoKey {
		text := p.History.Values.Format(key)
		if !strings.HasPrefix(rest, text) {
			return "partition " + rest
		}
		title, rest = "key "+text, strings.TrimPrefix(rest[len(text):], "/")
		if rest == "" {
			return title
		}
		title += ", "
	}
	switch {
	case info.KeyIsPiece:
		return title + "key " + rest
	case info.Piece != "":
		return title + info.Piece + " " + rest
	}
	return title + "piece " + rest
}

// Len returns the number of operations.
func (p *Partition) Len() int { return len(p.Ops) }

// Global returns the position in the history of operation i of the partition, -1 for a drain.
func (p *Partition) Global(i history.OpID) history.OpID {
	if int(i) >= len(p.Ops)-p.Drains {
		return -1
	}
	if p.Index == nil {
		return i
	}
	return p.Index[i]
}

// ID returns the id of operation i in the input, or the number of a drain.
func (p *Partition) ID(i history.OpID) string {
	if k := int(i) - (len(p.Ops) - p.Drains); k >= 0 {
		return fmt.Sprintf("drain %d", k+1)
	}
	return p.History.ID(p.Global(i))
}

// Revision returns the place of operation i in a known order, or nil.
func (p *Partition) Revision(i history.OpID) *history.Revision {
	if g := int(p.Global(i)); g >= 0 && g < len(p.History.Revisions) {
		return p.History.Revisions[g]
	}
	return nil
}

// Error is bad input at operation i of the partition.
func (p *Partition) Error(i history.OpID, what, hint string) *history.Error {
	return p.History.OpError(p.Global(i), what, hint)
}

// Precedes reports whether a must come before b by the ranks alone, apart from edges.
func (p *Partition) Precedes(a, b history.OpID) bool { return p.Ops[a].Return < p.Ops[b].Call }

// Select returns the partition made of the given positions of p (ascending), with the
// edges among them. Order that runs through operations left out by edges is not carried over:
// the caller leaves out only operations that take part in no edge, or whole joined groups.
func (p *Partition) Select(positions []history.OpID, name string) *Partition {
	q := &Partition{History: p.History, Name: name, TheoryLater: p.TheoryLater, Initial: p.Initial,
		HasInitial: p.HasInitial, Contents: p.Contents, HasContents: p.HasContents, Renaming: p.Renaming,
		Ops: make([]history.Op, len(positions)), Index: make([]history.OpID, len(positions))}
	for k, i := range positions {
		q.Ops[k] = p.Ops[i]
		q.Index[k] = p.Global(i)
	}
	for _, e := range p.Edges {
		b, okB := slices.BinarySearch(positions, e.Before)
		a, okA := slices.BinarySearch(positions, e.After)
		if okB && okA {
			q.Edges = append(q.Edges, history.Edge{Before: history.OpID(b), After: history.OpID(a)})
		}
	}
	return q
}

// Called returns how many operations are called up to rank cut.
func (p *Partition) Called(cut history.Rank) int {
	n, _ := slices.BinarySearchFunc(p.Ops, cut, func(o history.Op, c history.Rank) int {
		if o.Call <= c {
			return -1
		}
		return 1
	})
	return n
}

// Prefix returns p cut right after rank cut: operations called later are gone, and those that
// return later are pending with unknown results. Prefixes of linearizable histories are
// linearizable.
func (p *Partition) Prefix(cut history.Rank) *Partition {
	n := p.Called(cut)
	q := *p
	q.Ops = slices.Clone(p.Ops[:n])
	if p.Index != nil {
		q.Index = p.Index[:n]
	}
	for i := range q.Ops {
		if o := &q.Ops[i]; o.Return > cut {
			o.Return, o.Result, o.Unknown = history.Never, history.Nil, true
		}
	}
	q.Edges, q.Demands = nil, nil
	for _, e := range p.Edges {
		if e.Before >= history.OpID(n) || e.After >= history.OpID(n) {
			continue
		}
		q.Edges = append(q.Edges, e)
		if !p.Ops[e.Before].Pending() && q.Ops[e.Before].Pending() {
			q.Demands = append(q.Demands, e)
		}
	}
	for _, e := range p.Demands {
		if e.Before < history.OpID(n) && e.After < history.OpID(n) {
			q.Demands = append(q.Demands, e)
		}
	}
	return &q
}

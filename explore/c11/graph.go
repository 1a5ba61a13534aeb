//go:build !linsat_native

package c11

import (
	"slices"

	"github.com/linsat/linsat/internal/relaxed/axioms"
	"github.com/linsat/linsat/internal/relaxed/graph"
	"github.com/linsat/linsat/internal/relaxed/program"
)

// Kind is what an event does.
type Kind uint8

// Kinds of events.
const (
	ReadEvent Kind = iota
	WriteEvent
	UpdateEvent // reads and writes at once
	FenceEvent
	JoinEvent
	ChoiceEvent
	// InitEvent is the first write of a location that was there before all threads. It happens
	// before everything.
	InitEvent
)

// Event is an event of a Graph.
type Event struct {
	ID     int // its position in Graph.Events
	Thread int // -1: an InitEvent
	Index  int // position in the thread, from 0
	Kind   Kind
	Order  Order
	Loc    string // name of the location
	Place  int    // its number
	Read   any    // the value read
	Wrote  any    // the value written
	Failed bool   // a compare-and-swap that did not write
	Weak   bool   // it failed although the value was right
	RF     int    // the write that it reads, -1: none
	Arg    int    // JoinEvent: the thread; ChoiceEvent: the value
	File   string // with Options.Trace
	Line   int
	Func   string

	first, last graph.Ref // in the graph of the search; they differ for an update
}

// Reads reports whether the event reads a location.
func (e *Event) Reads() bool { return e.Kind == ReadEvent || e.Kind == UpdateEvent }

// Writes reports whether the event writes a location.
func (e *Event) Writes() bool {
	return e.Kind == WriteEvent || e.Kind == UpdateEvent || e.Kind == InitEvent
}

// Note is what Exec.Annotate noted. Notes of one thread are in its order.
type Note struct {
	Thread int
	Before int // the last event of the thread before the note, -1: none
	After  int // the first event of the thread after it, -1: none
	// Done are the events of the thread before the note.
	Done    int
	Payload any
	born    int // threads that its thread started before it
}

// Wait is an Await that does not end, as no write brings what it waits for.
type Wait struct {
	Thread int
	Loc    string
	Last   any    // the last value in modification order, nil if there is none
	File   string // with Options.Trace
	Line   int

	place int32
}

// Graph is an execution: its events, thread by thread, and the relations between them.
type Graph struct {
	Events  []Event
	Threads int     // with main, and with those that only other executions have started
	MO      [][]int // by Event.Place: the writes of the location, in modification order
	Notes   []Note
	Waiting []Wait // of outcome Stuck
	Outcome Outcome
	A, B    int // the events of a Race, the load that is Uninitialized; -1: none
	Panic   any // of outcome Panicked
	Stack   string

	number int // of the visit, from 1

	byRef [graph.MaxThreads][]int
	inits []int
	of    *graph.Graph
	place []graph.Ref
	model *axioms.Model
}

func (g *Graph) fill(x *program.Execution, r *program.Runner) {
	g.of, g.place, g.model = x.Graph, r.Places, nil
	g.Threads, g.Outcome, g.Panic, g.Stack = x.Threads, x.Outcome, x.Panic, x.Stack
	g.Events, g.Notes, g.Waiting = g.Events[:0], g.Notes[:0], g.Waiting[:0]
	for len(g.MO) < len(r.Names) {
		g.MO = append(g.MO, nil)
	}
	g.inits = g.inits[:0]
	for loc := range g.MO {
		g.MO[loc] = g.MO[loc][:0]
		g.inits = append(g.inits, -1)
	}
	for loc, started := range x.Started {
		if started {
			g.init(x, r, int32(loc))
		}
	}
	for t := range g.Threads {
		g.thread(t, x, r)
	}
	for i := range g.Events {
		if e := &g.Events[i]; e.Reads() {
			e.RF = g.event(e.Place, x.Graph.Event(e.first).RF)
		}
	}
	for loc := range g.MO {
		if g.inits[loc] >= 0 {
			g.MO[loc] = append(g.MO[loc], g.inits[loc])
		}
		for _, w := range x.Graph.Writes(int32(loc)) {
			g.MO[loc] = append(g.MO[loc], g.byRef[w.Thread()][w.Index()])
		}
	}
	for _, n := range x.Notes {
		g.note(n)
	}
	for i := range g.Waiting {
		w := &g.Waiting[i]
		if of := g.MO[w.place]; len(of) > 0 {
			w.Last = g.Events[of[len(of)-1]].Wrote
		}
	}
	g.A, g.B = g.event(-1, x.A), g.event(-1, x.B)
}

func (g *Graph) init(x *program.Execution, r *program.Runner, loc int32) {
	g.inits[loc] = len(g.Events)
	g.Events = append(g.Events, Event{ID: len(g.Events), Thread: -1, Kind: InitEvent, Loc: r.Names[loc],
		Place: int(loc), Wrote: x.Inits[loc], RF: -1, first: graph.Init, last: graph.Init})
}

func (g *Graph) thread(t int, x *program.Execution, r *program.Runner) {
	of := x.Graph.Threads[t]
	g.byRef[t] = g.byRef[t][:0]
	for i, n := 0, 0; i < len(of); i, n = i+1, n+1 {
		e := &of[i]
		info := &x.Info[t][i]
		if e.Blocked {
			w := Wait{Thread: t, Loc: r.Names[e.Loc], place: e.Loc}
			if f := info.Request.Where; f != nil {
				w.File, w.Line = f.File, f.Line
			}
			g.Waiting = append(g.Waiting, w)
			break
		}
		v := Event{ID: len(g.Events), Thread: t, Index: n, Order: e.Order, RF: -1, first: graph.At(t, i),
			last: graph.At(t, i), Arg: int(e.Arg)}
		g.byRef[t] = append(g.byRef[t], v.ID)
		switch e.Kind {
		case graph.Fence:
			v.Kind = FenceEvent
		case graph.Join:
			v.Kind = JoinEvent
		case graph.Choice:
			v.Kind = ChoiceEvent
		case graph.Write:
			v.Kind, v.Wrote = WriteEvent, info.Value
		case graph.Read:
			v.Kind, v.Read = ReadEvent, info.Value
			v.Failed, v.Weak = !e.RMW && info.Request.Updates(), e.Spurious
			if e.RMW && i+1 < len(of) {
				i++
				v.Kind, v.Wrote, v.last = UpdateEvent, x.Info[t][i].Value, graph.At(t, i)
				g.byRef[t] = append(g.byRef[t], v.ID)
			}
		}
		if e.Kind == graph.Read || e.Kind == graph.Write {
			v.Loc, v.Place = r.Names[e.Loc], int(e.Loc)
		} else {
			v.Place = -1
		}
		if f := info.Request.Where; f != nil {
			v.File, v.Line, v.Func = f.File, f.Line, f.Function
		}
		g.Events = append(g.Events, v)
	}
}

func (g *Graph) note(n program.Note) {
	m := Note{Thread: n.Thread, Before: -1, After: -1, Payload: n.Payload, born: n.Born}
	of := g.byRef[n.Thread]
	if n.After > 0 {
		m.Before = of[n.After-1]
		m.Done = g.Events[m.Before].Index + 1
	}
	if n.After < len(of) {
		m.After = of[n.After]
	}
	g.Notes = append(g.Notes, m)
}

// event returns the number of an event, -1 if there is none.
func (g *Graph) event(place int, r graph.Ref) int {
	switch {
	case r == graph.Init && place >= 0:
		return g.inits[place]
	case r < 0:
		return -1
	}
	return g.byRef[r.Thread()][r.Index()]
}

// has reports whether there is an event with that number.
func (g *Graph) has(a int) bool { return a >= 0 && a < len(g.Events) }

// SB reports whether a is before b in one thread.
func (g *Graph) SB(a, b int) bool {
	if !g.has(a) || !g.has(b) {
		return false
	}
	e, f := &g.Events[a], &g.Events[b]
	return e.Thread == f.Thread && e.Index < f.Index && e.Thread >= 0
}

// HB reports whether a happens before b.
func (g *Graph) HB(a, b int) bool {
	if !g.has(a) || !g.has(b) {
		return false
	}
	e, f := &g.Events[a], &g.Events[b]
	if e.Thread < 0 {
		return f.Thread >= 0
	}
	return f.Thread >= 0 && a != b && g.of.HB(e.last, f.first)
}

// NoteHB reports whether note a happens before note b, as if notes were events. The numbers are
// those of Notes.
func (g *Graph) NoteHB(a, b int) bool {
	if a < 0 || b < 0 || max(a, b) >= len(g.Notes) {
		return false
	}
	n, m := &g.Notes[a], &g.Notes[b]
	if n.Thread == m.Thread {
		return a < b
	}
	c := g.known(m)
	if n.After >= 0 {
		if c.Has(g.Events[n.After].first) {
			return true
		}
	} else if g.joined(n.Thread, &c) {
		return true
	}
	for t := 1; t < g.Threads; t++ { // threads that started after the note
		if g.after(t, n) && (t == m.Thread || c[t] > 0 || g.joined(t, &c)) {
			return true
		}
	}
	return false
}

// after reports whether a thread, or one that started it, was started by the thread of a note after
// the note.
func (g *Graph) after(thread int, n *Note) bool {
	for ; thread > 0; thread = g.of.Births[thread].Parent {
		if b := &g.of.Births[thread]; b.Parent == n.Thread {
			return b.Made && b.Rank >= n.born
		}
	}
	return false
}

// joined reports whether a join of the thread is in the clock.
func (g *Graph) joined(thread int, c *graph.Clock) bool {
	for i := range g.Events {
		if e := &g.Events[i]; e.Kind == JoinEvent && e.Arg == thread && c.Has(e.first) {
			return true
		}
	}
	return false
}

// known returns what happens before the place of a note.
func (g *Graph) known(n *Note) graph.Clock {
	if n.Before >= 0 {
		return g.of.Event(g.Events[n.Before].last).HB
	}
	hb, _ := g.of.Start(n.Thread)
	return hb
}

// MOBefore reports whether write a is before write b in modification order.
func (g *Graph) MOBefore(a, b int) bool {
	if !g.has(a) || !g.has(b) {
		return false
	}
	e, f := &g.Events[a], &g.Events[b]
	if !e.Writes() || !f.Writes() || e.Place != f.Place {
		return false
	}
	of := g.MO[e.Place]
	return slices.Index(of, a) < slices.Index(of, b)
}

// SW reports whether a synchronises with b: b receives what a releases, by way of fences and
// release sequences too.
func (g *Graph) SW(a, b int) bool { return g.derived(a, b, (*axioms.Model).SW) }

// SC reports whether a is before b in every total order of the sequentially consistent events that
// the model admits.
func (g *Graph) SC(a, b int) bool { return g.derived(a, b, (*axioms.Model).SC) }

// derived looks at a relation that the search does not keep.
func (g *Graph) derived(a, b int, in func(m *axioms.Model, a, b graph.Ref) bool) bool {
	if !g.has(a) || !g.has(b) {
		return false
	}
	e, f := &g.Events[a], &g.Events[b]
	if e.Thread < 0 || f.Thread < 0 {
		return false
	}
	if g.model == nil {
		g.model = axioms.Of(g.of)
	}
	return in(g.model, e.first, f.first) || in(g.model, e.last, f.first) || in(g.model, e.first, f.last) ||
		in(g.model, e.last, f.last)
}

// Key returns a text that two graphs of one program share if and only if they are equal.
func (g *Graph) Key() string {
	if g.of == nil {
		return ""
	}
	return string(g.of.Key(nil, g.place))
}

// Clone returns a copy that stays valid.
func (g *Graph) Clone() *Graph {
	c := *g
	c.Events, c.Notes, c.inits = slices.Clone(g.Events), slices.Clone(g.Notes), slices.Clone(g.inits)
	c.Waiting = slices.Clone(g.Waiting)
	c.MO = slices.Clone(g.MO)
	for i := range c.MO {
		c.MO[i] = slices.Clone(g.MO[i])
	}
	for i := range c.byRef {
		c.byRef[i] = slices.Clone(g.byRef[i])
	}
	c.of, c.model = nil, nil
	if g.of != nil {
		c.of = &graph.Graph{}
		c.of.CopyFrom(g.of)
	}
	return &c
}

package localize

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
)

// What: which two accesses of one operation, made one atomic event, remove all failing traces.
//
// Source: our own; the paper ends with the sequence of races, which says what decides, and not what
// to do. Candidates are the pairs of accesses of one operation in the trace shown between which
// another thread makes one: only these exclude this trace. Each candidate is tried by exploring the
// whole test again, with the pair made atomic wherever the code comes by: after an access of the
// first line that stands before one of the second, nothing comes between. If accesses lie between
// the two, these belong to the event, and it ends with the second line or with the operation. A
// thread that is blocked in the middle lets the others go on. Pairs without anything between come
// first; those that are as close as the closest one that works are all shown.
//
// Invariant: whether a thread stands inside of an atomic event depends on its own past alone, so
// states that are merged (interleave.go) agree about it. Cost: one more search for each candidate;
// the time is bounded.

// Site is a place in the code that accesses shared memory.
type Site struct {
	File string
	Line int
	Kind string // as the access is called, whether or not it then writes: "read", "update"
}

func (s Site) String() string { return fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line) }

// Repair is a pair of accesses that, made one atomic event, removes all failing traces.
type Repair struct {
	From, To Site
	// for each, what it does: "read head"
	FromWhat, ToWhat string
	Operation        string // of the trace shown, in which they are
	Between          int    // accesses between them in the trace shown, which belong to the event
	Traces           uint64 // that are left, and do not fail
	variable         string // that both touch, "" if there is none
}

// Advice says how the two are made one event in most programs.
func (r *Repair) Advice() string {
	switch {
	case r.Between > 0 || r.variable == "":
		return "hold a lock over them, or make sure in the last access that the first one still holds"
	case r.From.Kind == schedule.Read.String() && r.To.Kind == schedule.Read.String():
		return "read " + r.variable +
			" once and go on with that value, so that a compare-and-swap fails if it has changed"
	}
	return "change " + r.variable + " by a compare-and-swap that expects the value of the first access"
}

// pair makes two sites one event.
type pair struct {
	from, to Site
	adjacent bool // nothing comes between them
}

// follows reports whether a thread that has made an access goes on at once: it is then inside the
// event. inside is whether it was before that access.
func (p *pair) follows(inside bool, made, next Site) bool {
	if p.adjacent {
		return made == p.from && next == p.to
	}
	if inside {
		return made != p.to
	}
	return made == p.from
}

// repairs tries the candidates of the trace shown.
func (f *finder) repairs(t *Trace) (found []Repair, complete bool) {
	complete = true
	deadline := time.Now().Add(repairTime)
	ctx, cancel := context.WithDeadline(f.ctx, deadline)
	defer cancel()
	for _, c := range candidates(t) {
		if len(found) > 0 && c.Between > found[0].Between {
			break
		}
		o := f.options
		o.MaxTime = time.Until(deadline)
		if o.MaxTime <= 0 {
			return found, false
		}
		again := &finder{ctx: ctx, c: f.c, spec: f.spec, options: o, pair: &pair{c.From, c.To, c.Between == 0}}
		again.classify = again.check
		r, err := again.search()
		switch {
		case again.refuted:
		case err != nil || !r.Complete:
			complete = false
		case r.Traces > 0:
			c.Traces = r.Traces
			found = append(found, c)
		}
	}
	return found, complete
}

// candidates lists the pairs of accesses of one operation with another thread's access between
// them, the closest first.
func candidates(t *Trace) (all []Repair) {
	events := concurrent(t.Execution.Events)
	known := map[pair]bool{}
	for i := range events {
		between, other := 0, false
		for j := i + 1; j < len(events) && events[i].Op >= 0; j++ {
			switch {
			case events[j].Thread != events[i].Thread:
				other = true
				continue
			case events[j].Op != events[i].Op:
				j = len(events)
				continue
			}
			p := pair{siteOf(&events[i]), siteOf(&events[j]), between == 0}
			if other && !known[p] {
				known[p] = true
				op := &t.Execution.Ops[events[i].Op]
				variable := ""
				if loc := schedule.Inside(&events[i].Access).Loc; loc >= 0 &&
					loc == schedule.Inside(&events[j].Access).Loc {
					variable, _, _ = strings.Cut(events[i].Name, "(")
				}
				all = append(all, Repair{variable: variable, From: p.from, To: p.to, FromWhat: accessOf(&events[i]),
					ToWhat: accessOf(&events[j]), Operation: explore.Call{F: op.F, Arg: op.Arg}.String(),
					Between: between})
			}
			between++
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Between < all[j].Between })
	return all
}

// accessOf is what an access does, without the values of one trace.
func accessOf(e *explore.Event) string { return siteOf(e).Kind + " " + e.Name }

func siteOf(e *explore.Event) Site {
	a := schedule.Inside(&e.Access)
	kind := a.Kind
	if a.Failed {
		kind = schedule.Update
	}
	return Site{e.File, e.Line, kind.String()}
}

// places are where the threads stand.
type places struct {
	stands []Site // by thread
	inside []bool // by thread: whether it is in the middle of the event
}

// Stands notes where a thread stands. What an execution repeats is known.
func (x *interleave) Stands(thread int, where func() (file string, line int)) {
	if x.atomic == nil || x.depth < len(x.path) {
		return
	}
	for thread >= len(x.stands) {
		x.stands, x.inside = append(x.stands, Site{}), append(x.inside, false)
	}
	file, line := where()
	x.stands[thread] = Site{File: file, Line: line}
}

// inEvent returns the threads to choose from, those in the middle of the atomic event, if they can
// go on; and where all of them stand.
func (x *interleave) inEvent(s *schedule.State) (uint64, *places) {
	if x.atomic == nil {
		return s.Enabled, nil
	}
	var before *places
	for k := len(x.path) - 1; k >= 0 && before == nil; k-- {
		before = x.path[k].places
	}
	at := &places{stands: slices.Clone(x.stands), inside: make([]bool, len(x.stands))}
	if before != nil {
		copy(at.inside, before.inside)
		copy(at.stands, before.stands)
		if s.Prev >= 0 {
			at.stands[s.Prev] = x.stands[s.Prev]
		}
	}
	for t := range at.stands {
		if schedule.Has(s.Live, t) {
			at.stands[t].Kind = s.Pending[t].Kind.String()
		}
	}
	if t := s.Prev; t >= 0 {
		at.inside[t] = schedule.Has(s.Live, t) && !s.Boundary && x.atomic.follows(before.inside[t],
			before.stands[t], at.stands[t])
	}
	middle := uint64(0)
	for t, inside := range at.inside {
		if inside {
			middle |= 1 << uint(t)
		}
	}
	if middle &= s.Enabled; middle != 0 {
		return middle, at
	}
	return s.Enabled, at
}

// repairText says what to repair; nothing if it was not asked for.
func (t *Trace) repairText() string {
	var b strings.Builder
	switch n := len(t.Repairs); {
	case n == 0 && t.RepairsComplete:
		return "what to repair: no two accesses of an operation, made one atomic event, remove all failing traces of " +
			"this test\n"
	case n == 0:
		return ""
	case n == 1:
		b.WriteString("what to repair: if these two accesses are one atomic event, no trace of this test fails\n")
	default:
		b.WriteString(
			"what to repair: if the two accesses of one of these pairs are one atomic event, no trace of this test " +
				"fails\n")
	}
	for _, r := range t.Repairs {
		fmt.Fprintf(&b, "  in %s:\n", r.Operation)
		table(&b, [][]string{{"    " + r.FromWhat, r.From.String()}, {"    " + r.ToWhat, r.To.String()}})
		if r.Between > 0 {
			fmt.Fprintf(&b, "    with all that is between them, %s in this trace\n", count(r.Between, "access"))
		}
		fmt.Fprintf(&b, "    %s\n", r.Advice())
	}
	return b.String()
}

package picture

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/words"
)

// Picture is a history with its verdict, ready to be drawn; the timeline, the page and the SVG are
// made from it alone.
//
// Every call and every return has a place of its own on the axis, numbered from 0 in the order of
// the input's times: at equal times calls come before returns, except that a process's own
// operations stay in their order. (The ranks of package history are no use here: explicit edges
// move them.) Texts are escaped (package escape), except Highlight.Sentences, in which operations
// are found by their names.
type Picture struct {
	Source  string
	Verdict string // in words, "" without a result
	Answer  engine.Verdict
	Facts   []Fact
	Lanes   []string // by process
	Bars    []Bar    // parallel to History.Ops
	Notes   []Mark
	Times   []int64 // the input's time of every place
	Orders  []Order
	// Before lists the configurations just before the return of the operation that cannot be
	// placed; Complete reports whether the list is complete.
	Before   []Possible
	Complete bool
	// Refuted has an operation of every partition that is not linearizable, if there are several.
	Refuted []history.OpID

	Highlight Highlight
	ids       map[string]int32
}

// Fact is a line about the run: "specification", "queue".
type Fact struct{ Name, Text string }

// Bar is one operation.
type Bar struct {
	Lane int32
	// From and To are the places of call and return; To is the number of places while Pending.
	From, To    int32
	Pending     bool
	Outside     bool // belongs to another partition than the one that the result is about
	Highlighted bool
	Fails       bool

	ID, Text                string // Text is the operation without its number
	F, Key, Arg, Result     string // as in the input, "" if absent
	CallTime, ReturnTime    int64
	Line                    int32 // 0 if unknown
	callRank, returningRank history.Rank
}

// Mark is a note of the history: it stands just before place At.
type Mark struct {
	At   int32
	Time int64
	Text string
}

// Possible is one configuration of the frontier.
type Possible struct {
	State   string
	After   []history.OpID // open operations that took effect, positions in History.Ops
	Refused []Refused
}

// Refused is why an operation cannot come next.
type Refused struct {
	Op  history.OpID // position in History.Ops
	Why string
}

// New returns the picture of a run. If the run's Result is the zero value, only the history
// is shown. Operations of hl that are not in the history (drains, numbered -1) are left out.
func New(run *words.Run, hl Highlight) *Picture {
	hl.Operations = slices.DeleteFunc(slices.Clone(hl.Operations), func(i history.OpID) bool { return i < 0 })
	hl.Edges = slices.DeleteFunc(slices.Clone(hl.Edges), func(e [2]history.OpID) bool { return e[0] < 0 || e[1] < 0 })
	h, r := run.History, &run.Result
	p := &Picture{Source: escape.Text(run.File), Lanes: make([]string, len(h.Processes)), Highlight: hl, Answer: r.Verdict}
	for i, name := range h.Processes {
		p.Lanes[i] = escape.Text(name)
	}
	whole := model.Whole(h)
	inside := within(h, r.Partition)
	p.Bars = make([]Bar, len(h.Ops))
	for i := range h.Ops {
		o, origin := &h.Ops[i], &h.Origins[i]
		text := strings.TrimSuffix(words.Operation(whole, history.OpID(i)), " (never returned)")
		b := Bar{Lane: o.Process, Pending: o.Pending(), Outside: inside != nil && !inside[i], ID: escape.Text(h.ID(history.OpID(i))), Text: escape.Text(text),
			F: escape.Text(words.Value(h.Values, o.F)), CallTime: origin.CallTime, Line: origin.Line, callRank: o.Call, returningRank: o.Return}
		if o.Key != history.NoKey {
			b.Key = escape.Text(words.Short(h.Values, o.Key))
		}
		if o.Arg != history.Nil {
			b.Arg = escape.Text(words.Short(h.Values, o.Arg))
		}
		if !b.Pending {
			b.ReturnTime = origin.ReturnTime
			if o.Result != history.Nil || words.ResultMatters(o) {
				b.Result = escape.Text(words.Short(h.Values, o.Result))
			}
			if o.Unknown {
				b.Result = "?"
			}
		}
		p.Bars[i] = b
	}
	for _, i := range hl.Operations {
		p.Bars[i].Highlighted = true
	}
	if hl.HasFails {
		p.Bars[hl.Fails].Highlighted, p.Bars[hl.Fails].Fails = true, true
	}
	p.place()
	for _, n := range h.Notes {
		at, _ := slices.BinarySearch(p.Times, n.Time+1) // after everything of its own time
		p.Notes = append(p.Notes, Mark{At: int32(at), Time: n.Time, Text: escape.Text(n.Text)})
	}
	sort.SliceStable(p.Notes, func(i, j int) bool { return p.Notes[i].Time < p.Notes[j].Time })
	p.ids = idsOf(h)
	if r.Spec == nil {
		return p
	}
	p.Verdict = escape.Text(words.Verdict(r))
	p.Facts = facts(run)
	for k := range p.Facts {
		p.Facts[k].Text = escape.Text(p.Facts[k].Text)
	}
	p.Orders = orders(h, r)
	for i := range r.PartitionVerdicts {
		if v := &r.PartitionVerdicts[i]; v.Verdict == engine.NotLinearizable {
			if ops := v.Operations(); len(ops) > 0 { // not of drains alone
				p.Refuted = append(p.Refuted, ops[0])
			}
		}
	}
	if len(p.Refuted) < 2 {
		p.Refuted = nil
	}
	if f := r.Failure; f != nil && r.Partition != nil {
		p.Complete = f.Complete
		for _, c := range f.Frontier {
			x := Possible{State: escape.Text(c.State)}
			for _, i := range c.Linearized {
				x.After = append(x.After, r.Partition.Global(i))
			}
			for _, refusal := range c.Refusals {
				x.Refused = append(x.Refused, Refused{r.Partition.Global(refusal.Op), escape.Text(refusal.Why)})
			}
			p.Before = append(p.Before, x)
		}
	}
	return p
}

// place gives every call and return its place.
func (p *Picture) place() {
	type event struct {
		time int64
		// within one time: 0 other calls, 1 processes with several operations at this time, 2 other
		// returns
		phase int8
		op    history.OpID
		call  bool
	}
	type moment struct {
		lane int32
		time int64
	}
	returns := map[moment]bool{}
	chained := map[moment]bool{} // a process that returns and calls again at one time
	for i := range p.Bars {
		if b := &p.Bars[i]; !b.Pending {
			returns[moment{b.Lane, b.ReturnTime}] = true
		}
	}
	last := make([]history.OpID, len(p.Lanes)) // the bar before this one in its lane, plus one
	for i := range p.Bars {
		b := &p.Bars[i]
		if before := last[b.Lane]; before != 0 && returns[moment{b.Lane, b.CallTime}] && p.Bars[before-1].ReturnTime == b.CallTime {
			chained[moment{b.Lane, b.CallTime}] = true
		}
		last[b.Lane] = history.OpID(i) + 1
	}
	events := make([]event, 0, 2*len(p.Bars))
	for i := range p.Bars {
		b := &p.Bars[i]
		phase := func(time int64, otherwise int8) int8 {
			if chained[moment{b.Lane, time}] {
				return 1
			}
			return otherwise
		}
		events = append(events, event{b.CallTime, phase(b.CallTime, 0), history.OpID(i), true})
		if !b.Pending {
			events = append(events, event{b.ReturnTime, phase(b.ReturnTime, 2), history.OpID(i), false})
		}
	}
	slices.SortStableFunc(events, func(a, b event) int {
		c := cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.phase, b.phase))
		if c == 0 && a.phase == 1 { // whole processes one after the other
			c = cmp.Compare(p.Bars[a.op].Lane, p.Bars[b.op].Lane)
		}
		return c
	})
	p.Times = make([]int64, len(events))
	for k, e := range events {
		p.Times[k] = e.time
		if e.call {
			p.Bars[e.op].From, p.Bars[e.op].To = int32(k), int32(len(events))
		} else {
			p.Bars[e.op].To = int32(k)
		}
	}
}

// facts lists what is shown of a run besides its verdict.
func facts(run *words.Run) []Fact {
	r, h := &run.Result, run.History
	operations := strconv.Itoa(len(h.Ops))
	if n := h.Pending(); n > 0 {
		operations += fmt.Sprintf(", %d pending", n)
	}
	if h.Failed > 0 {
		operations += fmt.Sprintf(", %d failed left out", h.Failed)
	}
	out := []Fact{{"specification", r.Spec.Info().Name + words.Guess(h)}, {"operations", operations}}
	if r.Partitions > 1 {
		text := strconv.Itoa(r.Partitions)
		if r.Partition != nil {
			text += fmt.Sprintf("; this is about %s, %s", words.PartitionTitle(r.Partition, r.Spec.Info()), words.Count(r.Partition.Len(), "operation"))
		}
		out = append(out, Fact{"partitions", text})
	}
	if r.Drains > 0 {
		out = append(out, Fact{"drained", words.Count(r.Drains, "left-over item")})
	}
	if len(r.Engines) > 0 {
		out = append(out, Fact{"decided by", strings.Join(r.Engines, ", ") + " in " + words.Duration(r.Took)})
	}
	switch {
	case r.Verdict == engine.Unknown:
		out = append(out, Fact{"stopped by", words.Cause(r)})
	case r.Certified:
		out = append(out, Fact{"certified", "yes"})
	default:
		out = append(out, Fact{"certified", "no: " + r.Uncertified})
	}
	return out
}

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
	"github.com/linsat/linsat/internal/result"
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
	Reason
	// Refuted has an operation of every partition that is not linearizable, if there are several.
	Refuted []history.OpID
	// Others are the reasons of further partitions that are not linearizable.
	Others []Reason

	ids    map[string]int32
	spec   string          // the name of the specification
	marked map[string]bool // accounts and elements that findings are about
}

// Reason is what is shown about one partition.
type Reason struct {
	Key       string // the key of the partition, "" if the history is not split by keys
	Title     string // the partition in words, as in Facts
	Highlight Highlight
	Orders    []Order
	// Before lists the configurations just before the return of the operation that cannot be
	// placed; Complete reports whether the list is complete.
	Before   []Possible
	Complete bool
	Finding  *Finding // nil if there is none

	undecided *model.Instance // nil if there is a linearization
}

// Partials returns partial linearizations of the partition, and for every operation in one of them
// the number of the longest that it is in.
func (r *Reason) Partials() ([]Partial, map[history.OpID]int32) {
	if r.undecided == nil {
		return nil, nil
	}
	orders, of := partials(r.undecided)
	longest := map[history.OpID]int32{}
	for i, k := range of {
		if k >= 0 {
			longest[r.undecided.Partition.Global(history.OpID(i))] = k
		}
	}
	return orders, longest
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
	Short                   string // what is drawn for it, "" for Text
	F, Key, Arg, Result     string // as in the input, "" if absent
	CallTime, ReturnTime    int64
	Line                    int32 // 0 if unknown
	callRank, returningRank history.Rank
}

// Shown is what is drawn for the operation.
func (b *Bar) Shown() string {
	if b.Short != "" {
		return b.Short
	}
	return b.Text
}

// Mark is a note of the history: it stands just before place At, and lasts until just before place
// Until if that is greater.
type Mark struct {
	At, Until              int32
	Time, End              int64
	Process, Text, Details string
	Color, Background      string // as CSS writes colors, or ""
}

// Label is the mark in one line.
func (m *Mark) Label() string {
	text := m.Text
	switch {
	case strings.HasPrefix(m.Process, ":"): // of a nemesis, followed by a function
		text = m.Process + " " + text
	case m.Process != "":
		text = m.Process + ": " + text
	}
	if m.End > m.Time {
		text += " …"
	}
	return text
}

// mark places a note.
func (p *Picture) mark(n *history.Note) Mark {
	place := func(time int64) int32 {
		at, _ := slices.BinarySearchFunc(p.Times, time, func(t, time int64) int {
			if t <= time { // after everything of its own time
				return -1
			}
			return 1
		})
		return int32(at)
	}
	end := max(n.End, n.Time)
	return Mark{At: place(n.Time), Until: place(end), Time: n.Time, End: end, Process: escape.Text(n.Process),
		Text: escape.Text(n.Text), Details: escape.Text(n.Details),
		Color: color(n.Color), Background: color(n.Background)}
}

// color returns text if it is written like a color of CSS: a name, # with hexadecimal digits, or
// numbers as in rgb(1, 2, 3); "" otherwise.
func color(text string) string {
	name, rest, function := strings.Cut(text, "(")
	inside, ends := strings.CutSuffix(rest, ")")
	letters := func(s, others string) bool {
		return !strings.ContainsFunc(s, func(r rune) bool {
			return (r|0x20 < 'a' || r|0x20 > 'z') && !strings.ContainsRune(others, r)
		})
	}
	switch {
	case len(text) > longestColor, text == "":
		return ""
	case text[0] == '#':
		if hex := text[1:]; slices.Contains([]int{3, 4, 6, 8}, len(hex)) &&
			strings.Trim(hex, "0123456789abcdefABCDEF") == "" {
			return text
		}
		return ""
	case function && ends && letters(name, "") && letters(inside, "0123456789.,%/ -"), !function && letters(text, ""):
		return text
	}
	return ""
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
	hl = recorded(hl)
	h, r := run.History, &run.Result
	p := &Picture{Source: escape.Text(run.File), Lanes: make([]string, len(h.Processes)), Reason: Reason{Highlight: hl},
		Answer: r.Verdict}
	for i, name := range h.Processes {
		p.Lanes[i] = escape.Text(name)
	}
	whole := model.Whole(h)
	inside := within(h, r.Partition)
	p.Bars = make([]Bar, len(h.Ops))
	for i := range h.Ops {
		o, origin := &h.Ops[i], &h.Origins[i]
		text := strings.TrimSuffix(words.Operation(whole, history.OpID(i)), " (never returned)")
		b := Bar{Lane: o.Process, Pending: o.Pending(), Outside: inside != nil && !inside[i],
			ID: escape.Text(h.ID(history.OpID(i))), Text: escape.Text(text),
			F: escape.Text(words.Value(h.Values, o.F)), CallTime: origin.CallTime, Line: origin.Line, callRank: o.Call,
			returningRank: o.Return}
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
	for i := range h.Notes {
		p.Notes = append(p.Notes, p.mark(&h.Notes[i]))
	}
	sort.SliceStable(p.Notes, func(i, j int) bool { return p.Notes[i].Time < p.Notes[j].Time })
	p.ids = idsOf(h)
	if r.Spec == nil {
		return p
	}
	p.Verdict = escape.Text(words.Verdict(r))
	p.spec, p.marked = r.Spec.Info().Name, map[string]bool{}
	p.Facts = facts(run)
	for k := range p.Facts {
		p.Facts[k].Text = escape.Text(p.Facts[k].Text)
	}
	p.Reason = p.reason(h, r, hl)
	for k := range r.Others {
		p.Others = append(p.Others, p.reason(h, &r.Others[k], CoreHighlight(&r.Others[k])))
	}
	for i := range h.Ops {
		p.Bars[i].Short = escape.Text(p.brief(h, &h.Ops[i]))
	}
	for i := range r.PartitionVerdicts {
		part := r.PartitionVerdicts[i].Partition
		if r.PartitionVerdicts[i].Verdict == engine.NotLinearizable && len(part.Ops) > part.Drains {
			p.Refuted = append(p.Refuted, part.Global(0))
		}
	}
	if len(p.Refuted) < 2 {
		p.Refuted = nil
	}
	return p
}

// recorded is hl without operations that are not in the history.
func recorded(hl Highlight) Highlight {
	hl.Operations = slices.DeleteFunc(slices.Clone(hl.Operations), func(i history.OpID) bool { return i < 0 })
	hl.Edges = slices.DeleteFunc(slices.Clone(hl.Edges), func(e [2]history.OpID) bool { return e[0] < 0 || e[1] < 0 })
	return hl
}

// reason collects what is shown about the partition of r.
func (p *Picture) reason(h *history.History, r *result.Result, hl Highlight) Reason {
	about := Reason{Highlight: recorded(hl), Orders: orders(h, r), Finding: p.find(r, &hl)}
	if part := r.Partition; part != nil && part.Index != nil && part.Len() > 0 {
		about.Key = p.Bars[part.Global(0)].Key
	}
	if r.Partition != nil {
		about.Title = escape.Text(aboutPartition(r))
	}
	if r.Plain() && r.Verdict != engine.Linearizable {
		about.undecided = r.Instance()
	}
	if f := r.Failure; f != nil && r.Partition != nil {
		about.Complete = f.Complete
		for _, c := range f.Frontier {
			x := Possible{State: escape.Text(c.State)}
			for _, i := range c.Linearized {
				x.After = append(x.After, r.Partition.Global(i))
			}
			for _, refusal := range c.Refusals {
				x.Refused = append(x.Refused, Refused{r.Partition.Global(refusal.Op), escape.Text(refusal.Why)})
			}
			about.Before = append(about.Before, x)
		}
	}
	return about
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
		if before := last[b.Lane]; before != 0 && returns[moment{b.Lane, b.CallTime}] &&
			p.Bars[before-1].ReturnTime == b.CallTime {
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
	compare := func(a, b event) int {
		c := cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.phase, b.phase))
		if c == 0 && a.phase == 1 { // whole processes one after the other
			c = cmp.Compare(p.Bars[a.op].Lane, p.Bars[b.op].Lane)
		}
		return c
	}
	sort.SliceStable(events, func(i, j int) bool { return compare(events[i], events[j]) < 0 })
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

// aboutPartition names the partition that a result is about.
func aboutPartition(r *result.Result) string {
	return words.PartitionTitle(r.Partition, r.Spec.Info()) + ", " + words.Count(r.Partition.Len(), "operation")
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
			text += "; this is about " + aboutPartition(r)
		}
		out = append(out, Fact{"partitions", text})
	}
	if r.Drains > 0 {
		out = append(out, Fact{"drained", words.Count(r.Drains, "left-over item")})
	}
	if len(r.Engines) > 0 {
		by := strings.Join(r.Engines, ", ")
		if r.Took > 0 {
			by += " in " + words.Duration(r.Took)
		}
		out = append(out, Fact{"decided by", by})
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

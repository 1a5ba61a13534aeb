package eventlog

// The order of events that state times: by :time, or by their place in the file.
//
// What: event a comes before event b if its time is smaller; at equal times the order of the file
// decides. The order of the file is kept where it orders the same operations (writers note times
// a little before they write). Where it does not, the times count, with a warning that says how
// many precedences differ and names the first; ReadOptions.Order chooses without a warning. Events
// count in the order of the file if one of a client states no time, and if by their times they are
// no history.
//
// How: events are filed as they are read. The first one that does not fit the order of the file is
// put aside with all later ones. At the end, and only if some time is smaller than an earlier one,
// the events are taken out of the records again, sorted, and filed anew.
//
// Invariant: times is parallel to the records. Checked against the definition in
// event_order_test.go.
//
// Cost: nothing but the times if these ascend; O(n log n) otherwise.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// What ReadOptions.Order says.
const (
	orderTime = "time"
	orderFile = "file"
)

// orderHint is what to do about a history whose order by time is not that of the file.
const orderHint = "the times count; --order file takes the order of the file instead, and --order time confirms the " +
	"times"

// EventTime is the time of an event, if it states one.
type EventTime struct {
	known    bool
	fraction bool // it was written as seconds with a fraction
	n        int64
}

// ParseTime reads an integer, or seconds with a fraction.
func ParseTime(text string) EventTime {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return EventTime{known: true, n: n}
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !strings.Contains(text, ".") || math.Abs(seconds)*1e9 >= math.MaxInt64 {
		return EventTime{}
	}
	return EventTime{known: true, fraction: true, n: int64(math.Floor(seconds * 1e9))}
}

// recordTimes are the times of a record's events, their numbers in the file (from 1; 0 for none),
// and what they state of a known order.
type recordTimes struct {
	call, end         int64
	callAt, endAt     int32
	callChain, endsIn history.Value
}

// timedEvent is an event of a client that is put aside.
type timedEvent struct {
	ClientEvent // without its texts
	name        history.Value
	what        int // index into eventKinds
	time        int64
	at          int32
}

var eventKinds = [...]string{":invoke", ":ok", ":fail", ":info"}

// Indices into eventKinds.
const (
	invokeEvent = iota
	okEvent
	failEvent
	infoEvent
)

// timing is what an eventLog knows of times.
type timing struct {
	times    []recordTimes
	off      bool  // only the order of the file counts
	seconds  bool  // times have fractions
	at       int32 // events of clients so far
	latest   int64
	disorder bool            // a time is smaller than an earlier one
	mixed    bool            // a time is smaller than an earlier one of the same process
	last     []int64         // process → its latest time
	notes    map[int64]int64 // count of events before a note → its time
	broken   error           // why the order of the file ended
	aside    []timedEvent    // the events from there on
}

// Timed files an event with its time.
func (l *EventLog) Timed(e *ClientEvent) error {
	if sole, err := l.soleEnd(e); sole || err != nil {
		return err
	}
	t := &l.timing
	if !t.off && l.b.Options.Order == orderFile {
		t.off = true
	}
	if !t.off && t.at > 0 && t.seconds != e.Time.fraction {
		e.Time.known = false
	}
	if t.off || !e.Time.known {
		t.off, t.times = true, nil
		if t.broken != nil {
			return t.broken
		}
		return l.add(e)
	}
	now := e.Time.n
	t.at++
	t.disorder = t.disorder || t.at > 1 && now < t.latest
	t.latest, t.seconds = max(t.latest, now), e.Time.fraction
	if t.at == 1 {
		t.latest = now
	}
	for len(t.last) <= int(e.Process) {
		t.last = append(t.last, math.MinInt64)
	}
	t.mixed = t.mixed || now < t.last[e.Process]
	t.last[e.Process] = max(t.last[e.Process], now)
	if t.broken == nil {
		open, _ := l.b.Open(e.Process)
		t.broken = l.add(e)
		switch {
		case t.broken != nil:
		case string(e.Kind) == ":invoke":
			t.times = append(t.times, recordTimes{call: now, callAt: t.at, callChain: e.Chain, endsIn: history.Nil})
		default:
			r := &t.times[open]
			r.end, r.endAt, r.endsIn = now, t.at, e.Chain
		}
		if t.broken == nil {
			return nil
		}
	}
	if err := l.b.Fits(0, int64(len(t.aside)+1)*asideBytes, e.Line); err != nil {
		return err
	}
	what := slices.Index(eventKinds[:], string(e.Kind))
	if what < 0 {
		return t.broken
	}
	t.aside = append(t.aside, timedEvent{ClientEvent: *e, name: l.b.Values.StringBytes(e.F), what: what,
		time: now, at: t.at})
	return nil
}

// noteTime remembers the time of a note.
func (l *EventLog) noteTime(at EventTime) {
	if at.known && !l.off {
		if l.notes == nil {
			l.timing.notes = map[int64]int64{}
		}
		l.timing.notes[l.b.Clock()] = at.n
	}
}

// inOrder puts the records into the order that counts.
func (l *EventLog) inOrder() error {
	t := &l.timing
	if t.off || !t.disorder {
		return t.broken
	}
	stated := l.b.Options.Order == orderTime
	if !t.mixed && t.broken == nil {
		if n, _, _ := changedPrecedences(l.spansOf()); n == 0 {
			return nil
		}
	}
	events, names := l.events(), l.b.Processes()
	wrong := l.replay(events, names)
	switch {
	case wrong != nil && t.broken != nil:
		return t.broken
	case wrong != nil && stated:
		return wrong
	case wrong != nil:
		l.b.Warn(0, "by their times the events are no history, so the order of the file counts: "+wrong.Error(),
			"--order file confirms the order of the file")
		sort.SliceStable(events, func(x, y int) bool { return events[x].at < events[y].at })
		return l.replay(events, names)
	}
	l.moveNotes(events)
	if stated {
		return nil
	}
	spans := l.spansOf()
	n, a, b := changedPrecedences(spans)
	switch {
	case t.broken != nil:
		l.b.Warn(0, "the events stand in another order than their times say, in which they are no history: "+
			t.broken.Error(), orderHint)
	case n > 0:
		x, y := &l.b.Records()[a], &l.b.Records()[b]
		count := "1 precedence differs"
		if n > 1 {
			count = fmt.Sprintf("%d precedences differ", n)
		}
		l.b.Warn(y.Line,
			fmt.Sprintf(
				"the times say another order than the file, %s: by their times %s (line %d) %s %s (line %d), by the "+
					"file it %s",
				count, l.called(x), x.Line, relation(spans[a], spans[b], true), l.called(y), y.Line,
				relation(spans[a], spans[b], false)), orderHint)
	}
	return nil
}

// called is the name of an operation, and what it was called with.
func (l *EventLog) called(r *history.Record) string {
	f, _ := l.b.Values.AsString(r.F)
	if r.Arg != history.Nil {
		f += " " + l.b.Values.Format(r.Arg)
	}
	return lex.Abbreviate(f)
}

// neverTime is the end of what never ends.
const neverTime int64 = math.MaxInt64

// eventSpan is where an operation lies in the order of the times and in that of the file.
type eventSpan struct {
	call, end [2]int64 // by time, and in the file; neverTime if it never ends
	without   bool     // it did not take effect: its precedences do not count
}

// relation says how x lies to y, by the times or in the file.
func relation(x, y eventSpan, byTime bool) string {
	k := 1
	if byTime {
		k = 0
	}
	switch {
	case x.end[k] < y.call[k]:
		return "precedes"
	case y.end[k] < x.call[k]:
		return "follows"
	}
	return "overlaps"
}

// spansOf returns the spans of the records.
func (l *EventLog) spansOf() []eventSpan {
	spans := make([]eventSpan, len(l.b.Records()))
	type place struct {
		time int64
		at   int32
	}
	places := make([]place, 0, 2*len(spans))
	for i := range spans {
		r := &l.times[i]
		places = append(places, place{r.call, r.callAt})
		if completed(&l.b.Records()[i]) {
			places = append(places, place{r.end, r.endAt})
		}
	}
	sort.Slice(places, func(x, y int) bool {
		return cmp.Or(cmp.Compare(places[x].time, places[y].time), cmp.Compare(places[x].at, places[y].at)) < 0
	})
	where := make([]int64, l.at+1)
	for k, p := range places {
		where[p.at] = int64(k)
	}
	for i := range spans {
		r, s := &l.times[i], &spans[i]
		s.call, s.end = [2]int64{where[r.callAt], int64(r.callAt)}, [2]int64{neverTime, neverTime}
		switch x := &l.b.Records()[i]; {
		case completed(x):
			s.end = [2]int64{where[r.endAt], int64(r.endAt)}
		case x.Failed:
			s.without = true
		}
	}
	return spans
}

// changedPrecedences counts the pairs of which one precedes the other in one of the two orders
// only, and returns the first: the one that is called first in the list, with the first of its
// pairs.
func changedPrecedences(spans []eventSpan) (n int64, a, b int) {
	var took []int // operations that take effect
	for i := range spans {
		if !spans[i].without {
			took = append(took, i)
		}
	}
	by := func(k int, of func(*eventSpan) *[2]int64) []int {
		sorted := slices.Clone(took)
		sort.Slice(sorted, func(x, y int) bool { return of(&spans[sorted[x]])[k] < of(&spans[sorted[y]])[k] })
		return sorted
	}
	calls := func(s *eventSpan) *[2]int64 { return &s.call }
	ends := func(s *eventSpan) *[2]int64 { return &s.end }
	byEnd := by(0, ends) // by time
	rank := make([]int, len(spans))
	for k, i := range byEnd {
		rank[i] = k
	}
	a, b = -1, -1
	// A Fenwick tree over the ends by time holds the operations that ended in the file before a
	// call: those of them that ended before it by time, too, are pairs of both orders.
	tree := make([]int64, len(byEnd)+1)
	inFile, next := by(1, ends), 0
	for _, y := range by(1, calls) {
		for ; next < len(inFile) && spans[inFile[next]].end[1] < spans[y].call[1]; next++ {
			x := inFile[next]
			for k := rank[x] + 1; k < len(tree); k += k & -k {
				tree[k]++
			}
		}
		ended := sort.Search(len(byEnd), func(k int) bool { return spans[byEnd[k]].end[0] >= spans[y].call[0] })
		both := int64(0)
		for k := ended; k > 0; k -= k & -k {
			both += tree[k]
		}
		fileOnly, timeOnly := int64(next)-both, int64(ended)-both
		if spans[y].end[1] < spans[y].call[1] { // itself
			fileOnly--
		}
		if fileOnly+timeOnly > 0 && (b < 0 || y < b) {
			b = y
		}
		n += fileOnly + timeOnly
	}
	for x := range spans {
		if b >= 0 && x != b && !spans[x].without &&
			(spans[x].end[0] < spans[b].call[0]) != (spans[x].end[1] < spans[b].call[1]) {
			return n, x, b
		}
	}
	return n, a, b
}

// events takes the events out of the records again and returns them all, in the order of their
// times.
func (l *EventLog) events() []timedEvent {
	all := make([]timedEvent, 0, 2*len(l.b.Records())+len(l.aside))
	for i := range l.b.Records() {
		r, at := &l.b.Records()[i], &l.times[i]
		process := l.b.Process(l.b.Name(r.Process))
		one := ClientEvent{Process: process, Key: r.Key, Value: r.Arg, Stated: true, Chain: at.callChain, Line: r.Line}
		all = append(all, timedEvent{ClientEvent: one, name: r.F, what: invokeEvent, time: at.call, at: at.callAt})
		if at.endAt == 0 {
			continue
		}
		one.Key, one.Value, one.Stated, one.Chain = history.NoKey, history.Nil, !r.NoResult, at.endsIn
		what := infoEvent
		switch {
		case completed(r):
			what, one.Value = okEvent, r.Result
		case r.Failed:
			what = failEvent
		}
		all = append(all, timedEvent{ClientEvent: one, name: r.F, what: what, time: at.end, at: at.endAt})
	}
	all = append(all, l.aside...)
	sort.Slice(all, func(x, y int) bool {
		return cmp.Or(cmp.Compare(all[x].time, all[y].time), cmp.Compare(all[x].at, all[y].at)) < 0
	})
	return all
}

// replay files the events anew, in their order, with processes of these names. Operations keep the
// order of the file.
func (l *EventLog) replay(events []timedEvent, names []string) error {
	b, t := l.b, &l.timing
	b.Restart()
	t.times = t.times[:0]
	for i := range events {
		e := events[i].ClientEvent
		e.Process = b.Process(names[e.Process])
		f, _ := b.Values.AsString(events[i].name)
		e.Kind, e.F = []byte(eventKinds[events[i].what]), []byte(f)
		open, _ := b.Open(e.Process)
		if err := l.add(&e); err != nil {
			return err
		}
		if events[i].what == invokeEvent {
			t.times = append(t.times, recordTimes{call: events[i].time, callAt: events[i].at,
				callChain: e.Chain, endsIn: history.Nil})
			continue
		}
		r := &t.times[open]
		r.end, r.endAt, r.endsIn = events[i].time, events[i].at, e.Chain
	}
	order := make([]int, len(b.Records()))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(x, y int) bool { return t.times[order[x]].callAt < t.times[order[y]].callAt })
	b.Reorder(order)
	times := make([]recordTimes, len(order))
	for k, i := range order {
		times[k] = t.times[i]
	}
	t.times = times
	return nil
}

// moveNotes puts the notes where they belong in the order of the times.
func (l *EventLog) moveNotes(events []timedEvent) {
	if len(l.timing.notes) == 0 {
		return
	}
	var counted []int64 // times of the events that the clock counts
	for i := range events {
		if events[i].what != infoEvent {
			counted = append(counted, events[i].time)
		}
	}
	for k := range l.b.Notes() {
		n := &l.b.Notes()[k]
		for _, at := range []*int64{&n.Time, &n.End} {
			if time, ok := l.timing.notes[*at]; ok {
				*at = int64(sort.Search(len(counted), func(i int) bool { return counted[i] > time }))
			}
		}
	}
}

package history

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
)

// What ReadOptions.Order says.
const (
	orderTime = "time"
	orderFile = "file"
)

// orderHint is what to do about a history whose order by time is not that of the file.
const orderHint = "the times count; --order file takes the order of the file instead, and --order time confirms the " +
	"times"

// eventTime is the time of an event, if it states one.
type eventTime struct {
	known    bool
	fraction bool // it was written as seconds with a fraction
	n        int64
}

// parseTime reads an integer, or seconds with a fraction.
func parseTime(text string) eventTime {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return eventTime{known: true, n: n}
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !strings.Contains(text, ".") || math.Abs(seconds)*1e9 >= math.MaxInt64 {
		return eventTime{}
	}
	return eventTime{known: true, fraction: true, n: int64(math.Floor(seconds * 1e9))}
}

// recordTimes are the times of a record's events, their numbers in the file (from 1; 0 for none),
// and what they state of a known order.
type recordTimes struct {
	call, end         int64
	callAt, endAt     int32
	callChain, endsIn Value
}

// timedEvent is an event of a client that is put aside.
type timedEvent struct {
	clientEvent // without its texts
	name        Value
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

// timed files an event with its time.
func (l *eventLog) timed(e *clientEvent) error {
	t := &l.timing
	if !t.off && l.b.options.Order == orderFile {
		t.off = true
	}
	if !t.off && t.at > 0 && t.seconds != e.time.fraction {
		e.time.known = false
	}
	if t.off || !e.time.known {
		t.off, t.times = true, nil
		if t.broken != nil {
			return t.broken
		}
		return l.add(e)
	}
	now := e.time.n
	t.at++
	t.disorder = t.disorder || t.at > 1 && now < t.latest
	t.latest, t.seconds = max(t.latest, now), e.time.fraction
	if t.at == 1 {
		t.latest = now
	}
	for len(t.last) <= int(e.process) {
		t.last = append(t.last, math.MinInt64)
	}
	t.mixed = t.mixed || now < t.last[e.process]
	t.last[e.process] = max(t.last[e.process], now)
	if t.broken == nil {
		open := l.b.open[e.process]
		t.broken = l.add(e)
		switch {
		case t.broken != nil:
		case string(e.kind) == ":invoke":
			t.times = append(t.times, recordTimes{call: now, callAt: t.at, callChain: e.chain, endsIn: Nil})
		default:
			r := &t.times[open-1]
			r.end, r.endAt, r.endsIn = now, t.at, e.chain
		}
		if t.broken == nil {
			return nil
		}
	}
	if l.b.limit > 0 && l.b.memory(len(l.b.records))+int64(len(t.aside)+1)*asideBytes > l.b.limit {
		return tooLarge(e.line, l.b.limit)
	}
	what := slices.Index(eventKinds[:], string(e.kind))
	if what < 0 {
		return t.broken
	}
	t.aside = append(t.aside, timedEvent{clientEvent: *e, name: l.b.Values.StringBytes(e.f), what: what,
		time: now, at: t.at})
	return nil
}

// noteTime remembers the time of a note.
func (l *eventLog) noteTime(at eventTime) {
	if at.known && !l.off {
		if l.notes == nil {
			l.timing.notes = map[int64]int64{}
		}
		l.timing.notes[l.b.clock] = at.n
	}
}

// inOrder puts the records into the order that counts.
func (l *eventLog) inOrder() error {
	t := &l.timing
	if t.off || !t.disorder {
		return t.broken
	}
	stated := l.b.options.Order == orderTime
	if !t.mixed && t.broken == nil {
		if n, _, _ := changedPrecedences(l.spansOf()); n == 0 {
			return nil
		}
	}
	events, names := l.events(), slices.Clone(l.b.processes)
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
		x, y := &l.b.records[a], &l.b.records[b]
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
func (l *eventLog) called(r *Record) string {
	f, _ := l.b.Values.AsString(r.F)
	if r.Arg != Nil {
		f += " " + l.b.Values.Format(r.Arg)
	}
	return abbreviate(f)
}

// eventSpan is where an operation lies in the order of the times and in that of the file.
type eventSpan struct {
	call, end [2]int64 // by time, and in the file; noTime if it never ends
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
func (l *eventLog) spansOf() []eventSpan {
	spans := make([]eventSpan, len(l.b.records))
	type place struct {
		time int64
		at   int32
	}
	places := make([]place, 0, 2*len(spans))
	for i := range spans {
		r := &l.times[i]
		places = append(places, place{r.call, r.callAt})
		if l.b.records[i].returned() {
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
		s.call, s.end = [2]int64{where[r.callAt], int64(r.callAt)}, [2]int64{noTime, noTime}
		switch x := &l.b.records[i]; {
		case x.returned():
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
func (l *eventLog) events() []timedEvent {
	all := make([]timedEvent, 0, 2*len(l.b.records)+len(l.aside))
	for i := range l.b.records {
		r, at := &l.b.records[i], &l.times[i]
		process := l.b.index[l.b.processes[r.Process]]
		one := clientEvent{process: process, key: r.Key, value: r.Arg, stated: true, chain: at.callChain, line: r.Line}
		all = append(all, timedEvent{clientEvent: one, name: r.F, what: invokeEvent, time: at.call, at: at.callAt})
		if at.endAt == 0 {
			continue
		}
		one.key, one.value, one.stated, one.chain = NoKey, Nil, !r.NoResult, at.endsIn
		what := infoEvent
		switch {
		case r.returned():
			what, one.value = okEvent, r.Result
		case r.Failed:
			what = failEvent
		}
		all = append(all, timedEvent{clientEvent: one, name: r.F, what: what, time: at.end, at: at.endAt})
	}
	all = append(all, l.aside...)
	sort.Slice(all, func(x, y int) bool {
		return cmp.Or(cmp.Compare(all[x].time, all[y].time), cmp.Compare(all[x].at, all[y].at)) < 0
	})
	return all
}

// replay files the events anew, in their order, with processes of these names. Operations keep the
// order of the file.
func (l *eventLog) replay(events []timedEvent, names []string) error {
	b, t := l.b, &l.timing
	b.records, b.processes, b.open, b.abandoned = nil, nil, nil, nil
	clear(b.index)
	clear(b.numbers)
	b.clock = 0
	t.times = t.times[:0]
	for i := range events {
		e := events[i].clientEvent
		e.process = b.Process(names[e.process])
		f, _ := b.Values.AsString(events[i].name)
		e.kind, e.f = []byte(eventKinds[events[i].what]), []byte(f)
		open := b.open[e.process]
		if err := l.add(&e); err != nil {
			return err
		}
		if events[i].what == invokeEvent {
			t.times = append(t.times, recordTimes{call: events[i].time, callAt: events[i].at,
				callChain: e.chain, endsIn: Nil})
			continue
		}
		r := &t.times[open-1]
		r.end, r.endAt, r.endsIn = events[i].time, events[i].at, e.chain
	}
	order := make([]int, len(b.records))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(x, y int) bool { return t.times[order[x]].callAt < t.times[order[y]].callAt })
	records, times := make([]Record, len(order)), make([]recordTimes, len(order))
	for k, i := range order {
		records[k], times[k] = b.records[i], t.times[i]
	}
	b.records, t.times = records, times
	clear(b.open)
	clear(b.abandoned)
	return nil
}

// moveNotes puts the notes where they belong in the order of the times.
func (l *eventLog) moveNotes(events []timedEvent) {
	if len(l.timing.notes) == 0 {
		return
	}
	var counted []int64 // times of the events that the clock counts
	for i := range events {
		if events[i].what != infoEvent {
			counted = append(counted, events[i].time)
		}
	}
	for k := range l.b.notes {
		n := &l.b.notes[k]
		for _, at := range []*int64{&n.Time, &n.End} {
			if time, ok := l.timing.notes[*at]; ok {
				*at = int64(sort.Search(len(counted), func(i int) bool { return counted[i] > time }))
			}
		}
	}
}

package eventlog

import (
	"fmt"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
	"github.com/linsat/linsat/internal/inorder"
)

// Logs that clients read piece by piece: the workload of Jepsen's jepsen.tests.kafka and of
// Maelstrom, and watches of a key, as in Jepsen's tests of etcd.
//
//	{:f :send, :value [[:send "k" 7]]}  :ok [[:send "k" [4 7]]]          7 is at offset 4
//	{:f :poll, :value [[:poll]]}        :ok [[:poll {"k" [[4 7] [6 8]]}]]
//	{:f :assign, :value ["k"]}          from where the client polls is not known, or, with
//	                                    :seek-to-beginning? true, the beginning
//	{:f :write, :value 7}               :ok 7
//	{:f :watch, :value nil}             :ok {:revision 3, :log [7 8]}
//
// Each key is a log. What it certainly holds at an offset is at one place: offsets of acknowledged
// sends, and those that polls report, are counted, as logs of transactions have gaps. A send is an
// append that returns its place. A poll, or the values of a watch, is a read that is limited to
// what it found, from the place behind the last one that the process found before: nothing says
// that polls are up to date, but they skip nothing. So a lost write, an offset that is used twice,
// an order of offsets that contradicts the times, and a poll that goes back are violations. That
// place is not known after an assignment, nor after a poll of unknown outcome; where consumers
// subscribe it never is, as they may be given other keys at any time.
//
// The parts of a transaction are operations of their own, at the same time. A completed send of
// unknown offset that no poll reports says nothing.

// ofKafka are the functions of that workload, and those of a watch ofWatches.
var (
	ofKafka   = []string{"send", "poll", "txn", "assign", "subscribe", "crash", "debug-topic-partitions"}
	ofWatches = []string{"write", "watch", "final-watch"}
)

// Rewinding is the key of an assignment that begins at the beginning.
const Rewinding = "seek-to-beginning?"

// piecewise rewrites histories of logs that clients read piece by piece, and reports whether this
// is one.
func (l *EventLog) piecewise() (bool, error) {
	switch {
	case l.only(ofKafka) && slices.ContainsFunc(l.b.Records(), l.sendsOrPolls):
		return true, l.readStreams()
	case l.only(ofWatches) && (l.Names["watch"] || l.Names["final-watch"]):
		return true, l.readWatches()
	}
	return false, nil
}

// only reports whether all functions are among some.
func (l *EventLog) only(names []string) bool {
	for name := range l.Names {
		if !slices.Contains(names, name) {
			return false
		}
	}
	return true
}

// steps lists the micro-operations of a value: nil if it has others than sends and polls.
func (l *EventLog) steps(v history.Value) [][]history.Value {
	t := l.b.Values
	list, _ := t.AsList(v)
	if len(list) == 0 {
		return nil
	}
	steps := make([][]history.Value, len(list))
	for i, e := range list {
		step, _ := t.AsList(e)
		if len(step) == 0 {
			return nil
		}
		if f, _ := t.AsString(step[0]); f != "poll" && (f != "send" || len(step) != 3) {
			return nil
		}
		steps[i] = step
	}
	return steps
}

func (l *EventLog) sendsOrPolls(r history.Record) bool { return l.steps(r.Arg) != nil }

// streams is a history of sends and polls.
type streams struct {
	*EventLog
	offsets map[history.Value][]int64       // by key: those that are certainly used
	polled  map[[2]history.Value]bool       // by key and value
	next    map[int32]map[history.Value]int // by process and key: the place where a poll goes on
	twins   map[int32][]int32               // by process: for the parts of its operations
	ranks   map[history.Value]map[int64]int // by key and offset
	strays  bool                            // some consumer subscribes
}

// entry is a value at an offset.
type entry struct {
	offset int64
	value  history.Value
}

func (l *EventLog) readStreams() error {
	s := &streams{EventLog: l, offsets: map[history.Value][]int64{}, polled: map[[2]history.Value]bool{},
		next: map[int32]map[history.Value]int{}, twins: map[int32][]int32{}, ranks: map[history.Value]map[int64]int{},
		strays: l.Names["subscribe"]}
	for i := range l.b.Records() {
		if err := s.note(&l.b.Records()[i]); err != nil {
			return err
		}
	}
	for k, all := range s.offsets {
		all = inorder.Distinct(all)
		s.ranks[k] = map[int64]int{}
		for rank, o := range all {
			s.ranks[k][o] = rank
		}
		if last := len(all) - 1; all[0] != 0 || all[last] != int64(last) {
			l.b.Warn(0, "offsets have gaps, or do not begin with 0: they are counted from 0 without them",
				"offsets of transactions are such gaps")
		}
	}
	for _, i := range l.byCall() {
		if err := s.rewrite(i); err != nil {
			return err
		}
	}
	l.b.SetSpec("log")
	return nil
}

// byCall lists the records in the order of their calls.
func (l *EventLog) byCall() []int {
	all := l.b.Records()
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(x, y int) bool { return all[order[x]].Call < all[order[y]].Call })
	return order
}

// results lists what the micro-operations of a completed operation returned.
func (s *streams) results(r *history.Record) ([][]history.Value, error) {
	steps := s.steps(r.Result)
	if called := s.steps(r.Arg); len(steps) != len(called) {
		return nil, &history.Error{Line: r.Line, What: fmt.Sprintf("it returns %s, which are not its sends and polls",
			lex.Abbreviate(s.b.Values.Format(r.Result))),
			Hint: `a send returns [:send "k" [offset value]], a poll [:poll {"k" [[offset value]]}]`}
	}
	return steps, nil
}

// key is a key as a string: keys of maps are.
func (s *streams) key(v history.Value) history.Value {
	if _, is := s.b.Values.AsString(v); is {
		return v
	}
	return s.b.Values.String(s.b.Values.Format(v))
}

// sent returns the offset of a send that returned, if it says one.
func (s *streams) sent(step []history.Value) (offset int64, known bool) {
	if pair, ok := s.b.Values.AsList(step[2]); ok && len(pair) == 2 {
		return s.b.Values.AsInt(pair[0])
	}
	return 0, false
}

// found calls do for every key of a poll.
func (s *streams) found(step []history.Value, line int, do func(key history.Value, found []entry)) error {
	if len(step) < 2 || step[1] == history.Nil {
		return nil
	}
	t := s.b.Values
	pairs, isMap := t.AsMap(step[1])
	for k := 0; k+1 < len(pairs); k += 2 {
		list, isList := t.AsList(pairs[k+1])
		isMap = isMap && isList
		entries := make([]entry, len(list))
		for i, e := range list {
			pair, _ := t.AsList(e)
			isMap = isMap && len(pair) == 2
			if isMap {
				entries[i].offset, isMap = t.AsInt(pair[0])
				entries[i].value = pair[1]
			}
		}
		if isMap && len(entries) > 0 {
			do(s.key(pairs[k]), entries)
		}
	}
	if !isMap {
		return &history.Error{Line: line, What: fmt.Sprintf("a poll returns %s, not what it found by key",
			lex.Abbreviate(t.Format(step[1]))),
			Hint: `a poll returns [:poll {"k" [[offset value]]}]`}
	}
	return nil
}

// note notes the offsets of an operation that returned.
func (s *streams) note(r *history.Record) error {
	if !completed(r) || s.steps(r.Arg) == nil {
		return nil
	}
	steps, err := s.results(r)
	if err != nil {
		return err
	}
	for _, step := range steps {
		if f, _ := s.b.Values.AsString(step[0]); f == "send" {
			if offset, known := s.sent(step); known {
				k := s.key(step[1])
				s.offsets[k] = append(s.offsets[k], offset)
			}
			continue
		}
		err = s.found(step, r.Line, func(key history.Value, found []entry) {
			for _, e := range found {
				s.offsets[key] = append(s.offsets[key], e.offset)
				s.polled[[2]history.Value{key, e.value}] = true
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rewrite makes appends and reads of an operation.
func (s *streams) rewrite(i int) error {
	t := s.b.Values
	r := &s.b.Records()[i]
	name, _ := t.AsString(r.F)
	called := s.steps(r.Arg)
	var parts []history.Record
	part := func(f string, key history.Value) *history.Record {
		one := *r
		one.F, one.Key, one.Arg, one.Result, one.NoResult = t.String(f), key, history.Nil, history.Nil, true
		parts = append(parts, one)
		return &parts[len(parts)-1]
	}
	switch {
	case called == nil:
		s.assigned(r, name)
	case completed(r):
		steps, err := s.results(r)
		if err != nil {
			return err
		}
		for k, step := range steps {
			if f, _ := t.AsString(step[0]); f == "send" {
				one := part(f, s.key(step[1]))
				one.Arg = called[k][2]
				if offset, known := s.sent(step); known {
					one.Result, one.NoResult = t.Int(int64(s.ranks[one.Key][offset])), false
				} else if !s.polled[[2]history.Value{one.Key, one.Arg}] {
					one.Unchecked = true
				}
				continue
			}
			err = s.found(step, r.Line, func(key history.Value,
				found []entry) {
				s.poll(r.Process, part("poll", key), found)
			})
			if err != nil {
				return err
			}
		}
	default:
		delete(s.next, r.Process)
		for _, step := range called {
			if f, _ := t.AsString(step[0]); f == "send" {
				part(f, s.key(step[1])).Arg = step[2]
			}
		}
	}
	if len(parts) == 0 {
		s.b.Records()[i].Pending, s.b.Records()[i].Failed = false, true
		s.b.Records()[i].Silent = true
	}
	for k := range parts {
		if k == 0 {
			s.b.Records()[i] = parts[0]
			continue
		}
		parts[k].Process = s.beside(r.Process, k, parts[k].Pending)
		if _, err := s.b.Add(parts[k]); err != nil {
			return err
		}
	}
	return nil
}

// beside returns a process for part k of an operation, at the same time as the others. The parts of
// the next operation follow, unless this one never returns.
func (s *streams) beside(process int32, k int, pending bool) int32 {
	if pending {
		return s.b.Twin(process)
	}
	for len(s.twins[process]) < k {
		s.twins[process] = append(s.twins[process], s.b.Twin(process))
	}
	return s.twins[process][k-1]
}

// poll makes a limited read of what a poll found.
func (s *streams) poll(process int32, one *history.Record, found []entry) {
	t, ranks := s.b.Values, s.ranks[one.Key]
	from := ranks[found[0].offset]
	if at, known := s.next[process][one.Key]; known {
		from = at
	}
	values := make([]history.Value, len(found))
	for k, e := range found {
		values[k] = e.value
	}
	one.Arg = t.List([]history.Value{t.Int(int64(from)), t.Int(int64(len(found)))})
	one.Result, one.NoResult = t.List(values), false
	if s.strays {
		return
	}
	if s.next[process] == nil {
		s.next[process] = map[history.Value]int{}
	}
	s.next[process][one.Key] = ranks[found[len(found)-1].offset] + 1
}

// assigned forgets where a process polls.
func (s *streams) assigned(r *history.Record, name string) {
	delete(s.next, r.Process)
	if pairs, ok := s.b.Values.AsMap(r.Arg); ok && name == "assign" && completed(r) && !s.strays {
		s.next[r.Process] = map[history.Value]int{}
		keys, _ := s.b.Values.AsList(pairs[1])
		for _, k := range keys {
			s.next[r.Process][s.key(k)] = 0
		}
	}
}

// readWatches reads watches of one key, to which each write appends. A process begins with the
// first write, and goes on where it stopped.
func (l *EventLog) readWatches() error {
	t := l.b.Values
	write, add, read := t.String("write"), t.String("append"), t.String("read")
	next := map[int32]int64{}
	for _, i := range l.byCall() {
		r := &l.b.Records()[i]
		if r.F == write {
			r.F, r.Result, r.NoResult = add, history.Nil, true
			continue
		}
		if r.F = read; !completed(r) {
			r.Arg = history.Nil
			continue
		}
		log, stated := r.Result, false
		pairs, isMap := t.AsMap(r.Result)
		for k := 0; k+1 < len(pairs); k += 2 {
			if name, _ := t.AsString(pairs[k]); name == "log" {
				log, stated = pairs[k+1], true
			}
		}
		values, isList := t.AsList(log)
		if !isList || isMap && !stated {
			return &history.Error{Line: r.Line,
				What: fmt.Sprintf("a watch returns %s, which has no list of the values that it saw",
					lex.Abbreviate(t.Format(r.Result))),
				Hint: "a watch returns {:log [value value]}, or the list alone"}
		}
		r.Arg = t.List([]history.Value{t.Int(next[r.Process]), t.Int(int64(len(values)))})
		r.Result = log
		next[r.Process] += int64(len(values))
	}
	l.b.SetSpec("log")
	return nil
}

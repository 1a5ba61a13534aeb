package eventlog

import (
	"strings"

	"github.com/linsat/linsat/history"
)

// Faults of Jepsen's nemesis as spans.
//
// A nemesis reports that a fault begins and that it ends: with functions start and stop,
// start-partition and stop-partition, kill and start, pause and resume. Every report stays a note
// of its own; the first one of a fault gets the time of the last one as its end. As Jepsen records
// the invocation and the completion of a nemesis' operation, a report may come twice. A fault whose
// end is not reported stays a moment.

// faults pairs reports as they are read. Its maps are by process and function.
type faults struct {
	open   map[string]int // note at which a fault began
	closed map[string]int // fault that the last report of the process ended
}

// endings are the functions that end a fault, by the one that began it. Each may be followed by the
// name of the fault, as in start-partition.
var endings = [...]struct{ begin, end string }{{"kill", "start"}, {"pause", "resume"}, {"start", "stop"}}

// event files the report that becomes the next note of b.
func (l *faults) event(b *history.Reading, process, f string) {
	f = strings.TrimPrefix(f, ":")
	verb, name, _ := strings.Cut(f, "-")
	if k, again := l.closed[process+" "+f]; again {
		b.Notes()[k].End = b.Clock()
		return
	}
	for of := range l.closed {
		if strings.HasPrefix(of, process+" ") {
			delete(l.closed, of)
		}
	}
	for _, e := range endings {
		if began := process + " " + reportOf(e.begin, name); verb == e.end {
			if k, ok := l.open[began]; ok {
				b.Notes()[k].End = b.Clock()
				delete(l.open, began)
				l.closed[process+" "+f] = k
				return
			}
		}
	}
	for _, e := range endings {
		if _, open := l.open[process+" "+f]; verb == e.begin && !open {
			l.open[process+" "+f] = len(b.Notes())
		}
	}
}

// reportOf is the function that says verb about the fault of that name.
func reportOf(verb, name string) string {
	if name == "" {
		return verb
	}
	return verb + "-" + name
}

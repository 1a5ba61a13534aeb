// Package crash asks what survives when everything crashes at once: a power failure, or the kill of
// the only server. Its questions become questions of linearizability, about another history or
// another specification, so engines, certificates and explanations are those of linearizability.
//
// Durable: what returned before a crash survives it, and an operation that is open at a crash takes
// effect before it or never. That is strict linearizability [Aguilera, Frølund, Strict
// linearizability and the power of aborting, HP Labs 2003]. Durable linearizability [Izraelevitz,
// Mendes, Scott, DISC 2016] lets an open operation take effect after the crash, too; that is the
// plain question, which knows no crashes.
//
// Buffered: a crash may also lose the last of what took effect since the crash before, a suffix of
// the order. One order counts for all: what somebody saw before the crash in some order is lost in
// the reverse of that order. The definition of DISC 2016 lets a lost operation precede a kept one,
// if no time orders the two.
package crash

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/history"
)

// Name is that of the events that are crashes, unless another one is given.
const Name = "crash"

// Crash is when everything crashed: events at times below Before came before it, and those at times
// above After came after it.
type Crash struct{ Before, After int64 }

// Find returns the crashes of a history, the events of that name, ascending. An event that lasts
// crashes at its end. Where times number the calls and returns, an event stands before the one with
// its number. The error says that there are none, and which other names there are.
func Find(h *history.History, name string) ([]Crash, error) {
	var crashes []Crash
	var others []string
	before := int64(0)
	if numbered(h) {
		before = 1
	}
	for i := range h.Notes {
		n := &h.Notes[i]
		text := strings.TrimPrefix(n.Text, ":")
		if word, _, _ := strings.Cut(text, " "); text == name || word == name {
			at := max(n.Time, n.End)
			crashes = append(crashes, Crash{Before: at, After: at - before})
		} else if !slices.Contains(others, word) {
			others = append(others, word)
		}
	}
	if crashes == nil {
		e := &history.Error{File: h.Source, What: fmt.Sprintf("it has no event %q", name),
			Hint: fmt.Sprintf(`{"events": [{"time": 17, "text": %q}]} says when everything crashed (docs/formats.md)`,
				name)}
		if len(others) > 0 && len(others) <= mostNamed {
			e.Hint = fmt.Sprintf("its events are %s; durable:%s takes these for crashes", strings.Join(others, ", "),
				others[0])
		}
		return nil, e
	}
	compare := func(a, b Crash) int { return cmp.Compare(a.Before, b.Before) }
	sort.Slice(crashes, func(i, j int) bool { return compare(crashes[i], crashes[j]) < 0 })
	return slices.Compact(crashes), nil
}

// numbered reports whether the times of calls and returns are numbers from 0 on, each once.
func numbered(h *history.History) bool {
	met := make([]bool, 2*len(h.Ops))
	last, n := int64(-1), int64(0)
	once := func(at int64) bool {
		if at < 0 || at >= int64(len(met)) || met[at] {
			return false
		}
		met[at], last = true, max(last, at)
		n++
		return true
	}
	for i := range h.Ops {
		if !once(h.Origins[i].CallTime) || !h.Ops[i].Pending() && !once(h.Origins[i].ReturnTime) {
			return false
		}
	}
	return n == last+1
}

// Durable returns h with deadlines for what was open at a crash.
func Durable(h *history.History, crashes []Crash) *history.History {
	return h.Expired(func(i history.OpID) (int64, bool) {
		for _, c := range crashes {
			if h.Origins[i].CallTime < c.Before {
				return c.After, true
			}
		}
		return 0, false
	})
}

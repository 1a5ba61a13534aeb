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
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
)

// Name is that of the events that are crashes, unless another one is given.
const Name = "crash"

// Times returns when a history has events of that name, ascending. An event that lasts crashes at
// its end. The error says that there are none, and which other names there are.
func Times(h *history.History, name string) ([]int64, error) {
	var times []int64
	var others []string
	for i := range h.Notes {
		n := &h.Notes[i]
		switch text := strings.TrimPrefix(n.Text, ":"); {
		case text == name:
			times = append(times, max(n.Time, n.End))
		case !slices.Contains(others, text):
			others = append(others, text)
		}
	}
	if times == nil {
		e := &history.Error{File: h.Source, What: fmt.Sprintf("it has no event %q", name),
			Hint: `{"events": [{"time": 17, "text": "crash"}]} says when everything crashed (docs/formats.md)`}
		if len(others) > 0 && len(others) <= mostNamed {
			e.Hint = fmt.Sprintf("its events are %s; durable:%s takes these for crashes", strings.Join(others, ", "),
				others[0])
		}
		return nil, e
	}
	slices.Sort(times)
	return slices.Compact(times), nil
}

// Durable returns h with deadlines for what was open at a crash. What is called at the time of a
// crash may be called after it.
func Durable(h *history.History, crashes []int64) *history.History {
	return h.Expired(func(i history.OpID) (int64, bool) {
		k, _ := slices.BinarySearch(crashes, h.Origins[i].CallTime+1)
		if k == len(crashes) {
			return 0, false
		}
		return crashes[k], true
	})
}

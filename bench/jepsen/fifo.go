package main

import (
	"fmt"
	"slices"
	"strings"
)

// fifo is a queue that is drained at the end. Faults: an element comes twice, or before others. One
// that is lost may have gone to a removal of unknown outcome.
type fifo struct {
	s     *simulation
	items []string
	next  int
	fault string
	twice string // an element that is taken out twice
}

func (o *fifo) call(int) (f, value string) {
	if o.s.r.IntN(8) < 3 {
		return "dequeue", "nil"
	}
	o.next++
	return "enqueue", fmt.Sprint(o.next - 1)
}

func (o *fifo) apply(_ int, f, value string) (string, bool) {
	if f == "enqueue" {
		o.items = append(o.items, value)
		return value, true
	}
	if f == "drain" {
		all := "[" + strings.Join(o.items, " ") + "]"
		o.items = nil
		return all, true
	}
	if len(o.items) == 0 {
		return "nil", false
	}
	if o.s.hidden && o.items[0] == o.twice { // only who sees it takes it
		return "nil", false
	}
	at := 0
	if !o.s.hidden && o.fault != "" && len(o.items) > 40 {
		switch o.fault {
		case "duplicate":
			o.fault, o.twice = "", o.items[0]
			return o.twice, true // it stays
		case "reordered":
			at = 30
		}
		o.fault = ""
	}
	item := o.items[at]
	o.items = slices.Delete(o.items, at, at+1)
	return item, true
}

func (o *fifo) last() []string      { return []string{"drain"} }
func (o *fifo) broken(fault string) { o.fault = fault }

package main

import (
	"fmt"
	"slices"
	"strings"
)

// forks are transactions of one write, and reads of a group of keys. A fault is that two reads see
// two writes in opposite orders.
type forks struct {
	s       *simulation
	written map[int]bool
	next    int
	fault   string
}

const group = 4 // keys that are read together

func (o *forks) call(int) (f, value string) {
	if o.s.r.IntN(2) == 0 {
		o.next++
		return "txn", fmt.Sprintf("[[:w %d 1]]", o.next-1)
	}
	first := max(0, o.next-1-o.s.r.IntN(2*group)) / group * group
	reads := make([]string, group)
	for i := range reads {
		reads[i] = fmt.Sprintf("[:r %d nil]", first+i)
	}
	return "txn", "[" + strings.Join(reads, " ") + "]"
}

func (o *forks) apply(_ int, _, value string) (string, bool) {
	var key int
	if n, _ := fmt.Sscanf(value, "[[:w %d 1]]", &key); n == 1 {
		o.written[key] = true
		return value, true
	}
	fmt.Sscanf(value, "[[:r %d nil]", &key)
	found := make([]bool, group)
	for i := range found {
		found[i] = o.written[key+i]
	}
	if o.fault != "" && !o.s.hidden && !slices.Contains(found, false) {
		found[0], o.fault = false, "" // all are written, and one is not seen any more
	}
	reads := make([]string, group)
	for i := range reads {
		reads[i] = fmt.Sprintf("[:r %d nil]", key+i)
		if found[i] {
			reads[i] = fmt.Sprintf("[:r %d 1]", key+i)
		}
	}
	return "[" + strings.Join(reads, " ") + "]", true
}

func (o *forks) last() []string      { return nil }
func (o *forks) broken(fault string) { o.fault = fault }

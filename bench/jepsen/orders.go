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

// appends is a log that is read as a whole. Faults: an entry is lost, or two change places.
type appends struct {
	s       *simulation
	entries []string
	next    int
	fault   string
}

func (o *appends) call(int) (f, value string) {
	if o.s.r.IntN(200) == 0 {
		return "read", "nil"
	}
	o.next++
	return "append", fmt.Sprint(o.next - 1)
}

func (o *appends) apply(_ int, f, value string) (string, bool) {
	if f == "append" {
		o.entries = append(o.entries, value)
		return value, true
	}
	if !o.s.hidden && o.fault != "" && len(o.entries) > 100 {
		switch o.fault {
		case "lost":
			o.entries = slices.Delete(o.entries, 10, 30)
		case "reordered":
			o.entries[10], o.entries[70] = o.entries[70], o.entries[10]
		}
		o.fault = ""
	}
	return "[" + strings.Join(o.entries, " ") + "]", true
}

func (o *appends) last() []string      { return []string{"read", "read"} }
func (o *appends) broken(fault string) { o.fault = fault }

// fenced is a lock whose acquisitions return growing tokens. A fault is that a token comes again.
type fenced struct {
	mutex
	token int
}

func (o *fenced) call(client int) (f, value string) {
	f, _ = o.mutex.call(client)
	return f, fmt.Sprintf("\"client %d\"", client) // the owner, whichever process it has become
}

func (o *fenced) apply(client int, f, value string) (string, bool) {
	repeated := o.faults > 0 && !o.s.hidden
	_, ok := o.mutex.apply(client, f, value)
	if f == "release" || !ok {
		return value, ok
	}
	if repeated {
		o.faults = 0
		return fmt.Sprint(max(1, o.token-1)), true
	}
	o.token++
	return fmt.Sprint(o.token), true
}

// swaps are independent keys of few values that are read, written, and compared and set. A fault is
// a read of a value that was there long ago.
type swaps struct {
	s      *simulation
	now    map[int]string
	rare   map[int]string // by key: a value that was written once, and seen by its client
	age    map[int]int
	next   int
	nextUp int
	fault  string
}

func (o *swaps) call(int) (f, value string) {
	key := o.next / 300
	o.next++
	switch o.s.r.IntN(3) {
	case 0:
		return "read", fmt.Sprintf("[%d nil]", key)
	case 1:
		return "cas", fmt.Sprintf("[%d [%d %d]]", key, o.s.r.IntN(5), o.s.r.IntN(5))
	}
	if o.s.r.IntN(20) == 0 {
		o.nextUp++
		return "write", fmt.Sprintf("[%d %d]", key, 100+o.nextUp)
	}
	return "write", fmt.Sprintf("[%d %d]", key, o.s.r.IntN(5))
}

func (o *swaps) apply(_ int, f, value string) (string, bool) {
	var key, a, b int
	fmt.Sscanf(value, "[%d", &key)
	now, written := o.now[key]
	switch f {
	case "read":
		if o.fault != "" && !o.s.hidden && o.rare[key] != "" && o.age[key] > 40 {
			o.fault = ""
			return fmt.Sprintf("[%d %s]", key, o.rare[key]), true
		}
		return fmt.Sprintf("[%d %s]", key, now), written
	case "cas":
		fmt.Sscanf(value, "[%d [%d %d]]", &key, &a, &b)
		if now != fmt.Sprint(a) {
			return value, false
		}
	default:
		fmt.Sscanf(value, "[%d %d]", &key, &b)
		if b >= 100 && !o.s.hidden && o.rare[key] == "" {
			o.rare[key] = fmt.Sprint(b)
		}
	}
	o.now[key] = fmt.Sprint(b)
	if o.rare[key] != "" {
		o.age[key]++
	}
	return value, true
}

func (o *swaps) last() []string      { return nil }
func (o *swaps) broken(fault string) { o.fault = fault }

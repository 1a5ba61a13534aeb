package main

import "fmt"

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

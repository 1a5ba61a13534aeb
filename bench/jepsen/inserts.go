package main

import "fmt"

// inserts are keys of which each has two inserts, of different clients, and at most one may succeed
// (Adya's G2). A fault is that both do.
type inserts struct {
	s     *simulation
	next  int
	taken map[string]string // by key: how, "seen" or "hidden"
	fault string
}

func (o *inserts) call(int) (f, value string) {
	key := o.next / 2
	o.next++
	if o.next%2 == 1 {
		return "insert", fmt.Sprintf("[%d [nil %d]]", key, o.next)
	}
	return "insert", fmt.Sprintf("[%d [%d nil]]", key, o.next)
}

func (o *inserts) apply(_ int, _, value string) (string, bool) {
	var key string
	fmt.Sscanf(value, "[%s", &key)
	switch {
	case o.taken[key] == "" && o.s.hidden:
		o.taken[key] = "hidden"
	case o.taken[key] == "":
		o.taken[key] = "seen"
	case o.fault != "" && o.taken[key] == "seen" && !o.s.hidden:
		o.fault = ""
	default:
		return value, false
	}
	return value, true
}

func (o *inserts) last() []string      { return nil }
func (o *inserts) broken(fault string) { o.fault = fault }

package main

import "fmt"

// counter is added to and read. Faults: an addition is lost, made twice, or a read is old.
type counter struct {
	s     *simulation
	sum   int
	sums  []int
	fault string
}

func (o *counter) call(int) (f, value string) {
	if o.s.r.IntN(2) == 0 {
		return "read", "nil"
	}
	return "add", fmt.Sprint(1 + o.s.r.IntN(5))
}

func (o *counter) apply(_ int, f, value string) (string, bool) {
	if f == "read" {
		if o.fault == "stale" && !o.s.hidden && len(o.sums) > 100 {
			o.fault = ""
			return fmt.Sprint(o.sums[0]), true
		}
		return fmt.Sprint(o.sum), true
	}
	var n int
	fmt.Sscan(value, &n)
	if !o.s.hidden {
		switch o.fault {
		case "lost":
			n, o.fault = n-1000, "" // and as much before it, more than what is pending could add
		case "duplicate":
			n, o.fault = n+1_000_000, ""
		}
	}
	o.sum += n
	o.sums = append(o.sums, o.sum)
	return value, true
}

func (o *counter) last() []string      { return []string{"read", "read"} }
func (o *counter) broken(fault string) { o.fault = fault }

// ticket is a counter whose increments return its value, as suites' tests of monotonic ids.
type ticket struct {
	s     *simulation
	next  int
	fault string
}

func (o *ticket) call(int) (f, value string) { return "inc", "nil" }

func (o *ticket) apply(int, string, string) (string, bool) {
	switch {
	case o.s.hidden:
		o.next++
	case o.fault == "duplicate":
		o.fault = ""
	case o.fault == "stale":
		o.fault = ""
		return fmt.Sprint(o.next / 2), true
	default:
		o.next++
	}
	return fmt.Sprint(o.next), true
}

func (o *ticket) last() []string      { return nil }
func (o *ticket) broken(fault string) { o.fault = fault }

// ids returns a new one each time. Fault: the first one comes again.
type ids struct {
	s     *simulation
	next  int
	first string
	fault string
}

func (o *ids) call(int) (f, value string) { return "generate", "nil" }

func (o *ids) apply(int, string, string) (string, bool) {
	o.next++
	id := fmt.Sprintf("%q", fmt.Sprintf("n%d-%d", o.next%5, o.next))
	switch {
	case o.s.hidden:
	case o.first == "":
		o.first = id
	case o.fault != "":
		o.fault = ""
		return o.first, true
	}
	return id, true
}

func (o *ids) last() []string      { return nil }
func (o *ids) broken(fault string) { o.fault = fault }

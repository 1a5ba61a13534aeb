package main

import (
	"fmt"
	"slices"
	"strings"
)

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

// bank has eight accounts of ten each. Faults: money is made or lost, or a read mixes two moments.
type bank struct {
	s        *simulation
	accounts [8]int
	old      [8]int
	age      int
	fault    string
}

func newBank(s *simulation) *bank {
	o := &bank{s: s}
	for a := range o.accounts {
		o.accounts[a] = 10
	}
	return o
}

func (o *bank) call(int) (f, value string) {
	if o.s.r.IntN(2) == 0 {
		return "read", "nil"
	}
	from := o.s.r.IntN(8)
	return "transfer", fmt.Sprintf("{:from %d, :to %d, :amount %d}", from, (from+1+o.s.r.IntN(7))%8, 1+o.s.r.IntN(5))
}

func (o *bank) apply(_ int, f, value string) (string, bool) {
	if f == "read" {
		found := o.accounts
		if o.fault == "skew" && !o.s.hidden {
			if o.age == 0 {
				o.old = found
			}
			o.age++
			if o.age > 100 && o.old[0] != found[0] {
				found[0], o.fault = o.old[0], ""
			}
		}
		texts := make([]string, 8)
		for a, n := range found {
			texts[a] = fmt.Sprintf("%d %d", a, n)
		}
		return "{" + strings.Join(texts, ", ") + "}", true
	}
	var from, to, amount int
	fmt.Sscanf(value, "{:from %d, :to %d, :amount %d}", &from, &to, &amount)
	if o.accounts[from] < amount {
		return value, false
	}
	o.accounts[from] -= amount
	o.accounts[to] += amount
	if !o.s.hidden {
		switch o.fault {
		case "made":
			o.accounts[to]++
			o.fault = ""
		case "lost":
			o.accounts[to]--
			o.fault = ""
		}
	}
	return value, true
}

func (o *bank) last() []string      { return []string{"read"} }
func (o *bank) broken(fault string) { o.fault = fault }

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

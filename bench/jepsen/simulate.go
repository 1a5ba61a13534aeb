package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
)

// A workload is an object as clients of a Jepsen test see it, and the faults that it may have.
type workload struct {
	name   string
	test   string // the name of the test, by which the specification is known
	faults []string
	object func(s *simulation) object
}

// object is the object under test. Its values are those of EDN.
type object interface {
	// call returns the next operation of a client: function, and value as it is invoked.
	call(client int) (f, value string)
	// apply lets an operation take effect, and returns the value of its completion; ok is false if
	// it fails.
	apply(client int, f, value string) (result string, ok bool)
	// last are the functions of the final phase, after the network has recovered.
	last() []string
	// broken makes the fault happen once, as soon as it can.
	broken(fault string)
}

// simulation writes the events of a test.
type simulation struct {
	r      *rand.Rand
	w      *bufio.Writer
	index  int
	next   int // process of the next client that is replaced
	infos  float64
	object object
	hidden bool // what takes effect is not seen by its client
	lost   int  // operations of unknown outcome
}

// client is one of the threads of a test: its process, and the operation that is open.
type client struct {
	process          int
	f, value         string
	result           string
	open, done, good bool
}

// late is an operation of unknown outcome that has not taken effect yet.
type late struct {
	client   int
	f, value string
}

// clients is how many threads a test has.
const clients = 10

// simulate writes a test of n operations, of which a share has an unknown outcome, with one fault,
// "" for none.
func simulate(out io.Writer, w *workload, fault string, n int, infos float64, seed uint64) error {
	s := &simulation{r: rand.New(rand.NewPCG(seed, 1)), w: bufio.NewWriter(out), next: clients, infos: infos}
	s.object = w.object(s)
	all := make([]client, clients)
	for c := range all {
		all[c].process = c
	}
	var pending []late
	invoked, broken := 0, fault == ""
	for open := 0; invoked < n || open > 0; {
		if len(pending) > 0 && s.r.IntN(20) == 0 {
			s.unseen(pending[0])
			pending = pending[1:]
		}
		if !broken && invoked > n/2 {
			s.object.broken(fault)
			broken = true
		}
		if invoked%1000 == 500 && s.r.IntN(10) == 0 {
			s.nemesis()
		}
		at := s.r.IntN(clients)
		c := &all[at]
		switch {
		case !c.open && invoked < n:
			c.f, c.value = s.object.call(at)
			c.open, c.done = true, false
			s.event("invoke", c)
			invoked++
			open++
		case !c.open:
		case !c.done && s.r.Float64() < infos:
			switch s.r.IntN(3) {
			case 0:
				s.unseen(late{at, c.f, c.value})
			case 1:
				pending = append(pending, late{at, c.f, c.value})
			}
			s.event("info", c)
			s.lost++
			c.open, c.process = false, s.next
			s.next++
			open--
		case !c.done:
			c.result, c.good = s.object.apply(at, c.f, c.value)
			c.done = true
		default:
			kind := "fail"
			if c.good {
				c.value, kind = c.result, "ok"
			}
			s.event(kind, c)
			c.open = false
			open--
		}
	}
	for _, f := range s.object.last() {
		c := &client{process: s.next, f: f, value: "nil"}
		s.next++
		s.event("invoke", c)
		c.value, _ = s.object.apply(0, f, "nil")
		s.event("ok", c)
	}
	return s.w.Flush()
}

// unseen lets an operation of unknown outcome take effect. Faults wait for others.
func (s *simulation) unseen(o late) {
	s.hidden = true
	s.object.apply(o.client, o.f, o.value)
	s.hidden = false
}

func (s *simulation) event(kind string, c *client) {
	fmt.Fprintf(s.w, "{:type :%s, :f :%s, :value %s, :process %d, :time %d, :index %d}\n", kind, c.f, c.value,
		c.process, 1000*s.index, s.index)
	s.index++
}

func (s *simulation) nemesis() {
	for _, value := range []string{"nil", "[:isolated {\"n1\" #{\"n2\"}}]"} {
		fmt.Fprintf(s.w, "{:type :info, :f :start-partition, :value %s, :process :nemesis, :time %d, :index %d}\n",
			value, 1000*s.index, s.index)
		s.index++
	}
}

var workloads = []workload{
	{"set", "set", []string{"lost", "phantom", "duplicate"}, func(s *simulation) object {
		return &set{s: s, last5: true}
	}},
	{"set-full", "set-full", []string{"lost", "stale", "phantom"}, func(s *simulation) object { return &set{s: s} }},
	{"total-queue", "total-queue", []string{"duplicate", "phantom"}, func(s *simulation) object {
		return &queue{s: s}
	}},
	{"register", "register", []string{"stale", "phantom"}, func(s *simulation) object {
		return &registers{s: s, now: map[int][]string{}}
	}},
	{"mutex", "mutex", []string{"two holders"}, func(s *simulation) object {
		return &mutex{s: s, holder: -1, wants: map[int]string{}}
	}},
	{"fenced lock", "fenced-lock", []string{"token again"}, func(s *simulation) object {
		return &fenced{mutex: mutex{s: s, holder: -1, wants: map[int]string{}}}
	}},
	{"cas-register", "cas-register", []string{"stale"}, func(s *simulation) object {
		return &swaps{s: s, now: map[int]string{}, rare: map[int]string{}, age: map[int]int{}}
	}},
	{"queue", "queue", []string{"duplicate", "reordered"}, func(s *simulation) object { return &fifo{s: s} }},
	{"log", "append-log", []string{"lost", "reordered"}, func(s *simulation) object { return &appends{s: s} }},
	{"counter", "counter", []string{"lost", "duplicate", "stale"}, func(s *simulation) object {
		return &counter{s: s}
	}},
	{"monotonic", "monotonic", []string{"duplicate", "stale"}, func(s *simulation) object { return &ticket{s: s} }},
	{"unique-ids", "unique-ids", []string{"duplicate"}, func(s *simulation) object { return &ids{s: s} }},
	{"adya-g2", "g2", []string{"both"}, func(s *simulation) object {
		return &inserts{s: s, taken: map[string]string{}}
	}},
	{"kafka", "kafka", []string{"lost", "duplicate", "back"}, func(s *simulation) object {
		return &streams{s: s, logs: map[int][]int{}, next: map[[2]int]int{}}
	}},
	{"bank", "bank", []string{"made", "lost", "skew"}, func(s *simulation) object { return newBank(s) }},
	{"long-fork", "long-fork", []string{"fork"}, func(s *simulation) object {
		return &forks{s: s, written: map[int]bool{}}
	}},
}

// set has distinct elements. Its reads are at the end, or throughout.
type set struct {
	s        *simulation
	elements []string
	next     int
	last5    bool
	fault    string
	old      string
}

func (o *set) call(int) (f, value string) {
	if !o.last5 && o.s.r.IntN(200) == 0 {
		return "read", "nil"
	}
	o.next++
	return "add", fmt.Sprint(o.next - 1)
}

func (o *set) apply(_ int, f, value string) (string, bool) {
	if f == "add" {
		o.elements = append(o.elements, value)
		return value, true
	}
	if o.s.hidden {
		return "", true
	}
	all := "[" + strings.Join(o.elements, " ") + "]"
	switch {
	case o.fault == "phantom":
		o.elements = append(o.elements, fmt.Sprint(1_000_000_000))
	case o.fault == "duplicate":
		o.elements = append(o.elements, o.elements[0])
	case o.fault == "stale" && o.old == "":
		o.old = all
		return all, true
	case o.fault == "stale" && len(o.old)+100 < len(all):
		o.fault = ""
		return o.old, true
	case o.fault == "lost":
		o.elements = slices.Delete(o.elements, 0, 2)
	default:
		return all, true
	}
	o.fault = ""
	return "[" + strings.Join(o.elements, " ") + "]", true
}

func (o *set) last() []string      { return []string{"read", "read", "read"} }
func (o *set) broken(fault string) { o.fault = fault }

// queue promises no order. What is left is dequeued at the end.
type queue struct {
	s     *simulation
	items []string
	next  int
	fault string
	twice string // an item that is taken out twice
}

func (o *queue) call(int) (f, value string) {
	if o.s.r.IntN(2) == 0 {
		return "dequeue", "nil"
	}
	o.next++
	return "enqueue", fmt.Sprint(o.next - 1)
}

func (o *queue) apply(_ int, f, value string) (string, bool) {
	if f == "enqueue" {
		o.items = append(o.items, value)
		return value, true
	}
	if len(o.items) == 0 {
		return "nil", false
	}
	at := o.s.r.IntN(len(o.items))
	item := o.items[at]
	switch {
	case o.s.hidden && item == o.twice: // only who sees it takes it
		return "nil", false
	case o.s.hidden, o.fault == "":
		o.items = slices.Delete(o.items, at, at+1)
	case o.fault == "phantom":
		item, o.fault = fmt.Sprint(1_000_000_000), ""
	default:
		o.fault, o.twice = "", item // it stays
	}
	return item, true
}

func (o *queue) last() []string {
	return slices.Repeat([]string{"dequeue"}, len(o.items))
}
func (o *queue) broken(fault string) { o.fault = fault }

// registers are independent keys with distinct values.
type registers struct {
	s     *simulation
	now   map[int][]string // by key: the values that it had
	next  int
	fault string
}

func (o *registers) call(int) (f, value string) {
	key := o.next / 300
	o.next++
	if o.s.r.IntN(2) == 0 {
		return "read", fmt.Sprintf("[%d nil]", key)
	}
	return "write", fmt.Sprintf("[%d %d]", key, o.next)
}

func (o *registers) apply(_ int, f, value string) (string, bool) {
	var key int
	var x string
	fmt.Sscanf(strings.Trim(value, "[]"), "%d %s", &key, &x)
	values := o.now[key]
	if f == "write" {
		o.now[key] = append(values, x)
		return value, true
	}
	if len(values) == 0 || o.s.hidden {
		return value, false
	}
	found := values[len(values)-1]
	switch {
	case o.fault == "phantom":
		o.fault, found = "", fmt.Sprint(1_000_000_000)
	case o.fault == "stale" && len(values) > 60:
		o.fault, found = "", values[0]
	}
	return fmt.Sprintf("[%d %s]", key, found), true
}

func (o *registers) last() []string      { return nil }
func (o *registers) broken(fault string) { o.fault = fault }

// mutex is held by one client at a time. A fault is that it is given to others, oftener than
// releases of unknown outcome could explain.
type mutex struct {
	s      *simulation
	holder int
	wants  map[int]string
	faults int
}

func (o *mutex) call(client int) (f, value string) {
	if o.wants[client] == "release" {
		o.wants[client] = "acquire"
		return "release", "nil"
	}
	return "acquire", "nil"
}

func (o *mutex) apply(client int, f, _ string) (string, bool) {
	switch {
	case f == "release":
		o.holder = -1
	case o.holder >= 0 && (o.faults == 0 || o.s.hidden):
		return "nil", false
	default:
		if o.holder >= 0 {
			o.faults--
		}
		o.holder, o.wants[client] = client, "release"
	}
	return "nil", true
}

func (o *mutex) last() []string { return nil }
func (o *mutex) broken(string)  { o.faults = 10 + 2*o.s.lost }

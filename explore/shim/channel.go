package shim

// What: channels and select as events of an execution.
//
// Source: the Go runtime (package runtime, chan and select), for what happens in which order: a
// goroutine that finds nobody to meet and no room queues, and whoever comes first from the other
// side completes it.
//
// What we changed, and why: a channel of Go is only the identity of a modelled one, so that no type
// has to change. An operation is one event if it can be done at once, otherwise two: queueing, and
// waking up after another goroutine has done it. Of the ready cases of a select, which one happens
// is a choice; a goroutine that queued takes the first that completes it, as in Go.
//
// Invariant: an operation touches the location of its channel; a select those of its channels. An
// access has two locations: as soon as a select has more cases, all channel operations share one
// more (Running.Selects).

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/linsat/linsat/explore/shim/internal/core"
	"github.com/linsat/linsat/internal/schedule"
)

// channel is a modelled channel.
type channel struct {
	loc       int32
	room      int
	buffer    []any
	sent      int    // values so far, received so many
	received  int    // of them
	slots     []byte // for the race detector: one for each place of the buffer
	closed    bool
	senders   []*party
	receivers []*party
	keep      any // the channel of Go, so that its address names it alone
}

// party is a goroutine that queues at channels, once for each case of its select.
type party struct {
	cases []Case
	done  bool
	which int // case that another goroutine did
	value any
	ok    bool
	// for the race detector: what the party did before it queued, and what whoever completes it did
	queued, completed byte
	slot              *byte // of the value that it sent or received, if it is one of a buffer
}

// Open reports whether the party goes on.
func (p *party) Open() bool { return p.done }

// Case is an operation on a channel: one case of a select.
type Case interface {
	of(x *schedule.Running) *channel
	// sends returns the value that is sent; ok is false for a reception.
	sends() (v any, ok bool)
	received(v any, ok bool)
	// native is the case outside of executions.
	native() reflect.SelectCase
}

// made are the channels that rewritten code has made outside of executions.
var made sync.Map

// Made is called with each channel that rewritten code makes, and returns it.
func Made[C any](ch C) C {
	v := reflect.ValueOf(ch)
	if x := core.Running(); x != nil {
		*x.Object(v.UnsafePointer()) = &channel{loc: x.Location("channel"), room: v.Cap(), keep: ch}
		return ch
	}
	made.Store(v.Pointer(), ch)
	return ch
}

// Known reports whether a channel was made by rewritten code.
func Known(ch any) bool {
	v := reflect.ValueOf(ch)
	_, outside := made.Load(v.Pointer())
	if x := core.Running(); x != nil && !outside {
		_, inside := (*x.Object(v.UnsafePointer())).(*channel)
		return inside
	}
	return outside
}

// find returns the modelled channel of an address; nil for a nil channel.
func find(x *schedule.Running, ch any) *channel {
	v := reflect.ValueOf(ch)
	if v.IsNil() {
		return nil
	}
	if c, ok := (*x.Object(v.UnsafePointer())).(*channel); ok {
		return c
	}
	if _, ok := made.Load(v.Pointer()); !ok {
		panic(fmt.Sprintf(
			"linsat: a channel (%T) that code outside of what was rewritten has made; rewrite that code, too "+
				"(--include), or do without it", ch))
	}
	c := &channel{loc: x.Location("channel"), room: v.Cap(), keep: ch}
	*x.Object(v.UnsafePointer()) = c
	return c
}

// Sender is one side of a channel.
type Sender[T any] struct {
	ch    chan<- T
	value T
}

// To returns the sending side of a channel.
func To[T any](ch chan<- T) *Sender[T] { return &Sender[T]{ch: ch} }

// Send sends v.
//
//go:norace
func (s *Sender[T]) Send(v T) {
	x := core.Running()
	if x == nil {
		s.ch <- v
		return
	}
	s.value = v
	perform(x, false, s)
}

// Of makes a case that sends v.
//
//go:norace
func (s *Sender[T]) Of(v T) *Sender[T] {
	s.value = v
	return s
}

//go:norace
func (s *Sender[T]) of(x *schedule.Running) *channel { return find(x, s.ch) }

//go:norace
func (s *Sender[T]) sends() (any, bool) { return s.value, true }

//go:norace
func (s *Sender[T]) received(any, bool) {}

//go:norace
func (s *Sender[T]) native() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(s.ch),
		Send: reflect.ValueOf(&s.value).Elem()}
}

// Receiver is the other side, and a case that receives.
type Receiver[T any] struct {
	ch <-chan T
	// Value is what was received, OK that it was sent.
	Value T
	OK    bool
}

// From returns the receiving side of a channel.
func From[T any](ch <-chan T) *Receiver[T] { return &Receiver[T]{ch: ch} }

// Receive receives a value.
//
//go:norace
func (r *Receiver[T]) Receive() T {
	v, _ := r.Receive2()
	return v
}

// Receive2 receives a value and reports whether it was sent.
//
//go:norace
func (r *Receiver[T]) Receive2() (T, bool) {
	x := core.Running()
	if x == nil {
		v, ok := <-r.ch
		return v, ok
	}
	perform(x, false, r)
	return r.Value, r.OK
}

// Next receives into Value, and reports whether a value was sent.
//
//go:norace
func (r *Receiver[T]) Next() bool {
	r.Value, r.OK = r.Receive2()
	return r.OK
}

//go:norace
func (r *Receiver[T]) of(x *schedule.Running) *channel { return find(x, r.ch) }

//go:norace
func (r *Receiver[T]) sends() (any, bool) { return nil, false }

//go:norace
func (r *Receiver[T]) received(v any, ok bool) {
	var zero T
	r.Value, r.OK = zero, ok
	if ok {
		r.Value, _ = v.(T)
	}
}

//go:norace
func (r *Receiver[T]) native() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r.ch)}
}

// Select does one of the cases and returns its number; -1 if none is ready and there is a default.
func Select(hasDefault bool, cases ...Case) int {
	x := core.Running()
	if x != nil {
		return perform(x, hasDefault, cases...)
	}
	all := make([]reflect.SelectCase, 0, len(cases)+1)
	for _, c := range cases {
		all = append(all, c.native())
	}
	if hasDefault {
		all = append(all, reflect.SelectCase{Dir: reflect.SelectDefault})
	}
	which, v, ok := reflect.Select(all)
	if which == len(cases) {
		return -1
	}
	if all[which].Dir == reflect.SelectRecv {
		var got any
		if ok {
			got = v.Interface()
		}
		cases[which].received(got, ok)
	}
	return which
}

// perform does one of the cases in an execution.
func perform(x *schedule.Running, hasDefault bool, cases ...Case) int {
	channels := make([]*channel, len(cases))
	locs := []int32{}
	for i, c := range cases {
		if channels[i] = c.of(x); channels[i] != nil && !contains(locs, channels[i].loc) {
			locs = append(locs, channels[i].loc)
		}
	}
	if len(locs) == 0 { // nil channels
		if !hasDefault {
			Block()
		}
		return -1
	}
	if len(locs) > 2 && x.Selects == schedule.NoLocation {
		x.Wide()
	}
	loc, loc2 := places(x, locs)
	x.Point(schedule.Update, loc, loc2, nil)
	var ready []int
	for i, c := range cases {
		if channels[i] != nil && channels[i].ready(c) {
			ready = append(ready, i)
		}
	}
	switch {
	case len(ready) > 0:
		i := ready[0]
		if len(ready) > 1 {
			i = ready[x.Choose(len(ready))]
		}
		before := channels[i].state(x)
		channels[i].do(cases[i])
		x.Traced(before, channels[i].state(x))
		return i
	case hasDefault:
		x.Failed()
		x.Traced("not ready", "not ready")
		return -1
	}
	p := &party{cases: cases}
	core.ReleaseMerge(unsafe.Pointer(&p.queued))
	x.Traced("not ready", "waits")
	for i, c := range cases {
		if ch := channels[i]; ch == nil {
			continue
		} else if _, sends := c.sends(); sends {
			ch.senders = append(ch.senders, p)
		} else {
			ch.receivers = append(ch.receivers, p)
		}
	}
	x.Point(schedule.Acquire, loc, loc2, p)
	x.Traced("waits", "goes on")
	for _, ch := range channels {
		if ch != nil {
			ch.senders, ch.receivers = without(ch.senders, p), without(ch.receivers, p)
		}
	}
	core.Acquire(unsafe.Pointer(&p.completed))
	if p.slot != nil {
		core.ReleaseMerge(unsafe.Pointer(p.slot))
	}
	c := cases[p.which]
	if _, sends := c.sends(); sends && !p.ok {
		panic(errClosed("send on closed channel"))
	}
	c.received(p.value, p.ok)
	return p.which
}

// places returns the locations of an access to channels.
func places(x *schedule.Running, locs []int32) (loc, loc2 int32) {
	loc, loc2 = locs[0], schedule.NoLocation
	switch {
	case x.Selects != schedule.NoLocation && len(locs) == 1:
		loc2 = x.Selects
	case x.Selects != schedule.NoLocation:
		loc = x.Selects
	case len(locs) == 2:
		loc2 = locs[1]
	}
	return loc, loc2
}

func contains(locs []int32, loc int32) bool {
	for _, l := range locs {
		if l == loc {
			return true
		}
	}
	return false
}

func without(queue []*party, p *party) []*party {
	var rest []*party
	for _, q := range queue {
		if q != p {
			rest = append(rest, q)
		}
	}
	return rest
}

// ready reports whether a case can be done at once.
func (ch *channel) ready(c Case) bool {
	if _, sends := c.sends(); sends {
		return ch.closed || waiting(ch.receivers) != nil || len(ch.buffer) < ch.room
	}
	return ch.closed || len(ch.buffer) > 0 || waiting(ch.senders) != nil
}

// waiting returns the first party of a queue that no other case has completed.
func waiting(queue []*party) *party {
	for _, p := range queue {
		if !p.done {
			return p
		}
	}
	return nil
}

// complete lets a party go on with its case on the channel.
func (p *party) complete(x *channel, sends bool, v any, ok bool) {
	core.ReleaseMerge(unsafe.Pointer(&p.completed))
	if x.room == 0 {
		core.Acquire(unsafe.Pointer(&p.queued))
	}
	p.done, p.value, p.ok = true, v, ok
	for i, c := range p.cases {
		if _, s := c.sends(); s == sends && c.of(schedule.Current) == x {
			p.which = i
			return
		}
	}
}

// sent returns what a party that queues to send on the channel sends.
func (p *party) sent(x *channel) any {
	for _, c := range p.cases {
		if v, s := c.sends(); s && c.of(schedule.Current) == x {
			return v
		}
	}
	return nil
}

// do does a case that is ready.
//
// What the race detector learns: the k-th send happens before the k-th reception has ended, and the
// k-th reception before the send of number k+C has ended, where C is the room of the channel (The
// Go Memory Model, "Channel communication"). Each place of the buffer has an address for that.
func (ch *channel) do(c Case) {
	if v, sends := c.sends(); sends {
		if ch.closed {
			panic(errClosed("send on closed channel"))
		}
		slot := ch.slot(&ch.sent)
		if p := waiting(ch.receivers); p != nil {
			p.slot = slot
			ch.received++
			p.complete(ch, false, v, true)
		} else {
			ch.buffer = append(ch.buffer, v)
		}
		return
	}
	p := waiting(ch.senders)
	switch {
	case len(ch.buffer) > 0:
		v := ch.buffer[0]
		ch.buffer = ch.buffer[1:]
		ch.slot(&ch.received)
		if p != nil { // its value takes the room
			ch.buffer = append(ch.buffer, p.sent(ch))
			core.Acquire(unsafe.Pointer(&p.queued)) // as whoever receives the value will
			p.slot = ch.slot(&ch.sent)
			p.complete(ch, true, nil, true)
		}
		c.received(v, true)
	case p != nil:
		v := p.sent(ch)
		core.Acquire(unsafe.Pointer(&p.queued))
		p.complete(ch, true, nil, true)
		c.received(v, true)
	default:
		core.Acquire(unsafe.Pointer(&ch.closed))
		c.received(nil, false)
	}
}

// slot returns the address of the place of the next value that is sent, or received, and states
// that this one comes after what was done with the place before, and before what will be.
func (ch *channel) slot(count *int) *byte {
	if ch.room == 0 {
		return nil
	}
	if ch.slots == nil {
		ch.slots = make([]byte, min(ch.room, mostSlots))
	}
	slot := &ch.slots[*count%len(ch.slots)]
	*count++
	core.Acquire(unsafe.Pointer(slot))
	core.ReleaseMerge(unsafe.Pointer(slot))
	return slot
}

// state describes the channel in traces.
func (ch *channel) state(x *schedule.Running) string {
	if !x.Tracing() {
		return ""
	}
	s := fmt.Sprintf("%d of %d", len(ch.buffer), ch.room)
	if ch.closed {
		s += ", closed"
	}
	return s
}

// errClosed is the panic of an operation on a closed channel.
type errClosed string

func (e errClosed) Error() string { return string(e) }

// RuntimeError makes it one of the runtime's errors.
func (errClosed) RuntimeError() {}

// Close closes a channel.
func Close[T any](ch chan<- T) {
	x := core.Running()
	if x == nil {
		close(ch)
		return
	}
	c := find(x, ch)
	if c == nil {
		panic(errClosed("close of nil channel"))
	}
	loc, loc2 := places(x, []int32{c.loc})
	if !x.Point(schedule.Signal, loc, loc2, nil) {
		return
	}
	if c.closed {
		panic(errClosed("close of closed channel"))
	}
	before := c.state(x)
	core.ReleaseMerge(unsafe.Pointer(&c.closed))
	c.closed = true
	x.Traced(before, c.state(x))
	for p := waiting(c.receivers); p != nil; p = waiting(c.receivers) {
		p.complete(c, false, nil, false)
	}
	for p := waiting(c.senders); p != nil; p = waiting(c.senders) {
		p.complete(c, true, nil, false)
	}
}

// Len is len of a channel, and LenTo that of one for sending only.
func Len[T any](ch <-chan T) int   { return length(ch, len(ch)) }
func LenTo[T any](ch chan<- T) int { return length(ch, len(ch)) }

// length is len of a channel, which has that length outside of executions.
func length(ch any, outside int) int {
	x := core.Running()
	if x == nil {
		return outside
	}
	c := find(x, ch)
	if c == nil {
		return 0
	}
	loc, loc2 := places(x, []int32{c.loc})
	x.Point(schedule.Read, loc, loc2, nil)
	x.Traced(c.state(x), c.state(x))
	return len(c.buffer)
}

// Block is a select without cases.
func Block() {
	x := core.Running()
	if x == nil {
		select {}
	}
	x.Point(schedule.Acquire, x.Location("select without cases"), schedule.NoLocation, &party{})
}

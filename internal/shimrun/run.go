// Package shimrun runs code that uses the packages below explore/shim as programs of package
// explore: it makes the shims' execution, and threads for the goroutines that the code starts.
package shimrun

// Goroutines: package explore has all threads of an execution from its beginning. So some stand by,
// each blocked before its first access until a goroutine is started. A start is two events: the
// first takes the next thread, and writes a location that all starts share, so that strategies know
// the order in which goroutines get their threads; the second writes the location that the thread
// waits for. If none stands by, or something else is lacking that an execution must have from its
// beginning, the exploration is begun again with more (Needs). Once an execution has as many
// threads as it can have, goroutines take those of goroutines that have ended: the end of one, too,
// writes the location that all starts share. With a goroutine more than can be at once the
// execution is cut off.

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
)

// Needs is what the executions of a program must have from the beginning.
type Needs struct {
	Standby int  // threads that stand by
	Again   bool // goroutines take the threads of those that have ended
	Selects bool // channel operations share a location, as some select has many cases

	standby int // what the exploration that runs has
	again   bool
	selects bool
	lacking bool
	refused Refused
	// The packages that were called and are not rewritten. It is no map, since the race detector
	// watches maps whoever uses them.
	outside [mostOutside]string
}

// Refused is the error of code that comes to what cannot be modelled: what, and where.
type Refused string

func (r Refused) Error() string { return "reached, and not modelled: " + string(r) }

// refuse notes what has been reached first.
func (n *Needs) refuse(what string) {
	if n.refused == "" {
		n.refused = Refused(what)
	}
}

// Refused returns what was reached that cannot be modelled, nil if nothing was.
func (n *Needs) Refused() error {
	if n.refused == "" {
		return nil
	}
	return n.refused
}

// Outside returns the packages that were called and are not rewritten.
func (n *Needs) Outside() (packages []string) {
	for _, p := range n.outside {
		if p != "" {
			packages = append(packages, p)
		}
	}
	return packages
}

// Start begins an exploration.
func (n *Needs) Start() {
	n.standby, n.again, n.selects, n.lacking = n.Standby, n.Again, n.Selects, false
}

// Lacking reports whether an execution lacked something. The needs were raised; what was explored
// is void.
func (n *Needs) Lacking() bool { return n.lacking }

// number counts the executions of this process.
var number uint64

// Begun is an execution whose program runs.
type Begun struct {
	x       *explore.Exec
	running *schedule.Running
	needs   *Needs
	starts  int32 // the location that all starts of goroutines write
	outside int32 // 1 more than the location of what is not rewritten, 0 before it was seen
	standby []*standby
	used    int        // so many threads that stood by have been goroutines
	idle    []*standby // of these, those that stand by again
	started []*goroutine
	early   []*goroutine // started by the set-up
	room    int          // threads that can stand by
	ready   bool
	exited  string
}

// standby is a thread that waits to become a goroutine.
type standby struct {
	loc int32
	is  *goroutine
}

// Open reports whether it is one.
func (s *standby) Open() bool { return s.is != nil }

// goroutine is one that was started.
type goroutine struct {
	body  func()
	ended bool
	idle  bool       // it only waits for a time
	at    [8]uintptr // who started it
	depth int
}

func (g *goroutine) run() {
	g.body()
	g.ended = true
}

// Begin makes the execution x the one whose code runs. It is called first of all by the program.
func Begin(x *explore.Exec, n *Needs) *Begun {
	number++
	shared := schedule.NewShared(x.Memory())
	b := &Begun{x: x, needs: n, room: schedule.MaxThreads / 2}
	b.running = &schedule.Running{Shared: shared, Memory: x.Memory(), Number: number, Spawn: b.spawn, Outside: b.leaves,
		Exited: b.exits, Refused: n.refuse, Selects: schedule.NoLocation, Wide: b.wide}
	b.starts = shared.Location("goroutines")
	b.running.Sleeps = shared.Location("time")
	if n.selects {
		b.running.Selects = shared.Location("channels")
	}
	schedule.Current = b.running
	return b
}

// Fits reports whether there is room for so many processes beside the goroutines.
func (b *Begun) Fits(processes int) bool {
	b.room = schedule.MaxThreads - processes - len(b.early)
	return b.needs.standby <= b.room
}

// Ready ends the set-up of the execution. It is called last of all by the program.
func (b *Begun) Ready() {
	for _, g := range b.early {
		b.x.Background(g.run)
	}
	for range b.needs.standby {
		s := &standby{loc: b.running.Location("start of a goroutine")}
		b.standby = append(b.standby, s)
		b.x.Background(func() {
			for b.become(s) {
			}
		})
	}
	b.ready = true
}

// become is a thread that stands by until it is a goroutine, and to the end of this one. It returns
// whether the thread stands by again.
func (b *Begun) become(s *standby) bool {
	b.running.Point(schedule.Await, s.loc, schedule.NoLocation, s)
	b.running.Traced(nil, nil)
	schedule.HappensAfter(unsafe.Pointer(s))
	s.is.run()
	if !b.needs.again || !b.running.Point(schedule.Signal, b.starts, schedule.NoLocation, nil) {
		return false
	}
	b.running.Traced(nil, nil)
	s.is = nil
	b.idle = append(b.idle, s)
	return true
}

// Skew says how long goroutines may take (schedule.Clock). It is called before Ready.
func (b *Begun) Skew(d time.Duration) { b.running.Clock().Skew = int64(d) }

// Late reports whether a goroutine waited for a time when the execution ended.
func (b *Begun) Late() bool { return b.running.Clock().Cut }

// Waits reports whether something waited for a time, which came only when no goroutine could go on.
func (b *Begun) Waits() bool {
	c := b.running.Clock()
	return c.Waits && c.Skew == 0
}

// End is called when no execution runs any more.
func End() { schedule.Current = nil }

// spawn starts a goroutine of the code.
func (b *Begun) spawn(body func()) (idle *bool) {
	if b.ready && b.running.Thread() == schedule.Main {
		panic("linsat: a goroutine is started when all have ended, as by Run.Finally")
	}
	if !b.ready {
		// after the processes, whose threads have their numbers so
		g := b.starting(body)
		b.early = append(b.early, g)
		return &g.idle
	}
	if !b.running.Point(schedule.Signal, b.starts, schedule.NoLocation, nil) {
		return new(bool)
	}
	b.running.Traced(len(b.started), len(b.started)+1)
	s := b.next()
	g := b.starting(body)
	if b.running.Point(schedule.Signal, s.loc, schedule.NoLocation, nil) {
		b.running.Traced(nil, nil)
		schedule.HappensBeforeToo(unsafe.Pointer(s))
		s.is = g
	}
	return &g.idle
}

// next takes a thread that stands by.
func (b *Begun) next() *standby {
	if k := len(b.idle) - 1; k >= 0 {
		s := b.idle[k]
		b.idle = b.idle[:k]
		return s
	}
	switch {
	case b.used < len(b.standby):
	case b.used < b.room:
		b.needs.Standby = max(b.needs.Standby, min(2*b.used, b.room), b.used+1)
		b.lacks()
	case !b.needs.again:
		b.needs.Again = true
		b.lacks()
	default:
		b.running.Crowded() // and the execution ends at the next access
		b.running.Point(schedule.Signal, b.starts, schedule.NoLocation, nil)
	}
	b.used++
	return b.standby[b.used-1]
}

// leaves is before a call of packages that are not rewritten.
func (b *Begun) leaves(packages []string) {
	for _, p := range packages {
		for i := range b.needs.outside {
			if seen := &b.needs.outside[i]; *seen == "" || *seen == p {
				*seen = p
				break
			}
		}
	}
	if b.running.Thread() == schedule.Main {
		return
	}
	if b.outside == 0 {
		b.outside = b.running.Location("what is not rewritten") + 1
	}
	b.running.Point(schedule.Update, b.outside-1, schedule.NoLocation, nil)
}

// exits notes what ends the program, and where.
func (b *Begun) exits(what string) {
	if b.exited != "" {
		return // by what is deferred
	}
	var at [8]uintptr
	b.exited = strings.TrimSpace(what) + " at " + line(at[:runtime.Callers(3, at[:])])
	if b.running.Thread() == schedule.Main {
		panic(b.exited)
	}
}

// Exited says what has ended the program in the execution, and where; "" if nothing has.
func (b *Begun) Exited() string { return b.exited }

// wide says that a select has more cases than an access has locations.
func (b *Begun) wide() {
	b.needs.Selects = true
	b.lacks()
}

// lacks ends the execution.
func (b *Begun) lacks() {
	b.needs.lacking = true
	panic("linsat: the exploration is begun again with more threads that stand by")
}

// starting makes a goroutine, and notes who starts it.
func (b *Begun) starting(body func()) *goroutine {
	g := &goroutine{body: body}
	g.depth = runtime.Callers(3, g.at[:])
	b.started = append(b.started, g)
	return g
}

// Left returns the lines ("file.go:12") that started the goroutines which have not ended, once for
// each. It is for executions that completed.
func (b *Begun) Left() (lines []string) {
	for _, g := range b.started {
		if g.ended || g.idle {
			continue
		}
		lines = append(lines, line(g.at[:g.depth]))
	}
	return lines
}

// line returns the line ("file.go:12") of the innermost frame that is none of the shims.
func line(stack []uintptr) string {
	for frames := runtime.CallersFrames(stack); ; {
		f, more := frames.Next()
		if !strings.Contains(f.Function, "/explore/shim") || !more {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
}

package gen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
)

// action is one operation as an object sees it.
type action struct {
	f      string
	key    history.Value // NoKey if there is only one object
	arg    history.Value
	result history.Value
	object int   // index of the object it concerns
	proc   int32 // the process that calls it
}

// object is a sequential object: a specification in a few lines of its own.
type object interface {
	// pick chooses what process a.proc calls next, and sets a.f and a.arg. It returns false if the
	// process has nothing to do now.
	pick(d *draw, a *action) bool
	// apply lets the action take effect and sets a.result. It returns false if the action blocks in
	// this state.
	apply(d *draw, a *action) bool
	// crash decides whether an action that never returns takes effect, and undoes its reservations
	// if not.
	crash(d *draw, a *action) bool
	// guess returns a result of the right type for the action, correct or not.
	guess(d *draw, a *action) history.Value
	// start chooses an initial state other than the default; ok is false if it keeps the default.
	start(d *draw) (initial history.Value, ok bool)
}

// draw is the source of an object's random choices.
type draw struct {
	r      *rand.Rand
	t      *history.Values
	values int     // number of different values; 0: every value is new
	fresh  int64   // values so far
	empty  float64 // share of removals that should find nothing
	// any operation at any time; otherwise operations are chosen so that long runs never get stuck
	free bool
	all  bool // every operation of the specification; else the usual ones
	left int  // operations that may still be called
	owed int  // operations that must still be called: releases of what is held
	// if not 0, numbers lie near the ends of int64, so that sums and differences may overflow; it
	// is then the greatest number of operations
	ends int
}

func (d *draw) coin(p float64) bool { return d.r.Float64() < p }

// int64 returns an integer to insert or write, from 1 on.
func (d *draw) int64() int64 {
	if d.values > 0 {
		return d.number(1 + d.r.Int64N(int64(d.values)))
	}
	d.fresh++
	return d.number(d.fresh)
}

// number is the n-th number that occurs: n itself, or one near an end of int64.
func (d *draw) number(n int64) int64 {
	switch {
	case d.ends == 0:
		return n
	case n%2 == 0:
		return math.MinInt64 + n/2 - 1
	default:
		return math.MaxInt64 - n/2
	}
}

func (d *draw) value() history.Value { return d.t.Int(d.int64()) }

// seen returns some value that may have been written before.
func (d *draw) seen() history.Value {
	n := int64(d.values)
	if n == 0 {
		n = max(1, d.fresh)
	}
	return d.t.Int(d.number(1 + d.r.Int64N(n)))
}

// done returns a result for an operation without one: mostly null, or an acknowledgement.
func (d *draw) done() history.Value {
	if d.all && d.coin(0.2) {
		return [...]history.Value{history.True, d.t.String("ok")}[d.r.IntN(2)]
	}
	return history.Nil
}

func (d *draw) bool() history.Value { return d.t.Bool(d.r.IntN(2) == 0) }

// unowned implements crash for objects without reservations: a coin decides.
type unowned struct{}

func (unowned) crash(d *draw, _ *action) bool { return d.coin(0.5) }

// maker returns the object of a specification: one for each key, or one that has keys itself.
type maker struct {
	single func() object
	keyed  func(keys []history.Value) object
}

var makers = map[string]maker{
	"register":     {single: func() object { return &register{} }},
	"cas-register": {single: func() object { return &register{cas: true} }},
	"set":          {single: func() object { return &set{in: map[history.Value]bool{}} }},
	"queue": {single: func() object {
		return &list{insert: []string{"enq"}, remove: []string{"deq"}, take: []int{front}, peek: "peek"}
	}},
	"stack": {single: func() object {
		return &list{insert: []string{"push"}, remove: []string{"pop"}, take: []int{back}, peek: "peek"}
	}},
	"deque": {single: func() object {
		return &list{insert: []string{"pushfront", "pushback"}, put: []int{front, back},
			remove: []string{"popfront", "popback"}, take: []int{front, back}, peek: "peekfront"}
	}},
	"unordered-queue": {single: func() object { return &bag{} }},
	"bounded-queue":   {single: func() object { return &bounded{} }},
	"owned-mutex":     {single: func() object { return newOwnedLock("owned-mutex") }},
	"reentrant-mutex": {single: func() object { return newOwnedLock("reentrant-mutex") }},
	"fenced-mutex":    {single: func() object { return newOwnedLock("fenced-mutex") }},
	"bank":            {single: func() object { return &bank{} }},
	"priority-queue":  {single: func() object { return &priorities{} }},
	"counter":         {single: func() object { return &counter{} }},
	"log":             {single: func() object { return &logbook{} }},
	"mutex":           {single: func() object { return newLock("mutex") }},
	"rwmutex":         {single: func() object { return newLock("rwmutex") }},
	"semaphore":       {single: func() object { return newLock("semaphore") }},
	"kv": {keyed: func(keys []history.Value) object {
		return &kv{keys: keys, at: map[history.Value]history.Value{}}
	}},
	"etcd":       {keyed: newEtcd},
	"unique-ids": {single: func() object { return &ids{} }},
	"multi-register": {keyed: func(keys []history.Value) object {
		return &multiRegister{keys: keys, at: map[history.Value]history.Value{}}
	}},
}

// Specs lists the specifications for which histories can be generated.
func Specs() []string {
	var names []string
	for name := range makers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func unknownSpec(name string) error {
	return fmt.Errorf("no histories can be generated for %q (want one of %s)", name, strings.Join(Specs(), ", "))
}

// world is the objects of one run, all of one specification.
type world struct {
	objects []object
	keys    []history.Value // by object; NoKey if there is only one
}

func newWorld(d *draw, spec string, keys int) (*world, error) {
	m, ok := makers[spec]
	if !ok {
		return nil, unknownSpec(spec)
	}
	names := make([]history.Value, max(1, keys))
	for i := range names {
		names[i] = d.t.String(fmt.Sprintf("k%d", i))
	}
	if m.keyed != nil {
		return &world{objects: []object{m.keyed(names)}, keys: []history.Value{history.NoKey}}, nil
	}
	w := &world{keys: names}
	if keys <= 1 {
		w.keys = []history.Value{history.NoKey}
	}
	for range w.keys {
		w.objects = append(w.objects, m.single())
	}
	return w, nil
}

func (w *world) pick(d *draw, a *action) bool {
	a.object = 0
	if n := len(w.objects); n > 1 {
		a.object = d.r.IntN(n)
		if isLock(w.objects[0]) && !d.free {
			a.object = int(a.proc) % n // otherwise two processes could wait for each other
		}
	}
	a.key = w.keys[a.object]
	a.arg, a.result = history.Nil, history.Nil
	return w.objects[a.object].pick(d, a)
}

func (w *world) of(a *action) object { return w.objects[a.object] }

// isLock reports whether processes may wait for an object.
func isLock(o object) bool {
	switch o.(type) {
	case *lock, *ownedLock:
		return true
	}
	return false
}

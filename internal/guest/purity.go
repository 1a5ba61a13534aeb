package guest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Purity of a caller's specification, on sampled calls.
//
// What: a specification must answer alike whenever it is asked about the same state and operation,
// and must change neither. Code that does not makes every verdict worthless, so it ends the check
// with a *Fault.
//
// How: a sampled call is made twice, and some of those are made again much later; the answers are
// compared as sets, since code that goes through a Go map answers in any order. Where states have
// contents that can change (slices, maps, pointers), these are compared with what they were when
// the state was met first: on the first calls of every machine each time, on later ones now and
// then. Before anything runs in parallel, a part of the history is gone through in one goroutine
// (Probe), so that code that writes to what its calls share is mostly found before that can end the
// process.
//
// What is not found: code that errs on calls only that are not sampled.
//
// Cost: one call in sampleEvery is made three times.

// Sampler spreads samples over the machines of one specification.
type Sampler struct {
	machines atomic.Uint32
	probing  sync.Mutex
	probed   int
}

// sampling is what a machine samples, where it is alone.
type sampling[S any] struct {
	calls   int  // so far
	merges  int  // calls of which the states were looked at (merged.go), or might have been
	probing bool // every call is sampled
	samples[S]
}

// samples says when samples are taken, and keeps some.
type samples[S any] struct {
	wait  int // calls until the next sample
	gap   int // from then to the next
	kept  []kept[S]
	again int // kept sample to be repeated next
}

// due counts a call and reports whether a sample of it is to be taken.
func (x *samples[S]) due() bool {
	if x.wait--; x.wait > 0 {
		return false
	}
	x.wait, x.gap = x.gap, min(2*x.gap, sampleEvery)
	return true
}

// keep keeps a sample, and returns an older one instead of which it does, to be repeated.
func (x *samples[S]) keep(k kept[S]) (older kept[S], ok bool) {
	if len(x.kept) < keptSamples {
		x.kept = append(x.kept, k)
		return older, false
	}
	older, x.kept[x.again] = x.kept[x.again], k
	x.again = (x.again + 1) % keptSamples
	return older, true
}

type kept[S any] struct {
	of      *Code[S]
	state   S
	op      history.OpID
	choices []Choice[S]
	print   uint64   // of the state, if there is Print
	prints  []uint64 // of the states in choices
}

// schedule says when the first samples are taken.
func (m *Machine[S]) schedule() {
	k := m.Sampler.machines.Add(1)
	if k <= eagerly {
		m.wait, m.gap = 1, 1
	} else {
		m.wait, m.gap = 1+int(k*29%sampleEvery), sampleEvery
	}
}

// sample looks, now and then, whether the specification is pure. It panics with a *Fault if not.
// The Memo tells if a sample is due, and keeps it, unless the machine is alone.
func (m *Machine[S]) sample(k model.State, op history.OpID, due bool) {
	m.calls++
	if m.Print != nil && (m.calls <= printAlways || m.calls%printEvery == 0) {
		if s := m.states[k]; m.Print(s) != m.prints[k] {
			panic(m.changed(op, s, stateChanged))
		}
	}
	if m.alone {
		due = m.due()
	}
	if !due && !m.probing {
		return
	}
	s := m.states[k]
	first := m.Choices(s, op)
	if m.Print != nil && m.Print(s) != m.prints[k] {
		panic(m.changed(op, s, m.Func(op)+" changed the state in place"))
	}
	sample := kept[S]{of: m.Code, state: s, op: op, choices: first}
	if m.Print != nil {
		sample.print = m.prints[k]
		for _, c := range first {
			sample.prints = append(sample.prints, m.Print(c.Next))
		}
	}
	sample.repeat()
	keep := m.keep
	if !m.alone {
		keep = m.memo.keepSample
	}
	if older, ok := keep(sample); ok {
		older.repeat()
	}
}

// repeat asks again what was asked before.
func (k *kept[S]) repeat() {
	if k.of.Print != nil && k.of.Print(k.state) != k.print {
		panic(k.of.changed(k.op, k.state, stateChanged))
	}
	for i, p := range k.prints {
		if s := k.choices[i].Next; k.of.Print(s) != p {
			panic(k.of.changed(k.op, s, stateChanged))
		}
	}
	second := k.of.Choices(k.state, k.op)
	if !k.of.sameChoices(k.choices, second) {
		for _, c := range k.choices {
			k.of.itself(c.Next)
		}
		k.of.impure(k.op, k.state, fmt.Sprintf("it answered %s, and, asked again, %s", k.of.choicesText(k.choices),
			k.of.choicesText(second)))
	}
}

// sameChoices reports whether two answers hold the same choices, in any order.
func (g *Code[S]) sameChoices(a, b []Choice[S]) bool {
	if len(a) != len(b) {
		return false
	}
	same := func(x, y Choice[S]) bool { return g.Same(x.Next, y.Next) && sameResult(x.Result, y.Result) }
	if len(a) > mostCompared || slices.EqualFunc(a, b, same) {
		return true
	}
	left := slices.Clone(b)
	for _, x := range a {
		at := slices.IndexFunc(left, func(y Choice[S]) bool { return same(x, y) })
		if at < 0 {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}

// sameResult takes NaN for what equals itself.
func sameResult(a, b any) bool {
	return reflect.DeepEqual(a, b) || a != nil && b != nil && reflect.TypeOf(a) == reflect.TypeOf(b) &&
		fmt.Sprint(a) == fmt.Sprint(b)
}

func (g *Code[S]) choicesText(choices []Choice[S]) string {
	if len(choices) == 0 {
		return "nothing"
	}
	var items []string
	for k, c := range choices {
		if k == shownChoices {
			items = append(items, fmt.Sprintf("%d more", len(choices)-k))
			break
		}
		text := "state " + g.Attempt(c.Next)
		if c.Result != nil {
			text = fmt.Sprintf("%+v with ", c.Result) + text
		}
		items = append(items, text)
	}
	return strings.Join(items, ", ")
}

// stateChanged is wrong with code that changes states which it returned before.
const stateChanged = "that state was changed after it was returned"

func (g *Code[S]) changed(op history.OpID, s S, what string) *model.Fault {
	f := g.fault(g.Func(op), op, g.Attempt(s))
	f.Impure = what +
		"; it must return new states and leave old ones alone (slices.Clone, maps.Clone; append may write to shared " +
		"memory)"
	return &f
}

func (g *Code[S]) impure(op history.OpID, s S, what string) {
	f := g.fault(g.Func(op), op, g.Attempt(s))
	f.Impure = what
	panic(&f)
}

// Probe goes through operations of the partition one after the other and samples every call. Only
// the first partitions of a specification are probed, and no two at once. It panics with a *Fault.
func (g *Code[S]) Probe() {
	if !g.Sampler.probing.TryLock() {
		return
	}
	defer g.Sampler.probing.Unlock()
	if g.Sampler.probed >= probes {
		return
	}
	g.Sampler.probed++
	m := g.NewMachine()
	m.probing = true
	s := m.Init()
	var next []model.State
	for op := range history.OpID(min(g.Partition.Len(), probes)) {
		if g.Touches != nil {
			m.commutes(s, op)
		}
		if next = m.Step(s, op, next[:0]); len(next) > 0 {
			s = next[0]
		}
	}
}

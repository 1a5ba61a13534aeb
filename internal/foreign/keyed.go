package foreign

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/spec"
)

// With key, a file describes one object of many. The state of them all is that of every object that
// is not as it was at first, so that operations of several keys may be decided together
// (--partition none) as well as apart.
type keyedStates struct {
	mu     sync.RWMutex
	ids    map[string]State
	states []keyedState
}

type keyedState struct {
	others  State // of keys that are not listed
	objects []object
}

type object struct {
	key   any
	text  string // of the key, for the order
	state State
}

// find returns where the object of a key is or would be.
func (k keyedState) find(text string) (int, bool) {
	at := sort.Search(len(k.objects), func(i int) bool { return k.objects[i].text >= text })
	return at, at < len(k.objects) && k.objects[at].text == text
}

func byText(a, b object) int { return strings.Compare(a.text, b.text) }

// with returns the state after one object changed.
func (k keyedState) with(key any, text string, next State) keyedState {
	objects := slices.Clone(k.objects)
	at, ok := k.find(text)
	switch {
	case ok && next == k.others:
		objects = slices.Delete(objects, at, at+1)
	case ok:
		objects[at].state = next
	case next != k.others:
		objects = inorder.Insert(objects, object{key, text, next}, byText)
	}
	return keyedState{k.others, objects}
}

func (t *keyedStates) intern(k keyedState) State {
	text := binary.AppendVarint(nil, int64(k.others))
	for _, o := range k.objects {
		text = binary.AppendUvarint(text, uint64(len(o.text)))
		text = append(text, o.text...)
		text = binary.AppendVarint(text, int64(o.state))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if s, ok := t.ids[string(text)]; ok {
		return s
	}
	s := State(len(t.states))
	t.ids[string(text)] = s
	t.states = append(t.states, k)
	return s
}

func (t *keyedStates) known(s State) keyedState {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.states[s]
}

// ByKey makes a definition for one object that of an object for each key. step answers for one
// object, and of returns the key of a call.
func ByKey(d *spec.Definition[State], step *Steps, of func(c spec.Call) any) {
	t := &keyedStates{ids: map[string]State{}}
	init, describe, weigh := d.Init, d.Describe, d.Weigh
	d.Init = func(initial any) (State, error) {
		others, err := init(initial)
		return t.intern(keyedState{others: others}), err
	}
	d.Step = func(s State, c spec.Call) []spec.Outcome[State] {
		key := of(c)
		text := string(appendValue(nil, key))
		k := t.known(s)
		one := k.others
		if at, ok := k.find(text); ok {
			one = k.objects[at].state
		}
		outcomes := slices.Clone(step.Of(one, c))
		for i := range outcomes {
			outcomes[i].Next = t.intern(k.with(key, text, outcomes[i].Next))
		}
		return Defined(outcomes)
	}
	d.Describe = func(s State) string {
		k := t.known(s)
		if len(k.objects) == 0 {
			return describe(k.others)
		}
		var texts []string
		for _, o := range k.objects {
			texts = append(texts, fmt.Sprintf("%v: %s", o.key, describe(o.state)))
		}
		return strings.Join(texts, ", ")
	}
	d.Weigh = func(s State) int64 {
		k := t.known(s)
		total := int64(64 * (1 + len(k.objects)))
		for _, o := range k.objects {
			total += weigh(o.state)
		}
		return total
	}
}

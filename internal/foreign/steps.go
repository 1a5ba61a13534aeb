package foreign

import (
	"sync"

	"github.com/linsat/linsat/spec"
)

// Steps answers what a call may do in a state, and asks once for each pair of them, in whichever
// partition they are. Any number of goroutines may use it.
type Steps struct {
	ask func(s State, c spec.Call) []Outcome

	mu    sync.RWMutex
	known map[State]map[string][]Outcome // by appendCall
	count int
	asked int64
}

// NewSteps returns the answers of ask.
func NewSteps(ask func(s State, c spec.Call) []Outcome) *Steps {
	return &Steps{ask: ask, known: map[State]map[string][]Outcome{}}
}

// Of returns what c may do in s.
func (t *Steps) Of(s State, c spec.Call) []Outcome {
	var room [64]byte
	text := appendCall(room[:0], c)
	t.mu.RLock()
	answer, ok := t.known[s][string(text)]
	t.mu.RUnlock()
	if ok {
		return answer
	}
	answer = t.ask(s, c)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked++
	if t.count >= memoised {
		clear(t.known)
		t.count = 0
	}
	if t.known[s] == nil {
		t.known[s] = map[string][]Outcome{}
	}
	t.known[s][string(text)] = answer
	t.count++
	return answer
}

// Asked returns how often an answer was not known.
func (t *Steps) Asked() int64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.asked
}

// Forget drops all answers.
func (t *Steps) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.known)
	t.count = 0
}

// Once returns f, asked once for equal calls.
func Once[T any](f func(c spec.Call) T) func(c spec.Call) T {
	var mu sync.RWMutex
	known := map[string]T{}
	return func(c spec.Call) T {
		var room [64]byte
		text := appendCall(room[:0], c)
		mu.RLock()
		answer, ok := known[string(text)]
		mu.RUnlock()
		if ok {
			return answer
		}
		answer = f(c)
		mu.Lock()
		defer mu.Unlock()
		if len(known) >= memoised {
			clear(known)
		}
		known[string(text)] = answer
		return answer
	}
}

package guest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// walks is code over numbers modulo many: operation k multiplies, leaves two states, or is refused.
type walks struct {
	states int
	mu     sync.Mutex
	calls  map[[2]int]int
}

func (w *walks) next(s int, op history.OpID) []int {
	kind := int(op) % 7
	switch {
	case (s+kind)%5 == 0:
		return nil
	case kind == 3:
		return []int{(s * 3) % w.states, s, (s * 3) % w.states}
	}
	return []int{(s*kind + int(op)%7 + 1) % w.states}
}

func (w *walks) code(memo *guest.Memo[int]) *guest.Code[int] {
	b := history.NewBuilder()
	for i := range 21 {
		_, _ = b.Add(history.Record{Process: b.Process(fmt.Sprint(i)), Key: history.NoKey, F: b.Values.String("op"),
			Call: int64(i), Return: int64(i + 1)})
	}
	h, err := b.Finish()
	if err != nil {
		panic(err)
	}
	part := model.Whole(h)
	g := &guest.Code[int]{
		Name: "walks", Partition: part, Sampler: &guest.Sampler{}, Watch: &guest.Watch{}, Init: 1,
		Next: func(s int, op history.OpID, dst []int) []int {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.calls[[2]int{s, int(op) % 7}]++
			return append(dst, w.next(s, op)...)
		},
		Choices: func(s int, op history.OpID) []guest.Choice[int] {
			var all []guest.Choice[int]
			for _, n := range w.next(s, op) {
				all = append(all, guest.Choice[int]{Next: n})
			}
			return all
		},
		Func: func(history.OpID) string { return "next" }, Show: func(s int) string { return fmt.Sprint(s) },
		NewTable: guest.MapTable[int], Same: func(a, b int) bool { return a == b },
	}
	if memo != nil {
		g.Memo = func() *guest.Memo[int] { return memo }
		for i := range 21 {
			g.Kind = append(g.Kind, int32(i%7))
		}
	}
	return g
}

// Machines that share a Memo answer as the code does, also when they forget, when the room is used
// up and when they ask at the same time; and the code is called once for each answer that has room.
func TestMachinesShareAnswers(t *testing.T) {
	before := model.ForgetFrom
	defer func() { model.ForgetFrom = before }()
	model.ForgetFrom = 20
	for _, c := range []struct {
		states int
		limit  int64 // of the check
	}{{10, 0}, {3000, 0}, {3000, 1 << 20}, {100_000, 1 << 16}, {100_000, 1}} {
		w := &walks{states: c.states, calls: map[[2]int]int{}}
		room := guest.NewRoom(c.limit)
		memo := guest.NewMemo[int](room)
		g := w.code(memo)
		var all sync.WaitGroup
		for seed := range uint64(8) {
			all.Add(1)
			go func() {
				defer all.Done()
				rng := rand.New(rand.NewPCG(seed, 1))
				m := g.NewMachine()
				known := []model.State{m.Init()}
				for range 5000 {
					s, op := known[rng.IntN(len(known))], history.OpID(rng.IntN(21))
					from := m.Peek(s)
					var got []int
					for _, n := range m.Step(s, op, nil) {
						got = append(got, m.Peek(n))
						if !slices.Contains(known, n) {
							known = append(known, n)
						}
					}
					var want []int
					for _, n := range w.next(from, op) {
						if !slices.Contains(want, n) {
							want = append(want, n)
						}
					}
					if !assert.Equal(t, want, got) {
						return
					}
					switch {
					case rng.IntN(1000) == 0:
						known = known[:1+len(known)/2]
						values := make([]int, len(known))
						for k, s := range known {
							values[k] = m.Peek(s)
						}
						m.Collect(known)
						for k, s := range known {
							assert.Equal(t, values[k], m.Peek(s))
						}
					case rng.IntN(1000) == 0:
						kept := m.Peek(s)
						known = []model.State{m.Forget(s)}
						assert.Equal(t, kept, m.Peek(known[0]))
					}
					numbers := map[int]model.State{}
					for _, s := range known[:min(10, len(known))] {
						v := m.Peek(s)
						n, again := numbers[v]
						assert.True(t, !again || n == s, "two numbers for one state")
						numbers[v] = s
					}
				}
			}()
		}
		all.Wait()
		most := 0
		for _, n := range w.calls {
			most = max(most, n)
		}
		if c.limit == 0 {
			assert.Equal(t, 1, most)
		} else {
			assert.Greater(t, most, 1)
		}
	}
}

// A call that panics leaves no answer, and whoever waits for it asks again.
func TestPanicLeavesNoAnswer(t *testing.T) {
	w := &walks{states: 10, calls: map[[2]int]int{}}
	g := w.code(guest.NewMemo[int](guest.NewRoom(0)))
	next, panics := g.Next, 4
	var mu sync.Mutex
	g.Next = func(s int, op history.OpID, dst []int) []int {
		mu.Lock()
		panics--
		left := panics
		mu.Unlock()
		if left >= 0 {
			panic("no")
		}
		return next(s, op, dst)
	}
	var all sync.WaitGroup
	failed := make(chan *model.Fault, 8)
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			defer func() {
				if f, ok := recover().(*model.Fault); ok {
					failed <- f
				}
			}()
			m := g.NewMachine()
			assert.Equal(t, 3, m.Peek(m.Step(m.Init(), 1, nil)[0]))
		}()
	}
	all.Wait()
	require.Len(t, failed, 4)
	assert.Equal(t, map[[2]int]int{{1, 1}: 1}, w.calls)
}

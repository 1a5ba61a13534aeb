package porcupine_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/porcupine"
	"github.com/linsat/linsat/spec/meta"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sequence returns operations one after the other, or, where overlap is positive, a few at a time.
func sequence(overlap int64, ops ...porcupine.Operation) []porcupine.Operation {
	for i := range ops {
		ops[i].ClientId, ops[i].Call = i, 10*int64(i)
		ops[i].Return = 10*int64(i) + 1 + 10*overlap
	}
	return ops
}

func input(in, out any) porcupine.Operation { return porcupine.Operation{Input: in, Output: out} }

// TestIdsOfOpenCalls: an id belongs to one call until it returns, and can be used again then.
func TestIdsOfOpenCalls(t *testing.T) {
	call := func(id int, in any) porcupine.Event {
		return porcupine.Event{Kind: porcupine.CallEvent, Value: in, Id: id}
	}
	ret := func(id int, out any) porcupine.Event {
		return porcupine.Event{Kind: porcupine.ReturnEvent, Value: out, Id: id}
	}
	put, get := request{put: true, value: 1}, request{}
	assert.PanicsWithValue(t,
		"porcupine: event 3 calls operation 7 again, whose call, event 2, has not returned; each call needs an Id of "+
			"its own until it returns", func() {
			porcupine.CheckEvents(register, []porcupine.Event{call(7, put), ret(7, nil), call(7, put),
				call(7, get), ret(7, 1)})
		})
	assert.True(t, porcupine.CheckEvents(register, []porcupine.Event{call(7, put), ret(7, nil),
		call(7, get), ret(7, 1)}))
	assert.False(t, porcupine.CheckEvents(register, []porcupine.Event{call(7, put), ret(7, nil),
		call(7, get), ret(7, 0)}))
}

// TestEqualityThatIsNone: an Equal or Hash at fault is named.
func TestEqualityThatIsNone(t *testing.T) {
	h := sequence(0, input(request{put: true, value: 1}, nil), input(request{}, 1), input(request{put: true, value: 2},
		nil), input(request{}, 2))
	number := uint64(0)
	same := func(a, b any) bool { return a == b }
	for name, c := range map[string]struct {
		equal func(a, b any) bool
		hash  func(s any) uint64
		want  string
	}{
		"always true": {func(a, b any) bool {
			return true
		}, nil, "what Equal says is not so: in state 0: it equals state 1, and operation 1 (get() → \"1\") is " +
			"allowed in one of them alone"},
		"one way": {func(a, b any) bool {
			return a.(int) <= b.(int)
		}, nil, "what Equal says is not so: in state 0: it equals state 1, which does not equal it"},
		"the other way": {func(a, b any) bool {
			return a.(int) >= b.(int)
		}, nil, "what Equal says is not so: in state 1: it equals state 0, which does not equal it"},
		"always false": {func(a, b any) bool {
			return false
		}, nil, "what Equal says is not so: in state 0: that state does not equal itself"},
		"false of one": {func(a, b any) bool {
			return a == b && a != 2
		}, nil, "what Equal says is not so: in state 2: that state does not equal itself"},
		"a hash that rises": {same, func(any) uint64 {
			number++
			return number
		}, "Hash is not pure: in state 0: it returned one number, and, asked again, another"},
	} {
		t.Run(name, func(t *testing.T) {
			m := register
			m.Equal, m.Hash = c.equal, c.hash
			assert.PanicsWithError(t, "specification model: "+c.want, func() { porcupine.CheckOperations(m, h) })
		})
	}
}

// TestRandomEqualities: whatever Equal says, a verdict that is given is right, and none that is
// wrong is certified.
func TestRandomEqualities(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	found, faults := map[porcupine.CheckResult]int{}, 0
	for range 3000 {
		var equal [4][4]bool
		symmetric := r.IntN(2) == 0
		for i := range equal {
			for j := range equal {
				equal[i][j] = i == j || r.IntN(6) == 0
				if symmetric && j < i {
					equal[i][j] = equal[j][i]
				}
			}
		}
		m := porcupine.Model{Init: func() any {
			return 0
		}, Step: registerStep, Equal: func(a, b any) bool { return equal[a.(int)][b.(int)] }}
		if r.IntN(3) == 0 {
			m.Hash = func(any) uint64 { return 0 }
		}
		calls := make([]call, 1+r.IntN(7))
		ops := make([]porcupine.Operation, len(calls))
		for i := range calls {
			o := input(pair{"get", 0}, r.IntN(4))
			if r.IntN(2) == 0 {
				o = input(pair{"put", r.IntN(4)}, nil)
			}
			at := r.IntN(8)
			o.ClientId, o.Call, o.Return = i, int64(at), int64(at+r.IntN(5))
			calls[i], ops[i] = call{o, []any{o.Output}, false}, o
			if r.IntN(8) == 0 {
				calls[i].unknown, calls[i].outputs = true, []any{nil, 0, 1, 2, 3}
				ops[i] = porcupine.UnknownOutcome(o, calls[i].outputs...)
			}
		}
		want := porcupine.Illegal
		if allowed([]any{0}, one(registerStep), calls) {
			want = porcupine.Ok
		}
		func() {
			defer func() {
				if v := recover(); v != nil {
					var fault *meta.Fault
					err, _ := v.(error)
					require.True(t, errors.As(err, &fault) && fault.Func == "Equal", "%v", v)
					faults++
				}
			}()
			got, info := porcupine.CheckOperationsVerbose(m, ops, 0)
			require.Equal(t, want, got, "%+v %v", ops, equal)
			found[want]++
			if certificates, err := info.Certificate(); err == nil {
				require.Len(t, certificates, 1)
			}
		}()
	}
	require.Greater(t, found[porcupine.Ok], 200)
	require.Greater(t, found[porcupine.Illegal], 200)
	require.Greater(t, faults, 200)
}

// place is told apart by its address alone.
type place struct{ value int }

// TestPointersThatDiffer: a model that compares pointers tells inputs of the same contents apart.
func TestPointersThatDiffer(t *testing.T) {
	places := [3]*place{{1}, {1}, {1}}
	at := func(p any) int { return slices.Index(places[:], p.(cell).at) }
	m := porcupine.Model{
		Init: func() any { return [3]int{} },
		Step: func(s, in, out any) (bool, any) {
			cells := s.([3]int)
			if v := in.(cell).put; v > 0 {
				cells[at(in)] = v
				return true, cells
			}
			return cells[at(in)] == out, cells
		},
	}
	r := rand.New(rand.NewPCG(7, 8))
	found := map[porcupine.CheckResult]int{}
	for range 3000 {
		calls := make([]call, 1+r.IntN(6))
		ops := make([]porcupine.Operation, len(calls))
		for i := range calls {
			o := input(cell{at: places[r.IntN(3)]}, r.IntN(2))
			if r.IntN(2) == 0 {
				o = input(cell{places[r.IntN(3)], 1}, nil)
			}
			when := r.IntN(8)
			o.ClientId, o.Call, o.Return = i, int64(when), int64(when+r.IntN(5))
			calls[i], ops[i] = call{o, []any{o.Output}, false}, o
			if r.IntN(8) == 0 {
				calls[i].unknown, calls[i].outputs = true, []any{nil, 0, 1}
				ops[i] = porcupine.UnknownOutcome(o, calls[i].outputs...)
			}
		}
		want := porcupine.Illegal
		if allowed([]any{[3]int{}}, one(m.Step), calls) {
			want = porcupine.Ok
		}
		require.Equal(t, want, porcupine.CheckOperationsTimeout(m, ops, 0), "%+v", ops)
		got, info := porcupine.CheckOperationsVerbose(m, ops, 0)
		require.Equal(t, want, got, "%+v", ops)
		if found[want]++; found[want] < 200 {
			_, err := info.Certificate()
			require.NoError(t, err)
		}
	}
	require.Greater(t, found[porcupine.Ok], 200)
	require.Greater(t, found[porcupine.Illegal], 200)
}

type cell struct {
	at  *place
	put int
}

// TestStatesThatArePointers: without Equal they are compared by their contents; where that is wrong
// the check says so.
func TestStatesThatArePointers(t *testing.T) {
	m := porcupine.Model{
		Init: func() any { return (*place)(nil) },
		Step: func(s, in, out any) (bool, any) {
			if p := in.(cell); p.put > 0 {
				return true, p.at
			}
			return s == out, s
		},
	}
	a, b := &place{1}, &place{1}
	h := sequence(0, input(cell{a, 1}, nil), input(cell{}, a), input(cell{b, 1}, nil), input(cell{}, b))
	defer func() {
		fault, _ := recover().(*meta.Fault)
		require.NotNil(t, fault)
		require.Contains(t, fault.Error(), "give the model an Equal that tells their pointers apart")
		m.Equal = func(a, b any) bool { return a == b }
		require.True(t, porcupine.CheckOperations(m, h))
	}()
	porcupine.CheckOperations(m, h)
}

package modelspec_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen/usermodel"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/meta"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Models as a user writes them.

type (
	call  = usermodel.Call
	found = usermodel.Found
)

type op = linsat.Op[call, found]

// twoOps are a write and a read of it.
func twoOps() []op {
	return []op{
		{Client: 0, Input: call{F: "write", Value: 1}, Call: 0, Return: 2},
		{Client: 1, Input: call{F: "read"}, Call: 1, Output: found{Value: 1, OK: true}, Return: 3},
	}
}

func read(t testing.TB, text string) *history.History {
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	require.NoError(t, err)
	return h
}

// A model or operations that make no sense are an error that says what to do, and no verdict.
func TestMistakesInModelsAreErrors(t *testing.T) {
	ctx := context.Background()
	good := usermodel.Register()
	changed := func(change func(m *linsat.Model[found, call, found])) linsat.Model[found, call, found] {
		m := good
		change(&m)
		return m
	}
	with := func(change func(ops []op)) []op {
		ops := twoOps()
		change(ops)
		return ops
	}
	type registers = linsat.Model[found, call, found]
	for _, c := range []struct {
		name string
		m    registers
		ops  []op
		says string
	}{
		{"zero model", registers{}, twoOps(), "model model has no Step"},
		{"no Step", registers{Name: "mine"}, twoOps(), "model mine has no Step"},
		{"Step and Open", changed(func(m *registers) {
			m.Open = func(found, call) []found { return nil }
		}), twoOps(), "both Step and Accept or Open"},
		{"Hash alone", changed(func(m *registers) {
			m.Hash = func(found) uint64 { return 0 }
		}), twoOps(), "Hash without Equal"},
		{"no operations", good, nil, "there are no operations"},
		{"return before call", good, with(func(ops []op) {
			ops[1].Return = 0
		}), "operation 1, {F:read Key: Value:0}: it returns at 0, before its call at 1; set Pending if it never " +
			"returned"},
		{"return forgotten", good, with(func(ops []op) {
			ops[1].Return = math.MaxInt64
		}), "operation 1, {F:read Key: Value:0}: it returns at the end of all time"},
		{"overlap", good, with(func(ops []op) {
			ops[1].Client = 0
		}), "operation 1, {F:read Key: Value:0}: client 0 calls it at 1, while its operation 0, {F:write Key: " +
			"Value:1}, is open until 2"},
		{"negative client", good, with(func(ops []op) {
			ops[0].Client = -2
		}), "operation 0, {F:write Key: Value:1}: its client is -2"},
		{"pending and unknown", good, with(func(ops []op) {
			ops[0].Pending, ops[0].Unknown = true, true
		}), "operation 0, {F:write Key: Value:1}: it is both Pending and Unknown"},
		{"nil key", changed(func(m *registers) {
			m.Key = func(call) any { return nil }
		}), twoOps(), "operation 0, {F:write Key: Value:1}: its key is nil"},
		{"key like a slice", changed(func(m *registers) {
			m.Key = func(call) any { return []int{1} }
		}), twoOps(), "its key is of type []int, which == does not compare"},
		{"key that is no number", changed(func(m *registers) {
			m.Key = func(call) any { return math.NaN() }
		}), twoOps(), "its key, NaN, does not equal itself"},
		{"ReadOnly that lies", changed(func(m *registers) {
			m.ReadOnly = func(call) bool { return true }
		}), twoOps(), "specification my-register: Step is not pure: on operation 0 ({F:write Key: Value:1}"},
	} {
		for _, e := range []string{"auto", "all", "search"} {
			r, err := linsat.CheckOps(ctx, c.m, c.ops, linsat.Engine(linsat.Engines(e)))
			assert.ErrorContains(t, err, c.says, c.name)
			assert.Equal(t, engine.Unknown, r.Verdict, c.name)
		}
	}
	var none context.Context
	_, err := linsat.CheckOps(none, good, twoOps())
	assert.ErrorContains(t, err, "context.Background()")
	_, err = linsat.CheckOps(ctx, good, twoOps(), nil)
	assert.EqualError(t, err, "linsat: option 1 of 1 is nil")
	_, err = linsat.CheckOps(ctx, good, twoOps(), linsat.Timeout(-1))
	assert.ErrorContains(t, err, "Timeout(-1ns) is negative")
	r, err := linsat.CheckOps(ctx, good, twoOps(), linsat.Engine("sat"))
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict) // its few states have a derived theory

	reals := linsat.Model[float64, string, float64]{Step: func(s float64, _ string) []linsat.Outcome[float64, float64] {
		return linsat.Returns(s, s)
	}}
	_, err = linsat.CheckOps(ctx, reals, []linsat.Op[string, float64]{{Input: "read", Output: math.NaN()}})
	assert.ErrorContains(t, err, "operation 0, read: its output does not equal itself")
	reals.EqualOut = func(a, b float64) bool { return a == b || a != a && b != b }
	reals.Init = math.NaN()
	_, err = linsat.CheckOps(ctx, reals, []linsat.Op[string, float64]{{Input: "read", Output: math.NaN()}})
	assert.ErrorContains(t, err, "specification model: Init panics in state NaN: a state that does not equal itself")
	reals.Equal = reals.EqualOut
	r, err = linsat.CheckOps(ctx, reals, []linsat.Op[string, float64]{{Input: "read", Output: math.NaN()}})
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict)

	// Keys that look alike are different keys.
	alike := usermodel.KVByKey()
	alike.Key = func(c call) any { return map[string]any{"int": 1, "int64": int64(1), "text": "1", "real": 1.0}[c.Key] }
	var ops []op
	for i, key := range []string{"int", "int64", "text", "real"} {
		ops = append(ops, op{Client: i, Input: call{F: "put", Key: key, Value: i}, Call: int64(10 * i),
			Return: int64(10*i + 1)},
			op{Client: i, Input: call{F: "get", Key: key}, Output: found{Value: i, OK: true}, Call: 50, Return: 51})
	}
	r, err = linsat.CheckOps(ctx, alike, ops)
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict)
	assert.Equal(t, 4, r.Partitions)
	// the state is still that of one key
	r, err = linsat.CheckOps(ctx, alike, ops, linsat.Partition("none"))
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict)

	s, h, err := good.Prepare(twoOps())
	require.NoError(t, err)
	_, other, err := good.Prepare(twoOps())
	require.NoError(t, err)
	_, err = linsat.Check(ctx, s, h)
	require.NoError(t, err)
	_, err = linsat.Check(ctx, s, other)
	assert.ErrorContains(t, err, "asked about another history")
}

// Whatever function of a model panics, the error names it, and the operation and the state.
func TestPanicsOfModelsAreErrors(t *testing.T) {
	type registers = linsat.Model[found, call, found]
	violation := twoOps()
	violation[1].Output.Value = 2
	for says, change := range map[string]func(m *registers){
		"Step panics on operation 0 ({F:write Key: Value:1} → ": func(m *registers) {
			m.Step = func(found, call) []linsat.Outcome[found, found] { panic("no") }
		},
		"Accept panics on operation 0 ({F:write": func(m *registers) {
			m.Step, m.Accept = nil, func(found, call, found) []found { panic("no") }
		},
		"Key panics on operation 0 ({F:write": func(m *registers) {
			m.Key = func(call) any { panic("no") }
		},
		"ReadOnly panics on operation 0 ({F:write": func(m *registers) {
			m.ReadOnly = func(call) bool { panic("no") }
		},
		"EqualOut panics on operation 1 ({F:read": func(m *registers) {
			m.EqualOut = func(a, b found) bool { panic("no") }
		},
		"Equal panics": func(m *registers) { m.Equal = func(a, b found) bool { panic("no") } },
		"Hash panics": func(m *registers) {
			m.Equal, m.Hash = func(a, b found) bool { return a == b }, func(found) uint64 { panic("no") }
		},
		"DescribeInput panics on operation 0": func(m *registers) {
			m.DescribeInput = func(call) string { panic("no") }
		},
		"DescribeOutput panics": func(m *registers) {
			m.DescribeOutput = func(found) string { panic("no") }
		},
		"Describe panics in state {Value:": func(m *registers) {
			m.DescribeState = func(found) string { panic("no") }
		},
	} {
		m := usermodel.Register()
		change(&m)
		r, err := linsat.CheckOps(context.Background(), m, violation)
		var fault *meta.Fault
		require.ErrorAs(t, err, &fault, says)
		assert.ErrorContains(t, err, "specification my-register: "+says)
		assert.ErrorContains(t, err, ": no")
		assert.Equal(t, engine.Unknown, r.Verdict)
	}
	m := usermodel.Register()
	m.Step = func(found, call) []linsat.Outcome[found, found] { runtime.Goexit(); return nil }
	_, err := linsat.CheckOps(context.Background(), m, violation)
	assert.ErrorContains(t, err, "runtime.Goexit")
}

// Code that is not pure is an error that names specification, operation and state, whoever defines
// the specification.
func TestImpureSpecificationsAreErrors(t *testing.T) {
	ctx := context.Background()
	ops := twoOps()
	impure := func(err error, says ...string) {
		t.Helper()
		var fault *meta.Fault
		require.ErrorAs(t, err, &fault)
		assert.NotEmpty(t, fault.Impure)
		for _, s := range append(says, "Step is not pure: on operation ", " in state ") {
			assert.ErrorContains(t, err, s)
		}
	}
	var count atomic.Int64
	counting := usermodel.Register()
	counting.Step = func(s found, _ call) []linsat.Outcome[found, found] {
		return linsat.Returns(found{Value: int(count.Add(1)), OK: true}, s)
	}
	_, err := linsat.CheckOps(ctx, counting, ops)
	impure(err, "specification my-register", "0 ({F:write Key: Value:1} → ", "in state {Value:0 OK:false}",
		"it answered {Value:1 OK:true} with state {Value:0 OK:false}, and, asked again, {Value:2 OK:true}")

	// A state that is a map, changed in place.
	inPlace := linsat.Model[map[string]int, call, found]{
		Name: "in-place", Init: map[string]int{},
		Step: func(s map[string]int, c call) []linsat.Outcome[map[string]int, found] {
			if c.F == "write" {
				s["x"] = c.Value
				return linsat.Returns(found{}, s)
			}
			return linsat.Returns(found{Value: s["x"], OK: true}, s)
		},
	}
	_, err = linsat.CheckOps(ctx, inPlace, ops)
	impure(err, "specification in-place", "in state map[x:1]", "Step changed the state in place")

	// A state that is a slice, appended to where others end.
	var queue []op
	for i := range 8 {
		queue = append(queue, op{Client: i, Input: call{F: "enq", Value: i}, Call: 0, Return: 10})
	}
	queue = append(queue, op{Client: 0, Input: call{F: "deq"}, Output: found{Value: 9, OK: true}, Call: 11, Return: 12})
	appending := usermodel.Queue()
	clean := appending.Step
	appending.Step = func(s []int, c call) []linsat.Outcome[[]int, found] {
		if c.F == "enq" {
			return linsat.Returns(found{}, append(s, c.Value))
		}
		return clean(s, c)
	}
	_, err = linsat.CheckOps(ctx, appending, queue)
	impure(err, "specification my-queue", "that state was changed after it was returned")

	// A list behind a pointer, for a specification of spec.Define.
	type cell struct{ value int64 }
	pointing, err := spec.Define(spec.Definition[*cell]{
		Name: "pointing",
		Init: func(any) (*cell, error) { return &cell{}, nil },
		Step: func(s *cell, c spec.Call) []spec.Outcome[*cell] {
			if c.F == "write" {
				s.value = c.Arg.(int64)
				return []spec.Outcome[*cell]{{Next: s, AnyOutput: true}}
			}
			return []spec.Outcome[*cell]{{Output: s.value, Next: s}}
		},
	})
	require.NoError(t, err)
	h := read(t,
		`{"operations": [{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 2}, {"process": 1, "f": "read", "call": 1, "return": 3, "result": 1}]}`)
	_, err = linsat.Check(ctx, pointing, h)
	impure(err, "specification pointing", "Step changed the state in place")
	drawing, err := spec.Define(spec.Definition[int64]{Name: "drawing",
		Step: func(s int64, _ spec.Call) []spec.Outcome[int64] {
			return []spec.Outcome[int64]{{Output: count.Add(1), Next: s}}
		}})
	require.NoError(t, err)
	_, err = linsat.Check(ctx, drawing, h)
	impure(err, "specification drawing", `0 ("write`[:3])

	// What goes through a map answers in any order, and is pure.
	several := usermodel.Register()
	several.Step = func(s found, c call) []linsat.Outcome[found, found] {
		var out []linsat.Outcome[found, found]
		for v := range map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true} {
			out = append(out, linsat.Outcome[found, found]{Output: found{Value: v, OK: true}, Next: s})
		}
		return out
	}
	for i := range ops {
		ops[i].Output = found{Value: i + 1, OK: true}
	}
	r, err := linsat.CheckOps(ctx, several, ops)
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict)
}

// An endless loop in any function ends with the time, and the result names the call.
func TestEndlessLoopsAreNamed(t *testing.T) {
	type registers = linsat.Model[found, call, found]
	release := make(chan struct{})
	defer close(release)
	hang := func() { <-release }
	for says, change := range map[string]func(m *registers){
		"Step on operation 1 ({F:read Key: Value:0} → \"{Value:1 OK:true}\") in state {Value:1 OK:true}": func(m *registers) {
			step := m.Step
			m.Step = func(s found, c call) []linsat.Outcome[found, found] {
				if c.F == "read" && s.Value == 1 {
					hang()
				}
				return step(s, c)
			}
		},
		"Key on operation 0 ({F:write Key: Value:1})": func(m *registers) {
			m.Key = func(call) any { hang(); return 1 }
		},
		"DescribeInput on operation 0 ({F:write": func(m *registers) {
			m.DescribeInput = func(call) string { hang(); return "" }
		},
		"ReadOnly on operation 0 ({F:write": func(m *registers) {
			m.ReadOnly = func(call) bool { hang(); return false }
		},
		"comparison of the initial state": func(m *registers) {
			m.Equal = func(a, b found) bool { hang(); return true }
		},
	} {
		m := usermodel.Register()
		change(&m)
		start := time.Now()
		r, err := linsat.CheckOps(context.Background(), m, twoOps(), linsat.Timeout(50*time.Millisecond))
		require.NoError(t, err, says)
		assert.Less(t, time.Since(start), 5*time.Second)
		assert.Equal(t, engine.Unknown, r.Verdict, says)
		assert.Equal(t, engine.Timeout, r.Cause, says)
		assert.Contains(t, r.Detail, "deadline passed while a specification step was running: "+says)
		assert.Contains(t, r.Explanation, r.Detail)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	s, err := spec.Define(spec.Definition[int64]{Name: "hanging",
		Step: func(s int64, _ spec.Call) []spec.Outcome[int64] { hang(); return nil }})
	require.NoError(t, err)
	h := read(t, `{"operations": [{"process": 0, "id": "w1", "f": "write", "arg": 1, "call": 0, "return": 2}]}`)
	r, err := linsat.Check(ctx, s, h)
	require.NoError(t, err)
	assert.Equal(t, engine.Cancelled, r.Cause)
	assert.Equal(t, "stopped while a specification step was running: Step on operation w1 (write 1 → null) in state 0",
		r.Detail)
}

// What is not comparable, what cannot be listed, and what a client leaves pending.
func TestModelsOfOtherKinds(t *testing.T) {
	ctx := context.Background()
	fresh := linsat.Model[int, string, int]{ // an identifier that is greater than all before
		Name: "ids",
		Accept: func(s int, _ string, out int) []int {
			if out > s {
				return []int{out}
			}
			return nil
		},
	}
	ops := []linsat.Op[string, int]{{Input: "next", Output: 7, Call: 0, Return: 1},
		{Input: "next", Output: 6, Call: 2, Return: 3}}
	r, err := linsat.CheckOps(ctx, fresh, ops)
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, r.Verdict)
	ops[1].Pending = true
	_, err = linsat.CheckOps(ctx, fresh, ops)
	var bad *history.Error
	require.True(t, errors.As(err, &bad))
	assert.ErrorContains(t, err,
		"operation 1, next: its output is not known; model ids says with Open what such an operation may do")
	fresh.Open = func(s int, _ string) []int { return []int{s + 1} }
	r, err = linsat.CheckOps(ctx, fresh, ops)
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict)

	// A client goes on after an operation that never returned; that one may take effect later.
	register := usermodel.Register()
	later := []op{
		{Client: 0, Input: call{F: "write", Value: 1}, Call: 0, Pending: true},
		{Client: 0, Input: call{F: "read"}, Call: 1, Return: 2},
		{Client: 0, Input: call{F: "read"}, Output: found{Value: 1, OK: true}, Call: 3, Return: 4},
	}
	r2, err := linsat.CheckOps(ctx, register, later)
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r2.Verdict)
	assert.Equal(t, []int{1, 0, 2}, r2.Witness)
	later[0].Pending = false
	later[0].Return = 1
	r2, err = linsat.CheckOps(ctx, register, later)
	require.NoError(t, err)
	assert.Equal(t, engine.NotLinearizable, r2.Verdict)
	assert.Equal(t, 1, r2.Unplaced)
	assert.Equal(t,
		"not linearizable: operation 1, {F:read Key: Value:0} → {Value:0 OK:false} takes effect nowhere before it "+
			"returns\n"+
			"  in state {Value:1 OK:true}: {F:read Key: Value:0} returns {Value:1 OK:true} there, not {Value:0 "+
			"OK:false}\n"+
			"this rests on\n  operation 0, {F:write Key: Value:1} → {Value:0 OK:false}\n  operation 1, {F:read Key: "+
			"Value:0} → {Value:0 OK:false}", r2.Explanation)

	// A nil slice is not an empty one, and the explanation shows the difference.
	empty := linsat.Model[int, string, []int]{Step: func(s int, _ string) []linsat.Outcome[int, []int] {
		return linsat.Returns([]int(nil), s)
	}}
	lists := []linsat.Op[string, []int]{{Input: "list", Output: []int{}, Return: 1}}
	r3, err := linsat.CheckOps(ctx, empty, lists)
	require.NoError(t, err)
	assert.Contains(t, r3.Explanation, "list returns []int(nil) there, not []int{}")
	empty.EqualOut = slices.Equal[[]int]
	r3, err = linsat.CheckOps(ctx, empty, lists)
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r3.Verdict)
}

// The verifier has the same walls: a certificate of an honest specification, and one whose code
// fails when it is asked again.
func TestVerifierContainsSpecifications(t *testing.T) {
	ctx := context.Background()
	var misbehave atomic.Pointer[func()]
	nothing := func() {}
	misbehave.Store(&nothing)
	m := usermodel.Register()
	step := m.Step
	m.Step = func(s found, c call) []linsat.Outcome[found, found] {
		(*misbehave.Load())()
		return step(s, c)
	}
	for _, value := range []int{1, 2} {
		misbehave.Store(&nothing)
		ops := twoOps()
		ops[1].Output.Value = value
		r, err := linsat.CheckOps(ctx, m, ops)
		require.NoError(t, err)
		certificate, err := linsat.Certify(r.History, &r.Result)
		require.NoError(t, err)
		var text bytes.Buffer
		_, err = certificate.WriteTo(&text)
		require.NoError(t, err)
		certificate, err = linsat.ReadCertificate(&text)
		require.NoError(t, err)
		require.NoError(t, linsat.Verify(ctx, r.Spec, r.History, certificate))

		fail := func() { panic("no") }
		misbehave.Store(&fail)
		var fault *meta.Fault
		err = linsat.Verify(ctx, r.Spec, r.History, certificate)
		require.ErrorAs(t, err, &fault)
		assert.ErrorContains(t, err, "specification my-register: Step panics on operation 0 ({F:write Key: Value:1}")
		release := make(chan struct{})
		hang := func() { <-release }
		misbehave.Store(&hang)
		short, stop := context.WithTimeout(ctx, 30*time.Millisecond)
		err = linsat.Verify(short, r.Spec, r.History, certificate)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, "while a specification step was running: Step on operation 0 ({F:write")
		stop()
		close(release)
		misbehave.Store(&nothing)

		other, h, err := m.Prepare(ops)
		require.NoError(t, err)
		require.NoError(t, linsat.Verify(ctx, other, h, certificate)) // prepared anew
		assert.ErrorContains(t, linsat.Verify(ctx, r.Spec, h, certificate), "asked about another history")
		assert.ErrorContains(t, linsat.Verify(ctx, nil, h, certificate), "the specification is nil")
		assert.ErrorContains(t, linsat.Verify(ctx, other, nil, certificate), "the history is nil")
		assert.ErrorContains(t, linsat.Verify(ctx, other, h, nil), "the certificate is nil")
		assert.ErrorContains(t, linsat.Verify(ctx, other, &history.History{}, certificate), "no table of values")
		var none context.Context
		assert.ErrorContains(t, linsat.Verify(none, other, h, certificate), "the context is nil")
	}
}

// The revisions of operations order those that time leaves open.
func TestRevisionsOrderOperations(t *testing.T) {
	at := func(n int64) *int64 { return &n }
	ops := func(first, second *int64, chain string) []op {
		return []op{
			{Client: 0, Input: call{F: "write", Value: 1}, Call: 0, Return: 9, Revision: first},
			{Client: 1, Input: call{F: "write", Value: 2}, Call: 1, Return: 8, Revision: second, Chain: chain},
			{Client: 1, Input: call{F: "read"}, Call: 10, Output: found{Value: 1, OK: true}, Return: 11},
		}
	}
	for _, c := range []struct {
		name string
		ops  []op
		want linsat.Verdict
	}{
		{"as read", ops(at(8), at(7), ""), linsat.Linearizable},
		{"against what is read", ops(at(7), at(8), ""), linsat.NotLinearizable},
		{"equal", ops(at(7), at(7), ""), linsat.Linearizable},
		{"one without", ops(at(7), nil, ""), linsat.Linearizable},
		{"different chains", ops(at(7), at(8), "other"), linsat.Linearizable},
		{"against the times", []op{
			{Client: 0, Input: call{F: "write", Value: 1}, Call: 0, Return: 1, Revision: at(8)},
			{Client: 0, Input: call{F: "write", Value: 1}, Call: 2, Return: 3, Revision: at(7)},
		}, linsat.NotLinearizable},
	} {
		r, err := linsat.CheckOps(context.Background(), usermodel.Register(), c.ops)
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, r.Verdict, c.name)
		if c.want == linsat.NotLinearizable {
			assert.Contains(t, r.Core, 0, c.name)
			assert.Contains(t, r.Core, 1, c.name)
		}
	}
}

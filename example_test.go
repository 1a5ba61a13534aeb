package linsat_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
)

// A history that a file holds, and a specification that linsat ships.
func ExampleCheck() {
	const text = `{"operations": [
		{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 3},
		{"process": 1, "f": "enq", "arg": 2, "call": 1},
		{"process": 2, "f": "deq", "call": 4, "return": 5, "result": 2},
		{"process": 2, "f": "deq", "call": 6, "return": 7, "result": 1}]}`
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := linsat.Check(context.Background(), spec.MustLookup("queue"), h, linsat.Timeout(time.Minute))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Verdict, r.Witness, r.Certified)
	// Output:
	// linearizable [1 0 2 3] true
}

// request is what a client asks of a register.
type request struct {
	put   bool
	value int
}

// A model of ten lines, as for Porcupine, and a history in which a put never returned. Nothing in
// the model is about that.
func ExampleCheckOps() {
	register := linsat.Model[int, request, int]{
		Name: "register",
		Step: func(state int, in request) []linsat.Outcome[int, int] {
			if in.put {
				return linsat.Returns(0, in.value)
			}
			return linsat.Returns(state, state)
		},
	}
	ops := []linsat.Op[request, int]{
		{Client: 0, Input: request{true, 100}, Call: 0, Pending: true},
		{Client: 1, Input: request{}, Call: 25, Output: 100, Return: 75},
		{Client: 2, Input: request{}, Call: 80, Output: 0, Return: 90},
	}
	for _, history := range [][]linsat.Op[request, int]{ops[:2], ops} {
		r, err := linsat.CheckOps(context.Background(), register, history)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Verdict, r.Witness, r.Core)
	}
	// Output:
	// linearizable [0 1] []
	// not linearizable [] [1 2]
}

// With Key a model is that of one key. Descriptions are for what is said about a violation.
func ExampleModel() {
	type write struct {
		key, value string
	}
	kv := linsat.Model[string, write, string]{
		Name: "kv",
		Step: func(state string, in write) []linsat.Outcome[string, string] {
			if in.value != "" {
				return linsat.Returns("ok", in.value)
			}
			return linsat.Returns(state, state)
		},
		Key: func(in write) any { return in.key },
		DescribeInput: func(in write) string {
			if in.value != "" {
				return fmt.Sprintf("put(%s, %s)", in.key, in.value)
			}
			return fmt.Sprintf("get(%s)", in.key)
		},
		DescribeState: func(state string) string { return fmt.Sprintf("%q", state) },
	}
	ops := []linsat.Op[write, string]{
		{Client: 0, Input: write{"x", "a"}, Call: 0, Output: "ok", Return: 10},
		{Client: 1, Input: write{"x", "b"}, Call: 5, Pending: true},
		{Client: 0, Input: write{"x", "c"}, Call: 12, Output: "ok", Return: 20},
		{Client: 0, Input: write{"y", "a"}, Call: 22, Output: "ok", Return: 24},
		{Client: 2, Input: write{"x", ""}, Call: 25, Output: "a", Return: 30},
	}
	r, err := linsat.CheckOps(context.Background(), kv, ops)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Explanation)
	// Output:
	// key "x": not linearizable: operation 4, get(x) → a takes effect nowhere before it returns
	//   in state "c": get(x) returns c there, not a
	//   in state "b" after operation 1, put(x, b) (pending): get(x) returns b there, not a
	// this rests on
	//   operation 0, put(x, a) → ok
	//   operation 2, put(x, c) → ok
	//   operation 4, get(x) → a
}

// A certificate is stored, and verified later against the history and the question, without any
// engine.
func ExampleVerify() {
	h, err := history.Read(strings.NewReader(`{"operations": [
		{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 1},
		{"process": 1, "f": "read", "call": 2, "return": 3, "result": 2}]}`), history.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	r, err := linsat.Check(ctx, spec.MustLookup("register"), h)
	if err != nil {
		fmt.Println(err)
		return
	}
	certificate, err := linsat.Certify(h, &r)
	if err != nil {
		fmt.Println(err)
		return
	}
	var stored bytes.Buffer
	if _, err := certificate.WriteTo(&stored); err != nil {
		fmt.Println(err)
		return
	}
	certificate, err = linsat.ReadCertificate(&stored)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Verdict, linsat.Verify(ctx, spec.MustLookup("register"), h, certificate))

	// A certificate proves the answer to the question that it was made for, and to no other.
	var refusal *linsat.Refusal
	fmt.Println(errors.As(linsat.Verify(ctx, spec.MustLookup("cas-register"), h, certificate), &refusal))
	// Output:
	// not linearizable <nil>
	// true
}

// A model that is a queue says so: a late violation beside operations of unknown outcome is then
// refuted by what linsat knows of queues.
func ExampleAs() {
	type input struct{ enqueue int } // 0 dequeues
	queue := linsat.Model[[]int, input, int]{
		Name: "my-queue",
		Step: func(s []int, in input) []linsat.Outcome[[]int, int] {
			switch {
			case in.enqueue > 0:
				return linsat.Returns(0, append(slices.Clone(s), in.enqueue))
			case len(s) == 0:
				return linsat.Returns(0, s)
			}
			return linsat.Returns(s[0], s[1:])
		},
		As: &linsat.As[input, int]{
			Spec: spec.MustLookup("queue"),
			Operation: func(in input) (f string, key, arg any) {
				if in.enqueue > 0 {
					return "enq", nil, in.enqueue
				}
				return "deq", nil, nil
			},
			Result: func(_ input, out int) any {
				if out == 0 {
					return nil
				}
				return out
			},
		},
	}
	ops := []linsat.Op[input, int]{
		{Client: 0, Input: input{1}, Call: 0, Return: 1},
		{Client: 1, Input: input{9}, Call: 0, Pending: true},
		{Client: 0, Input: input{2}, Call: 2, Return: 3},
		{Client: 0, Input: input{}, Output: 2, Call: 4, Return: 5},
		{Client: 0, Input: input{}, Output: 1, Call: 6, Return: 7},
	}
	r, err := linsat.CheckOps(context.Background(), queue, ops)
	fmt.Println(r.Verdict, r.Certified, r.Core, err)
	// Output:
	// not linearizable true [0 2 3] <nil>
}

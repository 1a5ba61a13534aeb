package porcupine

import (
	"context"
	"fmt"
	"reflect"
	"strings"
)

// NondeterministicModel is a specification that may do several things: Step returns all states that
// may follow, none if the operation cannot return that output. Init returns the initial states. The
// other fields are as in Model.
type NondeterministicModel struct {
	Partition                 func(history []Operation) [][]Operation
	PartitionEvent            func(history []Event) [][]Event
	Init                      func() []any
	Step                      func(state, input, output any) []any
	StepContext               func(ctx context.Context, state, input, output any) []any
	Equal                     func(state1, state2 any) bool
	Hash                      func(state any) uint64
	DescribeOperation         func(input, output any) string
	DescribeState             func(state any) string
	DescribeOperationMetadata func(info any) string
}

// ToModel returns a Model whose states are the sets of states that are possible: a []any. The
// functions of this package do not build these sets, and explore the states themselves, unless the
// functions of the Model are exchanged.
func (nm *NondeterministicModel) ToModel() Model {
	c := *nm
	step := c.StepContext
	if step == nil {
		if c.Step == nil {
			panic("porcupine: the nondeterministic model has neither Step nor StepContext")
		}
		step = func(_ context.Context, state, input, output any) []any { return c.Step(state, input, output) }
	}
	p := &powerSet{init: c.Init, step: step, equal: c.Equal, hash: c.Hash, describe: c.DescribeState}
	m := Model{
		Partition: c.Partition, PartitionEvent: c.PartitionEvent,
		Init:              func() any { return p.distinct(nil, p.init()) },
		StepContext:       p.stepContext,
		Equal:             p.equalSets,
		DescribeOperation: c.DescribeOperation,
		DescribeState:     p.describeSet, DescribeOperationMetadata: c.DescribeOperationMetadata,
		nondeterministic: p,
	}
	m.Step = func(state, input, output any) (bool, any) {
		return p.stepContext(context.Background(), state, input, output)
	}
	if c.Hash != nil {
		m.Hash = p.hashSet
	}
	p.made = codes(&m)
	return m
}

// powerSet is the construction of a Model whose states are sets of states.
type powerSet struct {
	init     func() []any
	step     func(ctx context.Context, state, input, output any) []any
	equal    func(a, b any) bool // or nil
	hash     func(state any) uint64
	describe func(state any) string
	made     [5]uintptr
}

// codes identifies the functions of a model that say what its states are.
func codes(m *Model) [5]uintptr {
	var c [5]uintptr
	for i, f := range []any{m.Init, m.Step, m.StepContext, m.Equal, m.Hash} {
		c[i] = reflect.ValueOf(f).Pointer()
	}
	return c
}

// states returns the construction that the model still is, or nil.
func (m *Model) states() *powerSet {
	if m.nondeterministic != nil && m.nondeterministic.made == codes(m) {
		return m.nondeterministic
	}
	return nil
}

func (p *powerSet) same(a, b any) bool {
	if p.equal != nil {
		return p.equal(a, b)
	}
	return reflect.DeepEqual(a, b)
}

func (p *powerSet) has(set []any, s any) bool {
	for _, t := range set {
		if p.same(t, s) {
			return true
		}
	}
	return false
}

// distinct appends to set the states that are not in it.
func (p *powerSet) distinct(set, states []any) []any {
	for _, s := range states {
		if !p.has(set, s) {
			set = append(set, s)
		}
	}
	return set
}

func (p *powerSet) stepContext(ctx context.Context, state, input, output any) (bool, any) {
	var next []any
	for _, s := range state.([]any) {
		if ctx.Err() != nil {
			return false, nil
		}
		next = p.distinct(next, p.step(ctx, s, input, output))
	}
	return len(next) > 0, next
}

func (p *powerSet) equalSets(a, b any) bool {
	x, y := a.([]any), b.([]any)
	if len(x) != len(y) { // both hold no state twice
		return false
	}
	for _, s := range x {
		if !p.has(y, s) {
			return false
		}
	}
	return true
}

func (p *powerSet) hashSet(set any) uint64 {
	var sum uint64 // in any order
	for _, s := range set.([]any) {
		sum += p.hash(s)
	}
	return sum
}

func (p *powerSet) describeSet(set any) string {
	var texts []string
	for _, s := range set.([]any) {
		if p.describe != nil {
			texts = append(texts, p.describe(s))
		} else {
			texts = append(texts, fmt.Sprint(s))
		}
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

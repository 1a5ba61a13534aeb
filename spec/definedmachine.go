package spec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/internal/model"
)

// definedMachine executes a Definition. A panic in its code leaves the machine's methods as a panic
// with a *Fault.
type definedMachine[S comparable] struct {
	*model.ComparableMachine[S]
	spec    custom[S]
	part    *model.Partition
	calls   []Call
	results []Result
}

func (s custom[S]) newMachine(p *model.Partition, init S, calls []Call, results []Result) model.Machine {
	m := &definedMachine[S]{spec: s, part: p, calls: calls, results: results}
	m.ComparableMachine = model.Guarded(func() model.Fault { return s.fault("Weigh", p.History, -1, "") }, func() *model.ComparableMachine[S] {
		return model.NewComparable(init, m.next, nil, s.d.Weigh).(*model.ComparableMachine[S])
	})
	return m
}

// next appends the states that op may leave.
func (m *definedMachine[S]) next(s S, op int32, dst []S) []S {
	d, c, r := m.spec.d, m.calls[op], m.results[op]
	switch {
	case d.Step != nil:
		for _, o := range d.Step(s, c) {
			if o.allows(r) {
				dst = append(dst, o.next)
			}
		}
		return dst
	case r.known:
		return append(dst, d.Accept(s, c, r.value)...)
	}
	return append(dst, d.Open(s, c)...)
}

// Step implements Machine.
func (m *definedMachine[S]) Step(s model.State, op int32, dst []model.State) []model.State {
	before := m.States[s]
	defer func() {
		if v := recover(); v != nil {
			name := "Step"
			if m.spec.d.Step == nil {
				name = "Accept"
			}
			panic(m.spec.faultIn(name, m.part, op, m.attempt(before)).Of(v))
		}
	}()
	return m.ComparableMachine.Step(s, op, dst)
}

// Describe implements Machine.
func (m *definedMachine[S]) Describe(s model.State) string {
	state := m.States[s]
	at := func() model.Fault { return m.spec.fault("Describe", m.part.History, -1, fmt.Sprintf("%+v", state)) }
	return model.Guarded(at, func() string { return m.show(state) })
}

func (m *definedMachine[S]) show(s S) string {
	if m.spec.d.Describe == nil {
		return fmt.Sprintf("%+v", s)
	}
	return m.spec.d.Describe(s)
}

// attempt shows a state, as Go does where Describe panics.
func (m *definedMachine[S]) attempt(s S) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("%+v", s)
		}
	}()
	return m.show(s)
}

// refusal says why op is not allowed in a state.
func (m *definedMachine[S]) refusal(s S, op int32) string {
	d, c, r := m.spec.d, m.calls[op], m.results[op]
	if d.Refusal != nil {
		at := func() model.Fault { return m.spec.faultIn("Refusal", m.part, op, m.attempt(s)) }
		return model.Guarded(at, func() string { return d.Refusal(s, c, r) })
	}
	const otherwise = "it is not allowed in this state"
	if d.Step == nil || !r.known {
		return otherwise
	}
	at := func() model.Fault { return m.spec.faultIn("Step", m.part, op, m.attempt(s)) }
	var returned []string
	for _, o := range model.Guarded(at, func() []Outcome[S] { return d.Step(s, c) }) {
		if text := valueText(o.result); o.kind == returns && !slices.Contains(returned, text) {
			returned = append(returned, text)
		}
	}
	if returned == nil {
		return otherwise
	}
	return fmt.Sprintf("%s returns %s there, not %s", c.F, strings.Join(returned, " or "), valueText(r.value))
}

// valueText writes a decoded value, and one that Returns was given, as JSON does.
func valueText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

package proof

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/quasi"
)

// displacementForm is a Displacement in JSON.
type displacementForm struct {
	header
	Bound bound      `json:"bound"`
	Steps []stepForm `json:"steps"`
}

// bound is a bound in JSON: a number or "inf".
type bound int32

// MarshalJSON writes a number or "inf".
func (b bound) MarshalJSON() ([]byte, error) {
	if int32(b) == quasi.Unbounded {
		return []byte(`"inf"`), nil
	}
	return strconv.AppendInt(nil, int64(b), 10), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *bound) UnmarshalJSON(data []byte) error {
	if string(data) == `"inf"` {
		*b = bound(quasi.Unbounded)
		return nil
	}
	n, err := strconv.ParseUint(string(data), 10, 31)
	if err != nil {
		return fmt.Errorf("%s is not a bound", data)
	}
	*b = bound(n)
	return nil
}

// stepForm is a DisplacementStep in JSON: it has the fields that its rule uses, and no others.
type stepForm struct {
	Rule      string     `json:"rule"`
	Of        *string    `json:"of,omitempty"`    // "slot" or "place"
	Moves     *string    `json:"moves,omitempty"` // "start" or "end": which end of the window
	Operation *reference `json:"operation,omitempty"`
	Value     *int32     `json:"value,omitempty"`
	Edge      *int32     `json:"edge,omitempty"`
	By        *reference `json:"by,omitempty"`
}

// uses says which fields a rule has.
type uses struct{ of, moves, operation, value, edge, by bool }

var displacementUses = [...]uses{
	RuleDisplacement:  {of: true, moves: true, operation: true, value: true},
	RuleOrder:         {of: true, moves: true, operation: true, value: true, edge: true},
	RuleBalance:       {of: true, moves: true, operation: true, value: true, edge: true},
	RuleHall:          {of: true, moves: true, operation: true, value: true, edge: true},
	RuleEmptyBefore:   {of: true, moves: true, operation: true, value: true, edge: true, by: true},
	RuleEmptyAfter:    {of: true, moves: true, operation: true, value: true, edge: true, by: true},
	RuleInverted:      {of: true, operation: true},
	RuleOverfull:      {of: true, value: true, edge: true},
	RuleNeverInserted: {operation: true},
	RuleRemovedTwice:  {operation: true, by: true},
	RuleExhausted:     {value: true, edge: true},
}

func (f *displacementForm) write(p Proof) error {
	d := p.(*Displacement)
	f.header, f.Bound, f.Steps = header{KindDisplacement, version}, bound(d.Bound), make([]stepForm, len(d.Steps))
	for k := range d.Steps {
		if err := f.Steps[k].write(&d.Steps[k]); err != nil {
			return fmt.Errorf("step %d: %w", k, err)
		}
	}
	return nil
}

func (f *displacementForm) read() (Proof, error) {
	d := &Displacement{Bound: int32(f.Bound), Steps: make([]DisplacementStep, len(f.Steps))}
	for k := range f.Steps {
		var err error
		if d.Steps[k], err = f.Steps[k].read(); err != nil {
			return nil, fmt.Errorf("step %d: %w", k, err)
		}
	}
	return d, nil
}

func (f *stepForm) write(s *DisplacementStep) (err error) {
	if f.Rule, err = writeRule(displacementRules, s.Rule); err != nil {
		return err
	}
	has := displacementUses[s.Rule]
	choose := func(second bool, words [2]string) *string {
		if second {
			return &words[1]
		}
		return &words[0]
	}
	if has.of {
		f.Of = choose(s.Place, variables)
	}
	if has.moves {
		f.Moves = choose(s.Upper, windowEnds)
	}
	if has.operation {
		f.Operation = content(s.Op)
	}
	if has.value {
		f.Value = &s.Value
	}
	if has.edge {
		f.Edge = &s.Edge
	}
	if has.by {
		f.By = content(s.By)
	}
	return nil
}

// What a step is about, and what it moves.
var (
	variables  = [2]string{"slot", "place"}
	windowEnds = [2]string{"start", "end"}
)

func (f *stepForm) read() (s DisplacementStep, err error) {
	if s.Rule, err = readRule[DisplacementRule](displacementRules, f.Rule); err != nil {
		return s, err
	}
	has := displacementUses[s.Rule]
	for _, x := range []struct {
		name       string
		used, here bool
	}{{"of", has.of, f.Of != nil}, {"moves", has.moves, f.Moves != nil}, {"operation", has.operation, f.Operation != nil},
		{"value", has.value, f.Value != nil}, {"edge", has.edge, f.Edge != nil}, {"by", has.by, f.By != nil}} {
		switch {
		case x.used && !x.here:
			return s, missing(x.name)
		case x.here && !x.used:
			return s, fmt.Errorf("rule %q has no %q", f.Rule, x.name)
		}
	}
	choice := func(text *string, words [2]string) (second bool, err error) {
		switch {
		case text == nil || *text == words[0]:
			return false, nil
		case *text == words[1]:
			return true, nil
		}
		return false, fmt.Errorf("%q is neither %q nor %q", *text, words[0], words[1])
	}
	if s.Place, err = choice(f.Of, variables); err != nil {
		return s, err
	}
	if s.Upper, err = choice(f.Moves, windowEnds); err != nil {
		return s, err
	}
	if f.Value != nil {
		s.Value = *f.Value
	}
	if f.Edge != nil {
		s.Edge = *f.Edge
	}
	if s.Op, err = contentOf(f.Operation); err != nil {
		return s, err
	}
	s.By, err = contentOf(f.By)
	return s, err
}

// content names an operation of a step: the j-th initial value, -1-j there, is ITEMj.
func content(op history.OpID) *reference {
	r := reference(op)
	if op < 0 && op != Draining {
		r = reference(Item(int(-1 - op)))
	}
	return &r
}

// contentOf is the inverse of content; 0 where there is nothing.
func contentOf(r *reference) (history.OpID, error) {
	switch {
	case r == nil:
		return 0, nil
	case *r >= 0 || history.OpID(*r) == Draining:
		return history.OpID(*r), nil
	case history.OpID(*r) > Item(0):
		text, err := json.Marshal(*r)
		if err != nil {
			return 0, err
		}
		return 0, fmt.Errorf("%s has no slot and no place", text)
	}
	return -1 - (Item(0) - history.OpID(*r)), nil
}

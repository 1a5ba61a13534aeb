package proof

import "github.com/linsat/linsat/history"

// registerForm is a RegisterConflict in JSON.
type registerForm struct {
	header
	Rule       string      `json:"rule"`
	Operations []reference `json:"operations"`
}

func (f *registerForm) write(p Proof) (err error) {
	r := p.(*RegisterConflict)
	f.header, f.Operations = header{KindRegisterConflict, version}, references(r.Ops)
	f.Rule, err = writeRule(registerRules, r.Rule)
	return err
}

func (f *registerForm) read() (Proof, error) {
	rule, err := readRule[RegisterRule](registerRules, f.Rule)
	return &RegisterConflict{Rule: rule, Ops: operationsOf(f.Operations)}, err
}

// collectionForm is a CollectionConflict in JSON. A field is absent where nothing is named.
type collectionForm struct {
	header
	Rule      string     `json:"rule"`
	Values    []int32    `json:"values"`
	Via       *int32     `json:"via,omitempty"`
	Operation *reference `json:"operation,omitempty"`
	Other     *reference `json:"other,omitempty"`
}

func (f *collectionForm) write(p Proof) (err error) {
	r := p.(*CollectionConflict)
	f.header, f.Values = header{KindCollectionConflict, version}, append([]int32{}, r.Values...)
	if r.Via >= 0 {
		f.Via = &r.Via
	}
	f.Operation, f.Other = optional(r.Op), optional(r.Other)
	f.Rule, err = writeRule(collectionRules, r.Rule)
	return err
}

func (f *collectionForm) read() (Proof, error) {
	rule, err := readRule[CollectionRule](collectionRules, f.Rule)
	if err != nil {
		return nil, err
	}
	r := &CollectionConflict{Rule: rule, Values: f.Values, Via: -1, Op: -1, Other: -1}
	if f.Via != nil {
		r.Via = *f.Via
	}
	if f.Operation != nil {
		r.Op = history.OpID(*f.Operation)
	}
	if f.Other != nil {
		r.Other = history.OpID(*f.Other)
	}
	return r, nil
}

// optional is an operation, nil for none.
func optional(op history.OpID) *reference {
	if op < 0 {
		return nil
	}
	r := reference(op)
	return &r
}

// toggleForm is a ToggleCount in JSON.
type toggleForm struct {
	header
	Cell int32         `json:"cell"`
	From history.Rank  `json:"from"`
	Runs [][]reference `json:"runs"`
}

func (f *toggleForm) write(p Proof) error {
	r := p.(*ToggleCount)
	f.header, f.Cell, f.From = header{KindToggleCount, version}, r.Cell, r.From
	f.Runs = [][]reference{}
	for _, run := range r.Runs {
		f.Runs = append(f.Runs, references(run))
	}
	return nil
}

func (f *toggleForm) read() (Proof, error) {
	r := &ToggleCount{Cell: f.Cell, From: f.From}
	for _, run := range f.Runs {
		r.Runs = append(r.Runs, operationsOf(run))
	}
	return r, nil
}

// sumForm is a SumConflict in JSON.
type sumForm struct {
	header
	After     *reference `json:"after"`
	Operation *reference `json:"operation"`
	View      int32      `json:"view,omitempty"`
}

func (f *sumForm) write(p Proof) error {
	r := p.(*SumConflict)
	after, op := reference(r.After), reference(r.Op)
	*f = sumForm{header{KindSumConflict, version}, &after, &op, r.View}
	return nil
}

func (f *sumForm) read() (Proof, error) {
	if f.After == nil || f.Operation == nil {
		return nil, missing("after or operation")
	}
	if f.View < 0 {
		return nil, missing("a view from 1 on")
	}
	return &SumConflict{After: history.OpID(*f.After), Op: history.OpID(*f.Operation), View: f.View}, nil
}

// logForm is a LogConflict in JSON.
type logForm struct {
	header
	First  *reference  `json:"first"`
	Second *reference  `json:"second"`
	Reads  []reference `json:"reads,omitempty"`
}

func (f *logForm) write(p Proof) error {
	r := p.(*LogConflict)
	first, second := reference(r.First), reference(r.Second)
	*f = logForm{header{KindLogConflict, version}, &first, &second, nil}
	if len(r.Reads) > 0 {
		f.Reads = references(r.Reads)
	}
	return nil
}

func (f *logForm) read() (Proof, error) {
	if f.First == nil || f.Second == nil {
		return nil, missing("first or second")
	}
	r := &LogConflict{First: history.OpID(*f.First), Second: history.OpID(*f.Second)}
	if len(f.Reads) > 0 {
		r.Reads = operationsOf(f.Reads)
	}
	return r, nil
}

// holdForm is a HoldConflict in JSON.
type holdForm struct {
	header
	Rule       string      `json:"rule"`
	Operations []reference `json:"operations"`
}

func (f *holdForm) write(p Proof) (err error) {
	r := p.(*HoldConflict)
	f.header, f.Operations = header{KindHoldConflict, version}, references(r.Ops)
	f.Rule, err = writeRule(holdRules, r.Rule)
	return err
}

func (f *holdForm) read() (Proof, error) {
	rule, err := readRule[HoldRule](holdRules, f.Rule)
	return &HoldConflict{Rule: rule, Ops: operationsOf(f.Operations)}, err
}

// growthForm is a GrowthConflict in JSON.
type growthForm struct {
	header
	Rule       string      `json:"rule"`
	Operations []reference `json:"operations"`
	Elements   []int32     `json:"elements"`
}

func (f *growthForm) write(p Proof) (err error) {
	r := p.(*GrowthConflict)
	f.header, f.Operations, f.Elements = header{KindGrowthConflict, version}, references(r.Ops), append([]int32{}, r.Elements...)
	f.Rule, err = writeRule(growthRules, r.Rule)
	return err
}

func (f *growthForm) read() (Proof, error) {
	rule, err := readRule[GrowthRule](growthRules, f.Rule)
	return &GrowthConflict{Rule: rule, Ops: operationsOf(f.Operations), Elements: f.Elements}, err
}

// dualForm is a DualBound in JSON.
type dualForm struct {
	header
	Multipliers []multiplierForm `json:"multipliers"`
}

type multiplierForm struct {
	Operation  *reference `json:"operation"`
	Multiplier *int64     `json:"multiplier"`
}

func (f *dualForm) write(p Proof) error {
	r := p.(*DualBound)
	f.header, f.Multipliers = header{KindDualBound, version}, []multiplierForm{}
	for k, op := range r.Ops {
		f.Multipliers = append(f.Multipliers, multiplierForm{optional(op), &r.Multipliers[k]})
	}
	return nil
}

func (f *dualForm) read() (Proof, error) {
	r := &DualBound{}
	for _, m := range f.Multipliers {
		if m.Operation == nil || m.Multiplier == nil {
			return nil, missing("operation or multiplier")
		}
		r.Ops, r.Multipliers = append(r.Ops, history.OpID(*m.Operation)), append(r.Multipliers, *m.Multiplier)
	}
	return r, nil
}

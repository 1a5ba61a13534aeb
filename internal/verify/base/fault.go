package base

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Fault is why a proof is refused: which rule is not kept, for which operations or values, and why.
type Fault struct {
	Rule  string
	About string // "" where the rule is about the whole partition
	err   error
}

func (f *Fault) Error() string {
	text := f.err.Error()
	switch {
	case f.Rule == "" && f.About == "":
		return text
	case f.Rule == "":
		return f.About + ": " + text
	case f.About == "":
		return "rule " + f.Rule + ": " + text
	}
	return "rule " + f.Rule + ", " + f.About + ": " + text
}

// Unwrap returns why, without the rule.
func (f *Fault) Unwrap() error { return f.err }

// Faultf is a fault about operations or values; its rule is named by Under.
func Faultf(about, why string, of ...any) error {
	return &Fault{About: about, err: fmt.Errorf(why, of...)}
}

// Under names the rule of what is wrong; a rule that is named already belongs to this one. What
// ended the check stays as it is.
func Under(rule string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	f, ok := err.(*Fault)
	if !ok {
		return &Fault{Rule: rule, err: err}
	}
	own := *f
	if own.Rule != "" {
		rule = own.Rule + " of " + rule
	}
	own.Rule = rule
	return &own
}

// After adds to what is wrong how many cases were tried.
func After(cases int, err error) error {
	if _, ok := err.(*Fault); ok || err == nil {
		return err
	}
	return Faultf("", "%w (after %d cases)", err, cases)
}

// Op names operations of p: operation 17 (pop → 61). What is no operation has the name that it has
// in certificates; numbers that p does not have are said to be of so many.
func Op(p *model.Partition, ops ...history.OpID) string {
	var b strings.Builder
	if b.WriteString("operation"); len(ops) != 1 {
		b.WriteByte('s')
	}
	for k, i := range ops {
		if k > 0 {
			b.WriteByte(',')
		}
		switch {
		case i < 0:
			b.WriteString(" " + proof.OperationName(i))
			continue
		case int(i) >= p.Len():
			fmt.Fprintf(&b, " %d (of %d)", i, p.Len())
			continue
		}
		if int(i) >= p.Len()-p.Drains {
			b.WriteString(" " + p.ID(i))
			continue
		}
		o := &p.Ops[i]
		name, known := p.History.Values.AsString(o.F)
		if !known {
			name = p.History.Values.Format(o.F)
		}
		fmt.Fprintf(&b, " %s (%s", p.ID(i), name)
		if o.Arg != history.Nil {
			b.WriteString(" " + p.History.Values.Format(o.Arg))
		}
		switch {
		case o.Pending():
			b.WriteString(", pending")
		case o.Unknown:
			b.WriteString(" → ?")
		case o.Result != history.Nil:
			b.WriteString(" → " + p.History.Values.Format(o.Result))
		}
		b.WriteByte(')')
	}
	return b.String()
}

// Value names value v of a collection: value 3 (61).
func Value(p *model.Partition, t *model.CollectionTheory, v int32) string {
	for i, x := range t.Value {
		if x != v || i >= p.Len() {
			continue
		}
		at := p.Ops[i].Arg
		if t.Does[i] != model.Insert {
			at = p.Ops[i].Result
		}
		return fmt.Sprintf("value %d (%s)", v, p.History.Values.Format(at))
	}
	return fmt.Sprintf("value %d", v)
}

package roundup

import "github.com/linsat/linsat/internal/engine"

// Verdicts that follow from others.
//
// What: consider two histories with the same operations and results, the interval order of one
// contained in that of the other. The one with the smaller order has all linearizations of the
// other. So it is linearizable, or quasi-linearizable within the same bounds, if the other is; and
// the other is a violation if it is. Most classes of executions differ only in the order, so few
// have to be checked.

// decided holds the checked histories with equal results, for one question.
type decided struct{ accepted, refused []*extension }

// infer returns the verdict about a history that follows from others, or Unknown.
func (d *decided) infer(x *extension) engine.Verdict {
	for _, y := range d.accepted {
		if x.weaker(y) {
			return engine.Linearizable
		}
	}
	for _, y := range d.refused {
		if y.weaker(x) {
			return engine.NotLinearizable
		}
	}
	return engine.Unknown
}

// add records a verdict of linsat.Check.
func (d *decided) add(x *extension, v engine.Verdict) {
	switch v {
	case engine.Linearizable:
		d.accepted = append(d.accepted, x)
	case engine.NotLinearizable:
		d.refused = append(d.refused, x)
	}
}

package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// logTallies describes a log by its length. What is at an offset never changes, so all reads agree
// on it, and an append adds its value only at a length where no read found another one.
func logTallies(init []history.Value, ops []model.LogOp) *model.Tallies {
	// by offset: the value, Nil if no read shows it
	at := make([]history.Value, len(init), len(init)+len(ops))
	copy(at, init)
	for i := range ops {
		if !ops[i].Reads {
			at = append(at, history.Nil)
		}
	}
	t := &model.Tallies{Init: []int64{int64(len(init))}, Ways: make([][]model.Way, len(ops))}
	never := make([]bool, len(ops)) // what the read found contradicts the start, or another read
	for i := range ops {
		if o := &ops[i]; o.Reads && o.Known && len(o.Values) > 0 {
			never[i] = !shows(at, o)
		}
	}
	for i := range ops {
		if o := &ops[i]; !never[i] {
			w := model.Way{}
			if lengths := logLengths(at, o); len(lengths) > 0 {
				w.Finds = []model.Found{{Ranges: lengths}}
			}
			if !o.Reads {
				w.Adds = []model.Added{{By: 1}}
			}
			t.Ways[i] = []model.Way{w}
		}
	}
	return t
}

// shows notes what a read found, and reports whether the log can be so.
func shows(at []history.Value, o *model.LogOp) bool {
	if o.Offset > int64(len(at)-len(o.Values)) {
		return false
	}
	for k, v := range o.Values {
		there := &at[o.Offset+int64(k)]
		if v == history.Nil || *there != history.Nil && *there != v {
			return false
		}
		*there = v
	}
	return true
}

// logLengths lists the lengths of the log at which an operation can take effect; none if at all.
func logLengths(at []history.Value, o *model.LogOp) (ranges []model.Range) {
	n := int64(len(at))
	switch end := o.Offset + int64(len(o.Values)); {
	case !o.Reads && o.Known:
		if o.Offset < 0 || o.Offset >= n || at[o.Offset] != history.Nil && at[o.Offset] != o.Value {
			return []model.Range{{Low: -1, High: -1}}
		}
		return []model.Range{{Low: o.Offset, High: o.Offset}}
	case o.Reads && (!o.Known || len(o.Values) == 0 && o.Offset >= n):
		return nil
	case o.Reads && len(o.Values) == 0:
		return []model.Range{{Low: 0, High: o.Offset}}
	case o.Reads && o.Limited:
		return []model.Range{{Low: end, High: n}}
	case o.Reads:
		return []model.Range{{Low: end, High: end}}
	}
	for p := int64(0); p < n; p++ {
		if at[p] != history.Nil && at[p] != o.Value {
			continue
		}
		if last := len(ranges) - 1; last >= 0 && ranges[last].High == p-1 {
			ranges[last].High = p
		} else {
			ranges = append(ranges, model.Range{Low: p, High: p})
		}
	}
	if len(ranges) == 0 {
		return []model.Range{{Low: -1, High: -1}}
	}
	return ranges
}

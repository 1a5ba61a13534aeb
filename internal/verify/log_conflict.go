package verify

// Refutations of append-only logs by two operations.
//
// What: judges proof.LogConflict on the raw intervals and on what the operations say. Explicit
// order is not used.
//
// Why it is right: what an append that knows its offset, or a read, says of entries holds in every
// linearization, since entries never change. An operation that returned before the call of another
// takes effect before it. The entry at an offset where a read found a value was put there by an
// append of that value, unless it was there at the start; so if there is one such append, it has
// that offset, and took effect although it may never have returned. Only appends add entries in
// between: at least those that were called after the one returned and returned before the other was
// called, at most those that were called before the other returned and did not return before the
// one was called. A read that was limited to what it found says nothing of what is behind.
//
// Cost: O(n + values of both).

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// LogRule is how the operations of a LogConflict contradict each other.
type LogRule uint8

// The rules.
const (
	LogSamePlace LogRule = iota + 1 // both are appends at Offset
	LogContents                     // they differ about Offset
	LogTooShort                     // Second found at most Found entries
	LogTooLong                      // Second found at least Found entries
	LogUnwritten                    // no append can have put at Offset what Second found
	LogMissing                      // Second did not find what First appended
)

// LogParts is what a LogConflict says.
type LogParts struct {
	Rule    LogRule
	Offset  int64
	Left    int64 // entries that First left
	Appends int64 // that come between, at least if too short, at most if too long
	Found   int64 // entries that Second found
}

// Log checks that r refutes b's partition. It returns nil or what is wrong.
func Log(b *model.Instance, r *proof.LogConflict) error {
	_, err := LogOf(b, r)
	return err
}

// LogOf returns what r says. The error says why it proves nothing.
func LogOf(b *model.Instance, r *proof.LogConflict) (LogParts, error) {
	log := model.As[*model.LogTheory](b)
	if log == nil {
		return LogParts{}, base.Faultf("", "the partition is not a log")
	}
	for _, i := range []history.OpID{r.First, r.Second} {
		if i == proof.Initial && i == r.First {
			continue
		}
		if i < 0 || int(i) >= len(log.Ops) {
			return LogParts{}, base.Faultf(base.Op(b.Partition, i), "there is no such operation")
		}
	}
	if r.First == r.Second {
		return LogParts{}, base.Faultf(base.Op(b.Partition, r.First),
			"it is named twice, the rule takes two operations")
	}
	c := logPair{log: log, ops: b.Partition.Ops, first: r.First, second: r.Second}
	if c.missing() {
		return LogParts{Rule: LogMissing}, nil
	}
	for k, i := range []history.OpID{r.First, r.Second} {
		if i == proof.Initial {
			continue
		}
		c.says[k] = log.Ops[i]
		if !b.Partition.Ops[i].Pending() && log.Ops[i].Known {
			continue
		}
		if !c.place(&c.says[k], r.Reads) {
			return LogParts{}, base.Faultf(base.Op(b.Partition, i),
				"it says nothing of the log, and no read tells its offset")
		}
	}
	for _, rule := range []func() (LogParts, bool){c.contents, c.tooShort, c.tooLong, c.unwritten} {
		if parts, holds := rule(); holds {
			return parts, nil
		}
	}
	return LogParts{}, base.Faultf(base.Op(b.Partition, r.First, r.Second),
		"they do not contradict each other about contents, length or writers")
}

// logPair is the operations of a LogConflict.
type logPair struct {
	log           *model.LogTheory
	ops           []history.Op
	first, second history.OpID
	says          [2]model.LogOp // first and second, with their offsets
}

// said returns what is known of first or second.
func (c *logPair) said(i history.OpID) *model.LogOp {
	if i == c.first {
		return &c.says[0]
	}
	return &c.says[1]
}

// readsWhole reports whether operation i says what the whole log holds.
func (c *logPair) readsWhole(i history.OpID) bool {
	o := &c.log.Ops[i]
	return o.Reads && o.Known && !o.Limited && !c.ops[i].Pending() && o.Offset == 0
}

// place gives an append of unknown offset the one at which a read found its value.
func (c *logPair) place(o *model.LogOp, reads []history.OpID) bool {
	if o.Reads {
		return false
	}
	appends := 0
	for i := range c.log.Ops {
		if x := &c.log.Ops[i]; !x.Reads && x.Value == o.Value {
			appends++
		}
	}
	for _, i := range reads {
		if appends > 1 || i < 0 || int(i) >= len(c.log.Ops) || c.ops[i].Pending() {
			return false
		}
		if x := &c.log.Ops[i]; x.Reads && x.Known {
			for k, v := range x.Values {
				if at := x.Offset + int64(k); v == o.Value && at >= int64(len(c.log.Initial)) {
					o.Known, o.Offset = true, at
					return true
				}
			}
		}
	}
	return false
}

// missing reports whether the second operation reads the whole log, and did not find what the first
// one appended before.
func (c *logPair) missing() bool {
	if c.first == proof.Initial || c.second == proof.Initial || c.log.Ops[c.first].Reads || !c.ordered() {
		return false
	}
	return c.readsWhole(c.second) && !slices.Contains(c.log.Ops[c.second].Values, c.log.Ops[c.first].Value)
}

// entries returns the entries that an operation says there are, and the offset of the first.
func (c *logPair) entries(i history.OpID) (from int64, values []history.Value) {
	if i == proof.Initial {
		return 0, c.log.Initial
	}
	o := c.said(i)
	if o.Reads {
		return o.Offset, o.Values
	}
	return o.Offset, []history.Value{o.Value}
}

// contents compares what both say of the same offsets.
func (c *logPair) contents() (LogParts, bool) {
	a, first := c.entries(c.first)
	b, second := c.entries(c.second)
	if a < 0 || b < 0 {
		return LogParts{}, false
	}
	for k := max(a, b); k-a < int64(len(first)) && k-b < int64(len(second)); k++ {
		if first[k-a] != second[k-b] {
			return LogParts{Rule: LogContents, Offset: k}, true
		}
	}
	adds := func(i history.OpID) bool { return i >= 0 && !c.log.Ops[i].Reads }
	if a == b && adds(c.first) && adds(c.second) {
		return LogParts{Rule: LogSamePlace, Offset: a}, true
	}
	return LogParts{}, false
}

// found returns how many entries an operation finds, at least and at most; an append leaves one
// more.
func (c *logPair) found(i history.OpID) (least, most int64) {
	if i == proof.Initial {
		n := int64(len(c.log.Initial))
		return n, n
	}
	switch o := c.said(i); {
	case !o.Reads:
		return o.Offset, o.Offset
	case len(o.Values) > 0 && !o.Limited:
		n := o.Offset + int64(len(o.Values))
		return n, n
	default: // no log is longer than all appends make it
		all := c.count(func(*history.Op) bool { return true }) + 2 + int64(len(c.log.Initial))
		if o.Limited {
			return o.Offset + int64(len(o.Values)), max(all, o.Offset+int64(len(o.Values)))
		}
		return 0, min(o.Offset, all)
	}
}

func (c *logPair) left(i history.OpID) (least, most int64) {
	least, most = c.found(i)
	if i != proof.Initial && !c.log.Ops[i].Reads {
		return least + 1, most + 1
	}
	return least, most
}

// ordered reports whether the first operation certainly comes before the second.
func (c *logPair) ordered() bool {
	return c.first == proof.Initial || c.ops[c.first].Return < c.ops[c.second].Call
}

func (c *logPair) count(between func(o *history.Op) bool) (n int64) {
	for i := range c.ops {
		if x := history.OpID(i); x != c.first && x != c.second && !c.log.Ops[i].Reads && between(&c.ops[i]) {
			n++
		}
	}
	return n
}

// tooShort counts the appends that are certainly between both operations.
func (c *logPair) tooShort() (LogParts, bool) {
	left, _ := c.left(c.first)
	_, found := c.found(c.second)
	if !c.ordered() {
		return LogParts{}, false
	}
	certain := c.count(func(o *history.Op) bool {
		return (c.first == proof.Initial || o.Call > c.ops[c.first].Return) && o.Return < c.ops[c.second].Call
	})
	return LogParts{LogTooShort, 0, left, certain, found}, left+certain > found
}

// tooLong counts the appends that may be between both operations.
func (c *logPair) tooLong() (LogParts, bool) {
	_, left := c.left(c.first)
	found, _ := c.found(c.second)
	if !c.ordered() {
		return LogParts{}, false
	}
	possible := c.count(func(o *history.Op) bool {
		return o.Call <= c.ops[c.second].Return && (c.first == proof.Initial || o.Return >= c.ops[c.first].Call)
	})
	return LogParts{LogTooLong, 0, left, possible, found}, left+possible < found
}

// unwritten looks for an append that can have put a value where the second operation found it.
func (c *logPair) unwritten() (LogParts, bool) {
	from, values := c.entries(c.second)
	if c.first != proof.Initial || !c.log.Ops[c.second].Reads {
		return LogParts{}, false
	}
	unknown, known := map[history.Value]int{}, map[int64]bool{}
	for i := range c.ops {
		o := &c.log.Ops[i]
		switch {
		case o.Reads || c.ops[i].Call > c.ops[c.second].Return:
		case o.Known && !c.ops[i].Pending():
			known[o.Offset] = true // contents compares the value
		default:
			unknown[o.Value]++
		}
	}
	for k, v := range values {
		at := from + int64(k)
		if v != history.Nil && (at < int64(len(c.log.Initial)) || known[at]) {
			continue
		}
		if unknown[v]--; v == history.Nil || unknown[v] < 0 {
			return LogParts{Rule: LogUnwritten, Offset: at}, true
		}
	}
	return LogParts{}, false
}

package specs

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Log returns the specification of an append-only log: append v returns the offset of v, counted
// from 0, or null if it was not reported; read from returns the values from that offset to the end,
// and read [from, n] at most n of them.
// Its initial state is a list; empty by default.
func Log() model.Spec { return appendLog }

// The log's operations, in the order of Info.Operations.
const (
	logAppend = iota
	logRead
)

var appendLog = newTable(table{
	info: model.Info{
		Name:    "log",
		Summary: "append-only log",
		Initial: "a list of values, oldest first (default: empty)",
		Example: `{"spec": "log", "operations": [{"process": 0, "f": "append", "arg": "a", "call": 0, "return": 3, "result": 1}, {"process": 1, "f": "append", "arg": "b", "call": 1, "return": 2, "result": 0}, {"process": 1, "f": "read", "arg": 1, "call": 4, "return": 5, "result": ["a"]}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "append", Aliases: []string{"add", "push", "write", "enq", "enqueue", "send",
			"produce", "publish"}, Arg: "a value other than null",
			Result: "its offset, counted from 0; null, true, \"ok\" or the value again where that was not reported"},
			arg: anyValue},
		{Operation: model.Operation{Name: "read", Aliases: []string{"get", "poll", "scan", "consume", "readfrom",
			"list"}, Arg: "an offset (default: 0), or [offset, n]",
			Result: "the list of the values from there to the end, or at most n, null for none"}, arg: anOffset,
			observes: true},
	},
	bind: bindLog,
})

var anOffset = &argument{"an offset, counted from 0, or [offset, n]",
	func(t *history.Values, v history.Value) (int64, bool) {
		if v == history.Nil {
			return 0, true
		}
		if pair, isList := t.AsList(v); isList && len(pair) == 2 {
			most, isInt := t.AsInt(pair[1])
			if v = pair[0]; !isInt || most < 0 {
				return 0, false
			}
		}
		n, isInt := t.AsInt(v)
		return n, isInt && n >= 0
	}}

// bindLog binds a partition that holds one log.
func bindLog(s *table, p *model.Partition) (*model.Instance, error) {
	t := p.History.Values
	init, ok := p.Contents, p.HasContents
	if !ok && stated(p) {
		if init, ok = t.AsList(p.Initial); !ok || slices.Contains(init, history.Nil) {
			return nil, s.wrongInitial(p)
		}
	}
	ops := make([]model.LogOp, len(p.Ops))
	b := s.instance(p)
	type kind struct {
		verb        int
		arg, result history.Value // result -1 if it does not matter
	}
	kinds := alike[kind]{}
	err := s.each(p, func(i history.OpID, verb int, offset int64) error {
		o := &ops[i]
		o.Offset = offset
		if err := resolveLog(o, p, i, verb); err != nil {
			return err
		}
		b.ReadOnly[i] = o.Reads
		k := kind{verb, p.Ops[i].Arg, -1}
		if o.Known {
			k.result = p.Ops[i].Result
		}
		b.EquivID[i] = kinds.of(k)
		return nil
	})
	if err != nil {
		return nil, err
	}
	b.NewMachine = func() model.Machine {
		m := &logMachine{ops: ops, values: t, nodes: []logNode{{value: history.Nil}}, jumps: []model.State{0},
			index: map[logNode]model.State{}}
		for _, v := range init {
			m.init = m.push(m.init, v)
		}
		return m
	}
	b.Refusal = func(m model.Machine, s model.State, op history.OpID) string { return m.(*logMachine).refusal(s, op) }
	views := &logViews{ops: ops, init: init, table: t}
	b.Theory = &model.LogTheory{Initial: init, Ops: ops}
	b.View, b.Views = views.view, views.about
	b.Tallies = func() *model.Tallies { return logTallies(init, ops) }
	return b, nil
}

func resolveLog(o *model.LogOp, p *model.Partition, i history.OpID, verb int) error {
	t := p.History.Values
	in := &p.Ops[i]
	ok := true
	if verb == logAppend {
		o.Value, o.Known = in.Arg, !in.Unknown && in.Result != history.Nil
		if o.Known {
			if o.Offset, o.Known = t.AsInt(in.Result); !o.Known && !acknowledges(p, i) {
				return wrongResult(p, i, "an offset or null")
			}
		}
		return nil
	}
	o.Reads, o.Known = true, !in.Unknown
	if o.Known && in.Result != history.Nil {
		if o.Values, ok = t.AsList(in.Result); !ok {
			return wrongResult(p, i, "a list of values")
		}
	}
	if pair, isList := t.AsList(in.Arg); isList && o.Known {
		most, _ := t.AsInt(pair[1])
		if int64(len(o.Values)) > most {
			return wrongResult(p, i, fmt.Sprintf("a list of at most %d values", most))
		}
		o.Limited, o.Known = int64(len(o.Values)) == most, most > 0
	}
	return nil
}

// logMachine executes a log. Its states form a tree: a log is its last value after the log before
// it, so that equal contents are the same node. State 0 is the empty log. A node knows one that is
// shorter by more, so that a prefix is found in logarithmic time (Myers, Inf. Process. Lett. 17,
// 1983).
type logMachine struct {
	ops    []model.LogOp
	values *history.Values
	nodes  []logNode
	jumps  []model.State // by node: a shorter log
	index  map[logNode]model.State
	init   model.State
}

type logNode struct {
	before model.State   // the log without its last value
	length int64         // how many values it holds
	value  history.Value // the last one, Nil for the empty log
}

func (m *logMachine) push(s model.State, v history.Value) model.State {
	n := logNode{s, m.nodes[s].length + 1, v}
	k, ok := m.index[n]
	if !ok {
		k = model.State(len(m.nodes))
		m.nodes = append(m.nodes, n)
		jump := s
		if a, b := m.jumps[s],
			m.jumps[m.jumps[s]]; m.nodes[s].length-m.nodes[a].length == m.nodes[a].length-m.nodes[b].length {
			jump = b
		}
		m.jumps = append(m.jumps, jump)
		m.index[n] = k
	}
	return k
}

// prefix returns the first values of a log, as many as asked for, of which it has no fewer.
func (m *logMachine) prefix(s model.State, length int64) model.State {
	for m.nodes[s].length > length {
		if j := m.jumps[s]; m.nodes[j].length >= length {
			s = j
		} else {
			s = m.nodes[s].before
		}
	}
	return s
}

func (m *logMachine) Init() model.State { return m.init }

func (m *logMachine) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	o := &m.ops[op]
	length := m.nodes[s].length
	if !o.Reads {
		if o.Known && o.Offset != length {
			return dst
		}
		return append(dst, m.push(s, o.Value))
	}
	if !o.Known {
		return append(dst, s)
	}
	found, there := int64(len(o.Values)), max(0, length-o.Offset)
	if found > there || found < there && !o.Limited {
		return dst
	}
	at := s
	if o.Limited {
		at = m.prefix(s, o.Offset+found)
	}
	for i := len(o.Values) - 1; i >= 0; i-- {
		if m.nodes[at].value != o.Values[i] {
			return dst
		}
		at = m.nodes[at].before
	}
	return append(dst, s)
}

// from lists the values of a log from an offset on.
func (m *logMachine) from(s model.State, offset int64) []history.Value {
	var values []history.Value
	for ; m.nodes[s].length > offset; s = m.nodes[s].before {
		values = append(values, m.nodes[s].value)
	}
	slices.Reverse(values)
	return values
}

func (m *logMachine) Describe(s model.State) string {
	if s == 0 {
		return "empty"
	}
	b := []byte{'['}
	for i, v := range m.from(s, 0) {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = m.values.AppendJSON(b, v)
	}
	return string(append(b, ']'))
}

func (m *logMachine) Bytes() int64 { return int64(len(m.nodes)) * 72 }

func (m *logMachine) refusal(s model.State, op history.OpID) string {
	o := &m.ops[op]
	length := m.nodes[s].length
	switch {
	case !o.Known:
		return ""
	case !o.Reads && o.Offset == length:
		return ""
	case !o.Reads:
		return fmt.Sprintf("the next offset is %d, not %d", length, o.Offset)
	}
	if o.Limited {
		s = m.prefix(s, min(length, o.Offset+int64(len(o.Values))))
	}
	there := m.from(s, o.Offset)
	if len(there) != len(o.Values) {
		return fmt.Sprintf("the log has %s from offset %d on, not %d", counted(len(there)), o.Offset, len(o.Values))
	}
	for i, v := range there {
		if v != o.Values[i] {
			return fmt.Sprintf("offset %d holds %s, not %s", o.Offset+int64(i), m.values.Format(v),
				m.values.Format(o.Values[i]))
		}
	}
	return ""
}

func counted(n int) string {
	if n == 1 {
		return "1 value"
	}
	return strconv.Itoa(n) + " values"
}

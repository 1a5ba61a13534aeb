package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// UniqueIDs returns the specification of a generator of ids: generate returns one that it has never
// returned before. Its initial state is a list of ids that may not be returned; empty by default.
//
// It is a set to which generate adds what it returns, which was absent. An operation whose result
// is not known returned some id that occurs nowhere else, of which there are always more.
func UniqueIDs() model.Spec { return uniqueIDs }

var uniqueIDs = newTable(table{
	info: model.Info{
		Name:    "unique-ids",
		Summary: "ids, each of which is returned once",
		Initial: "a list of ids that were returned before (default: none)",
		Piece:   "id",
		Example: `{"spec": "unique-ids", "operations": [{"process": 0, "f": "generate", "call": 0, "return": 3, "result": "a-1"}, ` +
			`{"process": 1, "f": "generate", "call": 1, "return": 2, "result": "b-1"}, {"process": 1, "f": "generate", "call": 4}, ` +
			`{"process": 0, "f": "generate", "call": 5, "return": 6, "result": "a-2"}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "generate", Aliases: []string{"generateid", "newid", "uniqueid"},
			Result: "an id, any value other than null"}, arg: noArgument, observes: true},
	},
	bind:         bindUniqueIDs,
	undetermined: "every id",
	footprint: func(h *history.History, i history.OpID, dst []history.Value) []history.Value {
		if h.Ops[i].Unknown {
			return append(dst, history.Nil)
		}
		return append(dst, h.Ops[i].Result)
	},
})

func bindUniqueIDs(s *table, p *model.Partition) (*model.Instance, error) {
	all := &setBound{}
	k := &all.part
	var numbers numbering
	numbers.open(p)
	k.part, k.table, k.ops = p, p.History.Values, make([]setOp, len(p.Ops))
	err := s.each(p, func(i history.OpID, _ int, _ int64) error {
		switch o := &p.Ops[i]; {
		case o.Unknown: // null is no id
			k.ops[i] = setOp{verb: setContains, x: numbers.of(history.Nil)}
		case o.Result == history.Nil:
			return wrongResult(p, i, "an id")
		default:
			k.ops[i] = setOp{verb: setAdd, x: numbers.of(o.Result), result: yes}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	initial, err := initialElements(s, p, &numbers, false)
	if err != nil {
		return nil, err
	}
	b := all.finish(s, &numbers, initial, true)
	b.Refusal = func(_ model.Machine, _ model.State, op history.OpID) string {
		return shorten(k.table.Format(p.Ops[op].Result)) + " was returned before"
	}
	return b, nil
}

package stale

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
)

// History is a history as objects that are decided one by one.
type History struct {
	Info    model.Info
	From    *history.History
	Objects []Object
	Silent  []Op // what returned and says nothing, if some operations are in a stated order
}

// Object is a register, a key or an element, with its operations in the order of their calls. Reads
// that are pending or of unknown result say nothing, and are not among them.
type Object struct {
	Name    string // key "x", element 3; "" of the only one
	Initial int32
	Ops     []Op
}

// Op is an operation of an object.
type Op struct {
	ID           history.OpID // in the history
	Read         bool
	Call, Return history.Rank // Return is history.Never while pending
	Modes        []model.Mode // what it may do; a completed one does one of them
}

// Pending reports whether the operation never returned, so that it need not have taken effect.
func (o *Op) Pending() bool { return o.Return == history.Never }

// Supported lists the specifications whose reads may be stale.
func Supported() string {
	var names []string
	for name, read := range model.OldReads {
		names = append(names, fmt.Sprintf("%s (%s)", name, read))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// Supports reports whether the reads of a specification may be stale.
func Supports(name string) bool { return model.OldReads[name] != "" }

// Of makes objects of a history of a specification that is supported. Its errors are
// *history.Error.
func Of(sp model.Spec, h *history.History) (*History, error) {
	info := sp.Info()
	names := specs.NameTable(info.Operations)
	verbs := specs.VerbsOf(&info, h, names)
	read := names[model.OldReads[info.Name]]
	out := &History{Info: info, From: h}
	untied := *h
	untied.Edges = nil
	parts := model.Split(sp, &untied, model.ByKey)
	out.Objects = make([]Object, 0, len(parts))
	for _, p := range parts {
		b, err := sp.Bind(p)
		if err != nil {
			return nil, err
		}
		theory, ok := b.Theory.(*model.RegisterTheory)
		for i := range p.Ops {
			switch f, _ := h.Values.AsString(p.Ops[i].F); {
			case info.Name == "kv" && verbs.Of(p.Ops[i].F) == names["append"]:
				return nil, p.Error(history.OpID(i), f+" among stale reads", "append makes of the value another one; "+
					"stale reads are of what is written as a whole")
			case !ok:
				if info.Name == "set" && verbs.Of(p.Ops[i].F) >= names["size"] {
					return nil, p.Error(history.OpID(i), f+" among stale reads",
						"stale reads of a set are of one element; leave out what reads the whole set")
				}
			}
		}
		if !ok {
			return nil, fmt.Errorf("%s: the operations of %s are not of one value at a time", h.Source, info.Name)
		}
		o := Object{Name: p.Title(info), Ops: make([]Op, 0, len(p.Ops))}
		if len(p.Ops) > 0 {
			o.Initial = theory.Init[theory.Object[0]]
		}
		for i := range p.Ops {
			op := &p.Ops[i]
			modes := theory.Of(history.OpID(i))
			isRead := verbs.Of(op.F) == read
			if isRead && (op.Pending() || len(modes) == 1 && modes[0].Test == model.Any) {
				if len(h.Edges) > 0 && !op.Pending() {
					out.Silent = append(out.Silent, Op{p.Global(history.OpID(i)), true, op.Call, op.Return, nil})
				}
				continue
			}
			o.Ops = append(o.Ops, Op{p.Global(history.OpID(i)), isRead, op.Call, op.Return, modes})
		}
		out.Objects = append(out.Objects, o)
	}
	return out, nil
}

// Timed returns nil if the order of the history is that of its times, as far as these differ.
func (h *History) Timed() error {
	type event struct {
		rank history.Rank
		time int64
	}
	var events []event
	for i := range h.From.Ops {
		o, from := &h.From.Ops[i], &h.From.Origins[i]
		events = append(events, event{o.Call, from.CallTime})
		if !o.Pending() {
			events = append(events, event{o.Return, from.ReturnTime})
		}
	}
	sort.Slice(events, func(a, b int) bool { return events[a].rank < events[b].rank })
	for k := 1; k < len(events); k++ {
		if events[k].time < events[k-1].time {
			return fmt.Errorf("%s: the order of its operations is not that of their times", h.From.Source)
		}
	}
	return nil
}

// OnlyReadsAndWrites returns an error about an operation that is neither a read nor a write: what
// is regular is a question about those only.
func (h *History) OnlyReadsAndWrites() error {
	for k := range h.Objects {
		for i := range h.Objects[k].Ops {
			o := &h.Objects[k].Ops[i]
			if len(o.Modes) == 1 && (o.Read || o.Modes[0].Test == model.Any && o.Modes[0].Leaves != model.Keep) {
				continue
			}
			f, _ := h.From.Values.AsString(h.From.Ops[o.ID].F)
			return h.From.OpError(o.ID, f+", which says what it found, where the question is what is regular",
				"registers are regular whose operations only read, or only write")
		}
	}
	return nil
}

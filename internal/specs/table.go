package specs

import (
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// table is a shipped specification: its Info, a row for every operation, and how a partition is
// bound once the rows have read its names and arguments.
type table struct {
	info model.Info // without Operations, which are those of the rows
	rows []row
	// bind binds a partition of one object.
	bind func(s *table, p *model.Partition) (*model.Instance, error)
	// footprint is Spec.Footprint; nil where every operation concerns the whole object.
	footprint func(h *history.History, i history.OpID, dst []history.Value) []history.Value
	// undetermined says, in words, what may be unknown about the object: see Relax.
	undetermined string
	discipline   *discipline // of a queue, a stack or a priority queue
	order        *ordering   // among the items of a collection, nil if there is none
	names        map[string]int
	one          func(p *model.Partition) (*model.Instance, error) // bind
	// prepare is bind in two steps, for one object; nil if it is one step.
	prepare func(s *table, p *model.Partition) (model.Prepared, error)
	// together is prepare for all objects of a history of few operations; nil if there is none.
	together func(s *table, parts []*model.Partition, prepared []model.Prepared) error
}

// row is one operation.
type row struct {
	model.Operation
	arg      *argument // what the argument must be; nil if bind reads it
	result   verdict   // reads a result that is true or false; nil if bind reads it
	observes bool      // null is an observation (nothing was there), so a history must state it
	does     model.Action
	class    model.ClassID // newTable sets it
}

// argument says what the argument of an operation must be, and reads it as a number.
type argument struct {
	words string
	read  func(t *history.Values, v history.Value) (n int64, ok bool)
}

// The arguments of several specifications.
var (
	noArgument = &argument{"null: it takes no argument", func(_ *history.Values, v history.Value) (int64, bool) {
		return 0, v == history.Nil
	}}
	anyValue = &argument{"a value", present}
)

func present(_ *history.Values, v history.Value) (int64, bool) { return 0, v != history.Nil }

// newTable completes a table with what its rows imply.
func newTable(t table) *table {
	for i := range t.rows {
		r := &t.rows[i]
		r.class = model.ClassID(slices.IndexFunc(t.info.Classes, func(c model.Class) bool {
			return slices.Contains(c.Operations, r.Name)
		}))
		t.info.Operations = append(t.info.Operations, r.Operation)
	}
	t.names = NameTable(t.info.Operations)
	t.one = func(p *model.Partition) (*model.Instance, error) { return t.bind(&t, p) }
	return &t
}

// Info implements model.Spec.
func (s *table) Info() model.Info { return s.info }

// Footprints implements model.Footprinted.
func (s *table) Footprints() model.Footprints {
	switch {
	case s.footprint == nil:
		return model.WholeFootprints
	case s.info.KeyIsPiece: // touchesKey
		return model.KeyFootprints
	}
	return model.AnyFootprints
}

// Footprint implements model.Spec.
func (s *table) Footprint(h *history.History, i history.OpID, dst []history.Value) []history.Value {
	if s.footprint == nil {
		return append(dst, model.Everything)
	}
	return s.footprint(h, i, dst)
}

// Bind implements model.Spec.
func (s *table) Bind(p *model.Partition) (*model.Instance, error) {
	return model.BindObjects(s, p, s.one)
}

// Prepare implements model.Preparer.
func (s *table) Prepare(p *model.Partition) (model.Prepared, error) {
	if s.prepare != nil && model.OneObject(p) {
		return s.prepare(s, p)
	}
	return s.Bind(p)
}

// PrepareAll implements model.Preparer.
func (s *table) PrepareAll(parts []*model.Partition, prepared []model.Prepared) (err error) {
	if s.together != nil && !slices.ContainsFunc(parts, func(p *model.Partition) bool { return !model.OneObject(p) }) {
		return s.together(s, parts, prepared)
	}
	for i, p := range parts {
		if prepared[i], err = s.Prepare(p); err != nil {
			return err
		}
	}
	return nil
}

// instance returns an instance with room for the data of every operation.
func (s *table) instance(p *model.Partition) *model.Instance {
	return &model.Instance{Spec: s, Partition: p, ReadOnly: make([]bool, len(p.Ops)),
		EquivID: make([]int32, len(p.Ops))}
}

// each calls resolve with every operation of p, the number of its row, and its argument as the row
// reads it. It refuses names that no row has, and arguments that do not fit.
func (s *table) each(p *model.Partition, resolve func(i history.OpID, verb int, n int64) error) error {
	verbs := s.verbs(p)
	for k := range p.Ops {
		verb, n, err := s.row(verbs, p, history.OpID(k))
		if err != nil {
			return err
		}
		if err := resolve(history.OpID(k), verb, n); err != nil {
			return err
		}
	}
	return nil
}

// verbs resolves the names of operations.
func (s *table) verbs(p *model.Partition) *verbs {
	return &verbs{info: &s.info, h: p.History, names: s.names, renaming: p.Renaming}
}

// row returns the number of the row of operation i, and its argument as the row reads it.
func (s *table) row(verbs *verbs, p *model.Partition, i history.OpID) (verb int, n int64, err error) {
	o := &p.Ops[i]
	if verb = verbs.Of(o.F); verb < 0 {
		return 0, 0, verbs.Unknown(p, i)
	}
	if arg := s.rows[verb].arg; arg != nil {
		var ok bool
		if n, ok = arg.read(p.History.Values, o.Arg); !ok {
			return 0, 0, wrongArg(p, i, arg.words)
		}
	}
	return verb, n, nil
}

// stated reports whether the history states an initial state.
func stated(p *model.Partition) bool { return p.HasInitial && p.Initial != history.Nil }

// alike numbers operations by what they do, from 0: those that do the same get equal numbers.
type alike[K comparable] map[K]int32

func (a alike[K]) of(k K) int32 {
	n, known := a[k]
	if !known {
		n = int32(len(a))
		a[k] = n
	}
	return n
}

// wrongInitial is the error for an initial state of a wrong type.
func (s *table) wrongInitial(p *model.Partition) error {
	return &history.Error{File: p.History.Source, What: fmt.Sprintf("initial state of %s is %s, not %s", s.info.Name,
		p.History.Values.Format(p.Initial), s.info.Initial),
		Hint: "state it with --initial or \"initial\""}
}

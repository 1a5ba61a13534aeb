package specs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// SemanticRelaxation says how far the steps of an object may deviate: relaxations of its semantics
// [Henzinger, Kirsch, Payer, Sezgin, Sokolova, Quantitative relaxation of concurrent data
// structures, POPL'13]. Unlike a quasi factor, which lets the operations of a run trade places, it
// changes the specification itself. A bound of 0 does not relax. docs/quasi.md says exactly
// what each bound allows, with examples.
type SemanticRelaxation struct {
	// OutOfOrder: a removal may take an item that at most so many others should leave before, or
	// find nothing if there are at most so many items. Unless Lateness is given too, insertions may
	// likewise miss their place, and peeks the item that they should see.
	OutOfOrder int
	// Lateness: the item that leaves next is passed over by at most so many removals. Only removals
	// may be out of order, and, unless OutOfOrder is given, by any distance.
	Lateness int
	// Stuttering: at most so many times in a row, a change of the state is left out, while the
	// operation returns as if it was made.
	Stuttering int
}

// maxSemantics bounds the bounds: no history is as long.
const maxSemantics = 1 << 30

// ParseSemanticRelaxation reads what --relax takes: "out-of-order=2,lateness=2,stuttering=1", any
// of the three. If out-of-order or lateness is 0, nothing can be out of order, so both are 0.
func ParseSemanticRelaxation(text string) (SemanticRelaxation, error) {
	var x SemanticRelaxation
	fields := map[string]*int{"out-of-order": &x.OutOfOrder, "lateness": &x.Lateness, "stuttering": &x.Stuttering}
	given := map[string]bool{}
	for item := range strings.SplitSeq(text, ",") {
		name, bound, _ := strings.Cut(item, "=")
		name, bound = strings.TrimSpace(name), strings.TrimSpace(bound)
		field, ok := fields[name]
		switch {
		case name == "":
			return SemanticRelaxation{}, errors.New("a relaxation is missing")
		case !ok:
			return SemanticRelaxation{}, fmt.Errorf("unknown relaxation %q (want out-of-order, lateness or stuttering)",
				name)
		case given[name]:
			return SemanticRelaxation{}, fmt.Errorf("relaxation %s is given twice", name)
		}
		k, err := strconv.Atoi(bound)
		if err != nil || k < 0 || k > maxSemantics {
			return SemanticRelaxation{}, fmt.Errorf("bound %q of relaxation %s is not a number from 0 to %d", bound,
				name, maxSemantics)
		}
		given[name], *field = true, k
	}
	if given["out-of-order"] && x.OutOfOrder == 0 || given["lateness"] && x.Lateness == 0 {
		x.OutOfOrder, x.Lateness = 0, 0
	}
	return x, nil
}

// String writes what ParseSemanticRelaxation reads, or "nothing".
func (x SemanticRelaxation) String() string {
	var parts []string
	for _, p := range []struct {
		name  string
		bound int
	}{{"out-of-order", x.OutOfOrder}, {"lateness", x.Lateness}, {"stuttering", x.Stuttering}} {
		if p.bound > 0 {
			parts = append(parts, p.name+"="+strconv.Itoa(p.bound))
		}
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ",")
}

// undetermined says, in words, what may be unknown about the object of a specification whose states
// then stand for several possible objects; "" for other specifications. An operation that reveals
// more changes such a state, but not the object, so leaving out that change makes no sense.
func undetermined(s model.Spec) string {
	if t, ok := s.(*table); ok {
		return t.undetermined
	}
	return ""
}

// Relax returns s relaxed by x. OutOfOrder and Lateness need an order among items (queue, stack,
// deque, priority queue); Stuttering works for every specification whose states are those of the
// object. The result only has machines: no theory, and no classes, so it cannot be combined with a
// quasi factor. Every object has its own counts. Under Stuttering it is not partitioned further,
// since its pieces share the count.
func Relax(s model.Spec, x SemanticRelaxation) (model.Spec, error) {
	if s == nil {
		return nil, errors.New("there is no specification to relax: it is nil")
	}
	if original, names := Renamed(s); names != nil {
		r, err := Relax(original, x)
		if err != nil {
			return nil, err
		}
		return Rename(r, names)
	}
	if x.OutOfOrder < 0 || x.Lateness < 0 || x.Stuttering < 0 ||
		max(x.OutOfOrder, x.Lateness, x.Stuttering) > maxSemantics {
		return nil, fmt.Errorf("the bounds of a relaxation are numbers from 0 to %d", maxSemantics)
	}
	info := s.Info()
	if _, twice := s.(*relaxed); twice {
		return nil, fmt.Errorf("%s is relaxed already", info.Name)
	}
	if _, ordered := orderingOf(s); !ordered && x.OutOfOrder+x.Lateness > 0 {
		return nil,
			fmt.Errorf(
				"%s has no order among items: out-of-order and lateness are for queue, stack, deque and priority-queue",
				info.Name)
	}
	if what := undetermined(s); what != "" && x.Stuttering > 0 {
		return nil,
			fmt.Errorf(
				"stuttering is not defined for %s: a history need not show %s, so it is unknown which operations "+
					"change the state", info.Name, what)
	}
	info.Name = fmt.Sprintf("%s relaxed(%v)", info.Name, x)
	info.Summary = fmt.Sprintf("%s, relaxed by %v", info.Summary, x)
	info.Classes, info.Drain, info.Example = nil, "", ""
	if x.OutOfOrder+x.Lateness > 0 {
		info.Operations = slices.DeleteFunc(slices.Clone(info.Operations), func(o model.Operation) bool {
			return o.Name == sizeOperation.Name || o.Name == drainOperation.Name
		})
	}
	return &relaxed{strict: s, by: x, info: info}, nil
}

// Relaxed returns the specification from which Relax made s, and by what it is relaxed; ok reports
// whether Relax made s.
func Relaxed(s model.Spec) (strict model.Spec, by SemanticRelaxation, ok bool) {
	s, _ = Renamed(s)
	r, ok := s.(*relaxed)
	if !ok {
		return s, SemanticRelaxation{}, false
	}
	return r.strict, r.by, true
}

// relaxed is a specification under a SemanticRelaxation.
type relaxed struct {
	strict model.Spec
	by     SemanticRelaxation
	info   model.Info
}

// Unwrap returns the specification that was relaxed.
func (r *relaxed) Unwrap() model.Spec { return r.strict }

func (r *relaxed) Info() model.Info { return r.info }

// Footprint is the whole object under Stuttering: changes left out are counted for all of it.
func (r *relaxed) Footprint(h *history.History, i history.OpID, dst []history.Value) []history.Value {
	if r.by.Stuttering > 0 {
		return append(dst, model.Everything)
	}
	return r.strict.Footprint(h, i, dst)
}

func (r *relaxed) Bind(p *model.Partition) (*model.Instance, error) {
	one := r.bindStuttering
	if o, ordered := orderingOf(r.strict); ordered && r.by.OutOfOrder+r.by.Lateness > 0 {
		one = func(p *model.Partition) (*model.Instance, error) { return r.bindOutOfOrder(o, p) }
	}
	if r.info.KeyIsPiece {
		return one(p)
	}
	return model.BindObjects(r, p, one)
}

package quasi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/displacement"
	"github.com/linsat/linsat/internal/quasi/sets"
	"github.com/linsat/linsat/spec/meta"
)

// Unbounded is the bound of a class whose operations may move anywhere.
const Unbounded = displacement.Unbounded

// Factor gives every class of a specification a bound: how many places, counted within the class,
// one of its operations may move. It is indexed like meta.Info.Classes; for a register, a map or a
// set it has one bound, by how many writes a read may be late.
type Factor []int32

// Zero reports whether no operation may move: plain linearizability.
func (f Factor) Zero() bool {
	for _, b := range f {
		if b != 0 {
			return false
		}
	}
	return true
}

// Meaning selects one of the two definitions of quasi-linearizability.
type Meaning uint8

// The meanings.
const (
	// Slots keeps the pattern of classes of the linearization ρ′: ρ″ differs only in which
	// operation of a class sits in which of that class's places (Round-Up, Algorithms 1 and 2).
	Slots Meaning = iota
	// Classes leaves the order between classes free in ρ″ (Round-Up, Definition 4; Afek, Korland
	// and Yanovsky).
	Classes
)

func (m Meaning) String() string {
	if m > Classes {
		return fmt.Sprintf("meaning %d", uint8(m))
	}
	return [...]string{"slots", "classes"}[m]
}

// MarshalText writes a meaning as a word.
func (m Meaning) MarshalText() ([]byte, error) {
	if m > Classes {
		return nil, fmt.Errorf("there is no quasi %v (want slots or classes)", m)
	}
	return []byte(m.String()), nil
}

// UnmarshalText reads a meaning: "slots" or "classes".
func (m *Meaning) UnmarshalText(text []byte) error {
	for _, known := range [...]Meaning{Slots, Classes} {
		if string(text) == known.String() {
			*m = known
			return nil
		}
	}
	return fmt.Errorf("unknown quasi meaning %q (want slots or classes)", text)
}

// Set bounds a set of operations that need not be a class (Round-Up, Definition 3). Sets may
// overlap each other and the classes, whose bounds hold besides.
type Set struct {
	// Operations is "enq(1|3)+deq": operations by class or by name, with values or without them.
	Operations string
	Bound      int32
}

// Question is a question of quasi-linearizability.
type Question struct {
	Factor Factor
	Sets   []Set
	// Free, unless it is nil, asks for the least bound that the classes which it marks can share;
	// those of Factor do not count for them. Sets keep their bounds.
	Free    []bool
	Meaning Meaning
	Drain   bool // left-over values are removed at the end (docs/quasi.md)
	Causal  bool // in ρ′ no value is removed before it is inserted
}

// Plain reports whether the question is that of linearizability: no operation may move, and ρ″ has
// the pattern of ρ′, so that they are the same. Sets, drains and causality then restrict nothing.
// Where Classes leaves the order between classes free, ρ″ may differ.
func (r Question) Plain() bool { return r.Meaning == Slots && r.Factor.Zero() }

// Validate returns what is wrong with the question for a specification, or nil.
func (r Question) Validate(info meta.Info) error {
	if err := relaxable(info); err != nil {
		return err
	}
	if model.ReadsAlone(&info) {
		return r.validateReads(info)
	}
	if len(r.Factor) != len(info.Classes) {
		return fmt.Errorf("a quasi factor with %d bounds for the %d classes of %s (%s); quasi.Parse makes one",
			len(r.Factor), len(info.Classes), info.Name, classNames(info))
	}
	for c, b := range r.Factor {
		if b < 0 {
			return fmt.Errorf("the quasi bound %d of class %s is negative (want 0 or more, or quasi.Unbounded)", b,
				info.Classes[c].Name)
		}
	}
	for _, set := range r.Sets {
		if _, err := sets.Terms(info, set.Operations); err != nil {
			return err
		}
		if set.Bound < 0 {
			return fmt.Errorf("the quasi bound %d of %s is negative (want 0 or more, or quasi.Unbounded)", set.Bound,
				set.Operations)
		}
	}
	if len(r.Sets) > 0 && r.Causal {
		return fmt.Errorf("causality cannot be asked for where sets of operations are bounded")
	}
	if r.Meaning > Classes {
		return fmt.Errorf("unknown quasi meaning %d (want quasi.Slots or quasi.Classes)", r.Meaning)
	}
	if r.Free != nil && len(r.Free) != len(info.Classes) {
		return fmt.Errorf("a question that names %d classes as free or not, where %s has %d (%s); quasi.Parse makes one",
			len(r.Free), info.Name, len(info.Classes), classNames(info))
	}
	if r.Free != nil && !slices.Contains(r.Free, true) {
		return fmt.Errorf(
			"a question for the least bound that leaves no class free; quasi.Parse(info, \"min\") makes one")
	}
	return nil
}

// validateReads is Validate where the question is how old reads may be.
func (r Question) validateReads(info meta.Info) error {
	switch {
	case len(r.Factor) != 1 || r.Factor[0] < 0 || r.Free != nil && (len(r.Free) != 1 || !r.Free[0]):
		return fmt.Errorf("the question how old reads of %s may be has one bound of 0 or more; quasi.Parse makes one",
			info.Name)
	case len(r.Sets) > 0 || r.Causal || r.Meaning != Slots:
		return fmt.Errorf("the question how old reads of %s may be has one meaning, and no sets", info.Name)
	}
	return nil
}

// parseReads is Parse where the question is how old reads may be.
func parseReads(text string) (Question, error) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "reads=")
	if text == "min" {
		return Question{Factor: Factor{0}, Free: []bool{true}}, nil
	}
	b, err := parseBound(text)
	return Question{Factor: Factor{b}}, err
}

// relaxable refuses a specification without relaxable classes.
func relaxable(info meta.Info) error {
	if !model.ReadsAlone(&info) && !slices.ContainsFunc(info.Classes, func(c model.Class) bool { return c.Relaxable }) {
		return fmt.Errorf("%s has no relaxable classes, so quasi-linearizability is not defined for it", info.Name)
	}
	return nil
}

func classNames(info meta.Info) string {
	var names []string
	for _, c := range info.Classes {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// Parse reads "2", "deq=2,enq=1" (classes named by themselves or by any of their operations), "inf"
// as a bound, "min", or "min,enq=1". "min" frees the relaxable classes that have no bound. Sets of
// operations have values in parentheses or are joined by "+": "deq=2,enq(1|3)=0,enq+deq=4"; a name
// in a set is that of a class or of one operation. Of a register, a map or a set it reads "2" or
// "reads=2", "inf" or "min". It refuses other specifications without relaxable classes.
func Parse(info meta.Info, text string) (Question, error) {
	r := Question{Factor: make(Factor, len(info.Classes))}
	if err := relaxable(info); err != nil {
		return r, err
	}
	if model.ReadsAlone(&info) {
		return parseReads(text)
	}
	fixed := make([]bool, len(info.Classes))
	uniform := int32(-1)
	for _, item := range sets.Split(text, ',') {
		item = strings.TrimSpace(item)
		name, bound, named := cutLast(item, "=")
		switch {
		case named && strings.ContainsAny(name, "(+"):
			b, err := parseBound(strings.TrimSpace(bound))
			if err != nil {
				return r, err
			}
			r.Sets = append(r.Sets, Set{strings.TrimSpace(name), b})
			if _, err := sets.Terms(info, name); err != nil {
				return r, err
			}
		case named:
			c, err := classOf(info, strings.TrimSpace(name))
			if err != nil {
				return r, err
			}
			b, err := parseBound(strings.TrimSpace(bound))
			if err != nil {
				return r, err
			}
			if fixed[c] {
				return r, fmt.Errorf("class %s is given two bounds in %q", info.Classes[c].Name, text)
			}
			r.Factor[c], fixed[c] = b, true
		case item == "min" && r.Free == nil && uniform < 0:
			r.Free = make([]bool, len(info.Classes))
		case r.Free == nil && uniform < 0:
			b, err := parseBound(item)
			if err != nil {
				return r, err
			}
			uniform = b
		default:
			return r, fmt.Errorf("quasi factor %q names more than one uniform bound", text)
		}
	}
	for c := range info.Classes {
		if fixed[c] || !info.Classes[c].Relaxable {
			continue
		}
		if r.Free != nil {
			r.Free[c] = true
		} else if uniform >= 0 {
			r.Factor[c] = uniform
		}
	}
	return r, nil
}

// cutLast cuts s around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func parseBound(s string) (int32, error) {
	if s == "inf" || s == "∞" {
		return Unbounded, nil
	}
	b, err := strconv.ParseInt(s, 10, 32)
	if err != nil || b < 0 || int32(b) == Unbounded {
		return 0, fmt.Errorf("invalid quasi bound %q (want a number such as 0 or 2, or inf)", s)
	}
	return int32(b), nil
}

func classOf(info meta.Info, name string) (int, error) {
	for i, c := range info.Classes {
		if c.Name == name {
			return i, nil
		}
		for _, op := range c.Operations {
			if op == name {
				return i, nil
			}
			for _, o := range info.Operations {
				if o.Name != op {
					continue
				}
				for _, a := range o.Aliases {
					if a == name {
						return i, nil
					}
				}
			}
		}
	}
	return 0, fmt.Errorf("%s has no class or operation %q: its classes are %s", info.Name, name, classNames(info))
}

// String writes the factor as --quasi takes it, given the specification that it is for.
func (f Factor) String(info meta.Info) string {
	var items []string
	if model.ReadsAlone(&info) && len(f) == 1 {
		return "reads=" + displacement.FormatBound(f[0])
	}
	for c, b := range f {
		if c < len(info.Classes) && (b != 0 || info.Classes[c].Relaxable) {
			items = append(items, info.Classes[c].Name+"="+displacement.FormatBound(b))
		}
	}
	return strings.Join(items, ",")
}

// Bounds writes the bounds of the question as --quasi takes them.
func (r Question) Bounds(info meta.Info) string {
	text := r.Factor.String(info)
	for _, s := range r.Sets {
		text += "," + s.Operations + "=" + displacement.FormatBound(s.Bound)
	}
	return text
}

package specs

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// verbs resolves the operation names of one history: Values number of a name → index into
// Info.Operations.
type verbs struct {
	info  *model.Info
	h     *history.History
	quick [quickNames]int8 // by the number of a name: what Of returns plus quickOffset, 0: not met
	few   [4]verb          // other names met so far, if they are as few as usual
	n     int
	more  []verb
	names map[string]int

	renaming *model.Renaming // nil unless the history has names of its own for operations
}

const quickOffset = 2

// verb is a name that was met.
type verb struct {
	f history.Value
	k int
}

// VerbsOf resolves the names of h by the given table.
func VerbsOf(info *model.Info, h *history.History, names map[string]int) *verbs {
	return &verbs{info: info, h: h, names: names}
}

// NameTable finds operations by any of their names, folded.
func NameTable(operations []model.Operation) map[string]int {
	names := map[string]int{}
	for i, o := range operations {
		names[Fold(o.Name)] = i
		for _, a := range o.Aliases {
			names[Fold(a)] = i
		}
	}
	return names
}

var separators = strings.NewReplacer("-", "", "_", "")

// Fold makes names that differ only in case, dashes and underscores equal.
func Fold(name string) string {
	return strings.ToLower(separators.Replace(name))
}

// Of returns the index of operation i's name in Info.Operations, or -1 if the specification has
// no such operation.
func (v *verbs) Of(f history.Value) int {
	if k := uint32(f); k < quickNames && v.quick[k] != 0 {
		return int(v.quick[k]) - quickOffset
	}
	return v.meet(f)
}

// meet is Of for a name that may be new.
func (v *verbs) meet(f history.Value) int {
	if f == model.DrainName {
		return v.names[Fold(v.info.Drain)]
	}
	for i := range v.n {
		if v.few[i].f == f {
			return v.few[i].k
		}
	}
	for _, known := range v.more {
		if known.f == f {
			return known.k
		}
	}
	k := -1
	if name, isString := v.h.Values.AsString(f); isString {
		i, found := v.names[name] // which are folded
		if !found || v.renaming != nil {
			name = Fold(name)
			if v.renaming != nil {
				name = v.renaming.Original(name)
			}
			i, found = v.names[name]
		}
		if found {
			k = i
		}
	}
	switch {
	case uint32(f) < quickNames:
		v.quick[f] = int8(k + quickOffset)
	case v.n < len(v.few):
		v.few[v.n] = verb{f, k}
		v.n++
	default:
		v.more = append(v.more, verb{f, k})
	}
	return k
}

// Unknown is the error for an operation that the specification does not have.
func (v *verbs) Unknown(p *model.Partition, i history.OpID) error {
	info := v.info
	if v.renaming != nil {
		info = &v.renaming.Info
	}
	var names []string
	for _, o := range info.Operations {
		names = append(names, o.Name)
	}
	sort.Strings(names)
	return p.Error(i, fmt.Sprintf("%s has no operation %s", v.info.Name, p.History.Values.Format(p.Ops[i].F)),
		"its operations are "+strings.Join(names, ", ")+"; --spec names another specification")
}

// wrongArg and wrongResult are the errors for values of a wrong type.
func wrongArg(p *model.Partition, i history.OpID, want string) error {
	return wrong(p, i, "argument", p.Ops[i].Arg, want)
}

func wrongResult(p *model.Partition, i history.OpID, want string) error {
	return wrong(p, i, "result", p.Ops[i].Result, want)
}

func wrong(p *model.Partition, i history.OpID, what string, v history.Value, want string) error {
	t := p.History.Values
	return p.Error(i, fmt.Sprintf("%s of %s is %s, not %s", what, t.Format(p.Ops[i].F), t.Format(v), want),
		"`linsat specs` shows every operation with its arguments and results")
}

// howMany reads how many there are. Digits beyond int64, which an unsigned integer becomes in a
// history, are more than any.
func howMany(t *history.Values, v history.Value) (n int64, ok bool) {
	if n, ok = t.AsInt(v); ok {
		return n, true
	}
	text, _ := t.AsString(v)
	if m, err := strconv.ParseUint(text, 10, 64); err != nil || m <= math.MaxInt64 {
		return 0, false
	}
	return math.MaxInt64, true
}

// acknowledges reports whether the result of operation i only says that it is done: null, true,
// "ok", or the argument again, as Jepsen's clients return.
func acknowledges(p *model.Partition, i history.OpID) bool {
	o := &p.Ops[i]
	if o.Unknown || o.Result == history.Nil || o.Result == history.True || o.Result == o.Arg {
		return true
	}
	s, isString := p.History.Values.AsString(o.Result)
	return isString && strings.EqualFold(s, "ok")
}

// noResult is the error for operation i, which has no result, if it returned more than an
// acknowledgement. To ignore that would be to check another history.
func noResult(p *model.Partition, i history.OpID, hint string) error {
	if acknowledges(p, i) {
		return nil
	}
	t := p.History.Values
	o := &p.Ops[i]
	switch {
	case o.Result == history.False && hint == "":
		hint = "an operation that did not take effect has the status fail"
	case hint == "":
		hint = "`linsat specs` shows which operations have results; null, true, \"ok\" and the argument again only " +
			"acknowledge"
	}
	return p.Error(i, fmt.Sprintf("%s gives no result, but returned %s", t.Format(o.F), shorten(t.Format(o.Result))),
		hint)
}

package oracle

import (
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
)

// readSets reads the sets of operations that the question bounds: names of classes or of operations
// joined by "+", each with values in parentheses or without. The value of an operation is its
// argument, or else its result if that is known; a drain has none.
func (a *attempt) readSets() {
	for _, s := range a.relax.Sets {
		terms := strings.Split(s.Operations, "+")
		a.inSet = append(a.inSet, func(e history.OpID) bool {
			return slices.ContainsFunc(terms, func(term string) bool {
				name, values, valued := strings.Cut(strings.TrimSuffix(term, ")"), "(")
				if !a.named(e, name) {
					return false
				}
				return !valued || slices.Contains(strings.Split(values, "|"), a.valueOf(e))
			})
		})
	}
}

// named reports whether name is that of the element's operation or of its class.
func (a *attempt) named(e history.OpID, name string) bool {
	info := a.b.Spec.Info()
	if c := a.class(e).class; c >= 0 && info.Classes[c].Name == name {
		return true
	}
	called := a.drain
	if int(e) < a.real {
		called = a.b.Partition.History.Values.Format(a.b.Partition.Ops[e].F)
		called = strings.Trim(called, `"`)
	}
	for _, o := range info.Operations {
		if all := append([]string{o.Name}, o.Aliases...); slices.Contains(all, called) && slices.Contains(all, name) {
			return true
		}
	}
	return false
}

// valueOf is the value of an element in JSON, "" if it is not known.
func (a *attempt) valueOf(e history.OpID) string {
	if int(e) >= a.real {
		return ""
	}
	o := a.b.Partition.Ops[e]
	switch {
	case o.Arg != history.Nil:
		return a.b.Partition.History.Values.Format(o.Arg)
	case o.Unknown || o.Pending():
		return ""
	}
	return a.b.Partition.History.Values.Format(o.Result)
}

// withinSets reports whether element e of ρ″ has not moved too far within any set that has it. Its
// place in ρ″ depends on what precedes it alone.
func (a *attempt) withinSets(e history.OpID) bool {
	for k, in := range a.inSet {
		if !in(e) {
			continue
		}
		place := func(order []history.OpID) (place int) {
			for _, x := range order {
				if x == e {
					break
				}
				if in(x) && a.class(x).object == a.class(e).object {
					place++
				}
			}
			return place
		}
		if move := place(a.before) - place(a.after); max(move, -move) > int(a.relax.Sets[k].Bound) {
			return false
		}
	}
	return true
}

package words

import (
	"fmt"
	"strings"

	"github.com/linsat/linsat/history"
)

// access is what an operation on several registers says of one of them.
type access struct {
	name, value history.Value
	writes      bool
}

// accesses lists what operation i says, in its order. A read whose result is not known says
// nothing.
func accesses(h *history.History, i int) (all []access) {
	o, values := &h.Ops[i], h.Values
	known := !o.Pending() && !o.Unknown && o.Result != history.Nil
	said := o.Arg
	if known {
		said = o.Result
	}
	list, _ := values.AsList(said)
	for _, e := range list {
		one, _ := values.AsList(e)
		if len(one) != 3 {
			continue
		}
		f, _ := values.AsString(one[0])
		if writes := strings.HasPrefix(strings.ToLower(f), "w"); writes || known {
			all = append(all, access{one[1], one[2], writes})
		}
	}
	pairs, _ := values.AsMap(said)
	f, _ := values.AsString(o.F)
	f = strings.ToLower(f)
	writes := !strings.HasPrefix(f, "r") && f != "get" && f != "snapshot"
	for k := 0; k < len(pairs) && (writes || known); k += 2 {
		all = append(all, access{pairs[k], pairs[k+1], writes})
	}
	return all
}

// unwrittenRegisters returns the initial values of registers, as the flag --initial takes them,
// that the reads of a refuted history without an initial state show: for each name, what the first
// read to return found, if no operation that was called before it returned writes that; "" if
// there are none.
func unwrittenRegisters(run *Run) string {
	p, h := run.Result.Partition, run.History
	if run.Result.Spec.Info().Name != "multi-register" || p.HasInitial {
		return ""
	}
	first := map[history.Value]int{} // the read of that name which returned first
	found := map[history.Value]history.Value{}
	var names []history.Value
	for i := range h.Ops {
		wrote := map[history.Value]bool{}
		for _, a := range accesses(h, i) {
			if wrote[a.name] = wrote[a.name] || a.writes; a.writes || wrote[a.name] {
				continue
			}
			k, met := first[a.name]
			if !met {
				names = append(names, a.name)
			}
			if !met || h.Ops[i].Return < h.Ops[k].Return {
				first[a.name], found[a.name] = i, a.value
			}
		}
	}
	for i := range h.Ops {
		for _, a := range accesses(h, i) {
			if k, met := first[a.name]; met && a.writes && a.value == found[a.name] && i != k &&
				h.Ops[i].Call < h.Ops[k].Return {
				found[a.name] = history.Nil
			}
		}
	}
	var initial []string
	for _, name := range names {
		if found[name] != history.Nil {
			key, isString := h.Values.AsString(name)
			if !isString {
				key = h.Values.Format(name)
			}
			initial = append(initial, h.Values.Format(h.Values.String(key))+": "+h.Values.Format(found[name]))
		}
	}
	if len(initial) == 0 {
		return ""
	}
	return shell(fmt.Sprintf("{%s}", strings.Join(initial, ", ")))
}

package gen

import "github.com/linsat/linsat/history"

// The known order of a run of etcd: the revisions that operations returned, and those at which
// ranges show the value of a put whose outcome is unknown. Recorders of etcd know the same.

// revisionOf returns the revision that an operation of etcd returned. A range at an earlier
// revision returns the current one, too.
func revisionOf(t *history.Values, e *event) (int64, bool) { return number(t, e.result, "revision") }

// number returns a field of a map.
func number(t *history.Values, v history.Value, field string) (int64, bool) {
	pairs, _ := t.AsMap(v)
	for j := 0; j < len(pairs); j += 2 {
		if name, _ := t.AsString(pairs[j]); name == field {
			return t.AsInt(pairs[j+1])
		}
	}
	return 0, false
}

// shownRevisions returns, by value, the revision at which ranges show it; nil unless every value is
// put once.
func (g *run) shownRevisions() map[history.Value]int64 {
	if store, isEtcd := g.world.objects[0].(*etcd); !isEtcd || store.plain || g.o.Values != 0 {
		return nil
	}
	shown := map[history.Value]int64{}
	var look func(v history.Value)
	look = func(v history.Value) {
		if all, isList := g.t.AsList(v); isList {
			for _, e := range all {
				look(e)
			}
			return
		}
		pairs, _ := g.t.AsMap(v)
		value := history.Nil
		for j := 0; j < len(pairs); j += 2 {
			switch name, _ := g.t.AsString(pairs[j]); name {
			case "kvs", "responses":
				look(pairs[j+1])
			case "value":
				value = pairs[j+1]
			}
		}
		if n, told := number(g.t, v, "mod"); told {
			shown[value] = n
		}
	}
	for i := range g.events {
		if e := &g.events[i]; e.ret >= 0 {
			look(e.result)
		}
	}
	return shown
}

// revision returns the revision of an operation of etcd, if it is known.
func (g *run) revision(e *event, shown map[history.Value]int64) (n int64, told bool) {
	if g.o.Spec != "etcd" {
		return 0, false
	}
	if e.ret >= 0 {
		return revisionOf(g.t, e)
	}
	var look func(v history.Value)
	look = func(v history.Value) {
		if all, isList := g.t.AsList(v); isList {
			for _, e := range all {
				look(e)
			}
			return
		}
		pairs, _ := g.t.AsMap(v)
		for j := 0; j < len(pairs); j += 2 {
			switch name, _ := g.t.AsString(pairs[j]); name {
			case "then", "else":
				look(pairs[j+1])
			case "value":
				if at, known := shown[pairs[j+1]]; known {
					n, told = at, true
				}
			}
		}
	}
	look(e.arg)
	return n, told
}

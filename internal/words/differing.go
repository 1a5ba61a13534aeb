package words

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
)

// naming returns how the sentences about r name its operations. Of maps that are too long for a
// line they show the entry that the reasons are about, or else those in which the operations differ
// that the reasons rest on: of two reads of a bank, the accounts that are not equal.
func naming(r *result.Result) func(op history.OpID) string {
	if holders[r.Spec.Info().Name] {
		return func(op history.OpID) string { return byHolder(r.Partition, op) }
	}
	shown := differing(r)
	if len(shown) == 0 {
		return func(op history.OpID) string { return Numbered(r.Partition, op) }
	}
	t := r.Partition.History.Values
	return func(op history.OpID) string {
		name := Numbered(r.Partition, op)
		if o := &r.Partition.Ops[op]; !o.Pending() && !o.Unknown && longMap(t, o.Result) {
			name = strings.Replace(name, Short(t, o.Result), entries(t, o.Result, shown), 1)
		}
		return name
	}
}

// placing is naming where the process is said besides.
func placing(r *result.Result) func(op history.OpID) string {
	if holders[r.Spec.Info().Name] {
		return func(op history.OpID) string { return Numbered(r.Partition, op) }
	}
	return naming(r)
}

// holders are the locks, of whose operations sentences say which process called them.
var holders = map[string]bool{"mutex": true, "owned-mutex": true, "reentrant-mutex": true, "fenced-mutex": true,
	"rwmutex": true, "semaphore": true}

// byHolder is Numbered with the process, and without a result where there is none.
func byHolder(p *model.Partition, i history.OpID) string {
	if p.Ops[i].F == model.DrainName {
		return p.ID(i)
	}
	return strings.TrimSuffix(Operation(p, i), " → null") + " of process " + process(p, i) + " (#" + p.ID(i) + ")"
}

// longMap reports whether v is a map that is too long for a line.
func longMap(t *history.Values, v history.Value) bool {
	_, isMap := t.AsMap(v)
	return isMap && utf8.RuneCountInString(t.Format(v)) > shortText
}

// differing lists the keys of long maps that are to be shown.
func differing(r *result.Result) (shown []history.Value) {
	if r.Partition == nil || !r.Plain() {
		return nil
	}
	t, p := r.Partition.History.Values, r.Partition
	var ops []history.OpID
	view := int32(0)
	sum, isSum := r.Proof.(*proof.SumConflict)
	switch {
	case r.Core != nil:
		for _, f := range r.Core.Facts {
			ops = append(ops, f.Operations...)
		}
		if r.Core.Weakening != nil {
			view = r.Core.Weakening.View
		}
	case isSum:
		ops, view = []history.OpID{sum.After, sum.Op}, sum.View
	}
	ops = slices.DeleteFunc(ops, func(i history.OpID) bool {
		return i < 0 || int(i) >= p.Len() || p.Ops[i].Pending() || p.Ops[i].Unknown || !longMap(t, p.Ops[i].Result)
	})
	if len(ops) == 0 {
		return nil
	}
	ops = inorder.Distinct(ops)
	maps := beside(p, ops)
	account := ""
	if b := r.Instance(); view > 0 && b != nil && b.View != nil {
		if v := b.View(view); v != nil {
			account, _ = strings.CutPrefix(v.What, "account ")
		}
	}
	first, _ := t.AsMap(p.Ops[ops[0]].Result)
	for k := 0; k+1 < len(first); k += 2 {
		key := first[k]
		if name, isString := t.AsString(key); isString && name == account || t.Format(key) == account {
			return []history.Value{key}
		}
		if slices.ContainsFunc(maps, func(v history.Value) bool { return entry(t, v, key) != first[k+1] }) {
			shown = append(shown, key)
		}
	}
	return shown
}

// beside lists the maps that operations found; beside a single one, the one that was found before,
// or that of the start.
func beside(p *model.Partition, ops []history.OpID) (maps []history.Value) {
	for _, i := range ops {
		maps = append(maps, p.Ops[i].Result)
	}
	if len(ops) > 1 {
		return maps
	}
	before := history.OpID(-1)
	for k := range p.Ops {
		if o := &p.Ops[k]; o.Return < p.Ops[ops[0]].Call && !o.Unknown && longMap(p.History.Values, o.Result) &&
			(before < 0 || o.Return > p.Ops[before].Return) {
			before = history.OpID(k)
		}
	}
	switch {
	case before >= 0:
		maps = append(maps, p.Ops[before].Result)
	case p.HasInitial && longMap(p.History.Values, p.Initial):
		maps = append(maps, p.Initial)
	}
	return maps
}

// entry is what a map has for a key, Nil for nothing.
func entry(t *history.Values, v, key history.Value) history.Value {
	pairs, _ := t.AsMap(v)
	for k := 0; k+1 < len(pairs); k += 2 {
		if pairs[k] == key {
			return pairs[k+1]
		}
	}
	return history.Nil
}

// entries writes a map with some of its keys, as many as a line has room for.
func entries(t *history.Values, v history.Value, shown []history.Value) string {
	pairs, _ := t.AsMap(v)
	var parts []string
	room := shortText
	skip := func() {
		if n := len(parts); n == 0 || parts[n-1] != "…" {
			parts = append(parts, "…")
		}
	}
	for k := 0; k+1 < len(pairs); k += 2 {
		text := mapKey(t, pairs[k]) + ": " + Short(t, pairs[k+1])
		if !slices.Contains(shown, pairs[k]) || room < utf8.RuneCountInString(text) {
			skip()
			continue
		}
		room -= utf8.RuneCountInString(text) + len(", ")
		parts = append(parts, text)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// mapKey is a key as values of the history are written.
func mapKey(t *history.Values, key history.Value) string {
	if model.KindOf(t, key) == model.KindString {
		return Short(t, key)
	}
	return `"` + Short(t, key) + `"`
}

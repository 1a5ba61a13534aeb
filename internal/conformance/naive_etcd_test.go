package conformance_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// naiveEtcd is a store in plain maps, which keeps everything: the contents at every revision,
// values and versions that nothing observes.
type naiveEtcd struct {
	revision, compacted, first int64
	kvs                        map[string]map[string]any
	leases                     map[int64]bool
	past                       map[int64]map[string]map[string]any
}

func newNaiveEtcd(initial any) naiveEtcd {
	m := naiveEtcd{revision: 1, compacted: -1, kvs: map[string]map[string]any{}, leases: map[int64]bool{},
		past: map[int64]map[string]map[string]any{}}
	start, _ := initial.(map[string]any)
	if n, ok := start["revision"].(int64); ok {
		m.revision = n
	}
	leases, _ := start["leases"].([]any)
	for _, n := range leases {
		m.leases[n.(int64)] = true
	}
	kvs, _ := start["kvs"].([]any)
	for _, kv := range kvs {
		kv := kv.(map[string]any)
		m.kvs[kv["key"].(string)] = kv
	}
	m.first = m.revision
	m.past[m.revision] = m.kvs
	return m
}

func (m naiveEtcd) step(o naiveOp) []naiveModel {
	next, response, refused := m.does(o.f, o.arg)
	if refused != "" {
		next, response = m, map[string]any{"error": refused}
	} else {
		response["revision"] = next.revision
	}
	recorded, told := o.result.(map[string]any)
	switch {
	case o.open:
	case told && (recorded["error"] != nil || refused != "") && recorded["error"] != response["error"], !told &&
		refused != "", told && !tells(recorded, response):
		return nil
	}
	return []naiveModel{next}
}

// tells reports whether a recorded result is part of a response.
func tells(recorded, response any) bool {
	switch recorded := recorded.(type) {
	case nil:
		return true
	case map[string]any:
		full, isMap := response.(map[string]any)
		if !isMap {
			return false
		}
		if full["anything"] != nil {
			full = maps.Clone(full)
			full["kvs"], full["count"] = recorded["kvs"], recorded["count"]
		}
		for field, v := range recorded {
			if _, known := full[field]; !known || !tells(v, full[field]) {
				return false
			}
		}
		return true
	case []any:
		full, isList := response.([]any)
		return isList && slices.EqualFunc(recorded, full, tells)
	}
	return recorded == response
}

// within lists the keys of a range, sorted.
func (m naiveEtcd) within(kvs map[string]map[string]any, a map[string]any) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(kvs)) {
		from := a["key"].(string)
		end, ended := a["end"].(string)
		switch {
		case a["prefix"] == true && !strings.HasPrefix(key, from), a["prefix"] != true && !ended && key != from,
			ended && key < from, ended && end != "\x00" && key >= end:
		default:
			keys = append(keys, key)
		}
	}
	return keys
}

func (m naiveEtcd) ranged(kvs map[string]map[string]any, a map[string]any) map[string]any {
	keys := m.within(kvs, a)
	found := []any{}
	limit, _ := a["limit"].(int64)
	for _, key := range keys {
		if limit == 0 || int64(len(found)) < limit {
			found = append(found, kvs[key])
		}
	}
	return map[string]any{"count": int64(len(keys)), "kvs": found}
}

func (m naiveEtcd) does(f string, arg any) (next naiveEtcd, response map[string]any, refused string) {
	a, _ := arg.(map[string]any)
	next = m
	next.kvs, next.leases, next.past = maps.Clone(m.kvs), maps.Clone(m.leases), maps.Clone(m.past)
	response = map[string]any{}
	number := func(field string) int64 { n, _ := a[field].(int64); return n }
	changed := false
	switch f {
	case "grant":
		if m.leases[number("lease")] {
			return m, nil, "lease exists"
		}
		next.leases[number("lease")] = true
	case "revoke":
		if !m.leases[number("lease")] {
			return m, nil, "no lease"
		}
		delete(next.leases, number("lease"))
		for key, kv := range m.kvs {
			if kv["lease"] == number("lease") {
				delete(next.kvs, key)
				changed = true
			}
		}
	case "compact":
		if number("revision") <= m.compacted {
			return m, nil, "compacted"
		}
		if number("revision") > m.revision {
			return m, nil, "future"
		}
		next.compacted = number("revision")
	case "range":
		at := cmp.Or(number("revision"), m.revision)
		switch {
		case at > m.revision:
			return m, nil, "future"
		case at < m.compacted:
			return m, nil, "compacted"
		case at < m.first:
			return m, map[string]any{"anything": true, "kvs": nil, "count": nil}, ""
		}
		return m, m.ranged(m.past[at], a), ""
	case "put", "delete":
		if lease := number("lease"); lease != 0 && !m.leases[lease] {
			return m, nil, "no lease"
		}
		response, changed = next.request(f, a, m.revision+1)
	case "txn":
		branch, _ := a["then"].([]any)
		compares, _ := a["compare"].([]any)
		succeeded := true
		for _, c := range compares {
			succeeded = succeeded && m.compare(c.(map[string]any))
		}
		if !succeeded {
			branch, _ = a["else"].([]any)
		}
		responses := []any{}
		for _, q := range branch {
			request := q.([]any)
			r := request[1].(map[string]any)
			if lease, _ := r["lease"].(int64); lease != 0 && !m.leases[lease] {
				return m, nil, "no lease"
			}
			one, wrote := next.request(request[0].(string), r, m.revision+1)
			responses, changed = append(responses, one), changed || wrote
		}
		response = map[string]any{"succeeded": succeeded, "responses": responses}
	}
	if changed {
		next.revision++
	}
	next.past[next.revision] = next.kvs
	return next, response, ""
}

// request executes a request of a transaction in place.
func (m naiveEtcd) request(f string, a map[string]any, revision int64) (response map[string]any, changed bool) {
	switch f {
	case "range":
		return m.ranged(m.kvs, a), false
	case "put":
		key := a["key"].(string)
		lease, _ := a["lease"].(int64)
		kv := map[string]any{"key": key, "value": a["value"], "create": revision, "mod": revision, "version": int64(1),
			"lease": lease}
		if was := m.kvs[key]; was != nil {
			kv["create"], kv["version"] = was["create"], was["version"].(int64)+1
		}
		m.kvs[key] = kv
		return map[string]any{}, true
	}
	gone := m.within(m.kvs, a)
	for _, key := range gone {
		delete(m.kvs, key)
	}
	return map[string]any{"deleted": int64(len(gone))}, len(gone) > 0
}

func (m naiveEtcd) compare(c map[string]any) bool {
	kv := m.kvs[c["key"].(string)]
	target := c["target"].(string)
	if target == "value" {
		return kv != nil && (kv["value"] == c["value"]) == (c["op"] == "=")
	}
	n, _ := kv[target].(int64)
	switch order := cmp.Compare(n, c["value"].(int64)); c["op"] {
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case ">":
		return order > 0
	default:
		return order == 0
	}
}

package gen

import "github.com/linsat/linsat/history"

// late is a register or a map of which one read in eight returns one of the last values before the
// present one, as a replica that lags behind would. It is only read and written.
type late struct {
	object
	by       int
	versions map[history.Value][]history.Value // by key: the last ones
}

// lateReads are the specifications that late is for.
var lateReads = map[string]bool{"register": true, "kv": true}

func (o *late) pick(d *draw, a *action) bool {
	for {
		if !o.object.pick(d, a) {
			return false
		}
		switch a.f {
		case "read", "get", "write", "put":
			return true
		}
		a.arg = history.Nil
	}
}

func (o *late) apply(d *draw, a *action) bool {
	read := a.f == "read" || a.f == "get"
	if !read && len(o.versions[a.key]) == 0 {
		first := action{f: map[string]string{"write": "read", "put": "get"}[a.f], key: a.key}
		o.object.apply(d, &first)
		o.versions[a.key] = append(o.versions[a.key], first.result)
	}
	if !o.object.apply(d, a) {
		return false
	}
	past := o.versions[a.key]
	switch {
	case !read:
		past = append(past, a.arg)
		o.versions[a.key] = past[max(0, len(past)-1-o.by):]
	case len(past) > 1 && d.coin(0.125):
		a.result = past[d.r.IntN(len(past)-1)]
	}
	return true
}

package starspec

import (
	"slices"

	"go.starlark.net/starlark"
)

// Values of a run: those of the interpreter where all is known, and these. born is in how many
// loops that are looked at once for all their turns a value was made: outside it may not change.
type (
	// unknown is any value.
	unknown struct{}
	// state is the state that step got, with other entries. vague says that others differ, too.
	state struct {
		dict, own, vague bool // own: a copy that may be changed
		entries          map[string]entry
		born             int
	}
	entry struct {
		key   starlark.Value
		value any
		gone  bool
	}
	// sequence is a list or a tuple that was made in the run; of a vague one nothing is known.
	sequence struct {
		tuple, vague bool
		elems        []any
		born         int
	}
	// entries is a dict that was made in the run.
	entries struct {
		vague bool
		keys  []starlark.Value
		of    map[string]any
		born  int
	}
	// lambda is a function without a name.
	lambda struct {
		params []string
		body   func(local *scope) any
		in     *scope
	}
)

// text is what equal keys share.
func (r *run) text(key starlark.Value) string {
	switch key.(type) {
	case starlark.String, starlark.Int, starlark.Bool, starlark.NoneType, starlark.Tuple:
	default:
		panic(gaveUp{})
	}
	_, text, err := canonical(key, maxDepth)
	if err != nil {
		panic(gaveUp{})
	}
	return string(text)
}

// known returns v as a value of the interpreter, if all of it is known.
func (r *run) known(v any) (starlark.Value, bool) {
	switch v := v.(type) {
	case starlark.Value:
		return v, true
	case *sequence:
		if v.vague {
			return nil, false
		}
		list := make([]starlark.Value, len(v.elems))
		for i, e := range v.elems {
			var ok bool
			if list[i], ok = r.known(e); !ok {
				return nil, false
			}
		}
		if v.tuple {
			return starlark.Tuple(list), true
		}
		return starlark.NewList(list), true
	case *entries:
		if v.vague {
			return nil, false
		}
		d := starlark.NewDict(len(v.keys))
		for _, key := range v.keys {
			value, ok := r.known(v.of[r.text(key)])
			if !ok || d.SetKey(key, value) != nil {
				return nil, false
			}
		}
		return d, true
	}
	return nil, false
}

// absorb notes that something unknown depends on v, and may hold it.
func (r *run) absorb(v any) {
	switch v := v.(type) {
	case *state:
		r.read.all = true
		r.hidden = true
		for _, e := range v.entries {
			r.absorb(e.value)
		}
	case *sequence:
		r.hidden = r.hidden || !v.tuple
		for _, e := range v.elems {
			r.absorb(e)
		}
	case *entries:
		r.hidden = true
		for _, e := range v.of {
			r.absorb(e)
		}
	case *starlark.List, *starlark.Dict, *starlark.Set:
		r.hidden = true
	case *method:
		r.absorb(v.of)
	case *lambda:
		args := make([]any, len(v.params))
		for i := range args {
			args[i] = unknown{}
		}
		r.vague++
		r.absorb(r.applied(v, args))
		r.vague--
	case *starlark.Function:
		if d := r.definition(v); d == nil || len(d.Params) > 8 {
			panic(gaveUp{})
		} else {
			args := make([]any, len(d.Params))
			for i := range args {
				args[i] = unknown{}
			}
			r.vague++
			r.absorb(r.function(v, args))
			r.vague--
		}
	}
}

// truth returns the truth of a value, if it is known.
func (r *run) truth(v any) (truth, known bool) {
	switch v := v.(type) {
	case starlark.Value:
		return bool(v.Truth()), true
	case *sequence:
		return len(v.elems) > 0, !v.vague
	case *entries:
		return len(v.keys) > 0, !v.vague
	case *state:
		r.read.all = true
	case *lambda:
		return true, true
	}
	return false, false
}

// entry returns what is under a key in the state, and whether there is an entry, if that is known.
func (r *run) entry(s *state, key any) (value any, there, known bool) {
	k, ok := r.known(key)
	if !ok || !s.dict || s.vague {
		r.read.all = true
		return unknown{}, false, false
	}
	text := r.text(k)
	if e, ok := s.entries[text]; ok {
		return e.value, !e.gone, true
	}
	r.read.keys[text] = k
	return unknown{}, false, false
}

// put sets an entry of a copy of the state.
func (r *run) put(s *state, key, value any, gone bool) {
	if s.entries == nil {
		s.entries = map[string]entry{}
	}
	k, ok := r.known(key)
	if !ok {
		s.vague = true
		r.absorb(value)
		return
	}
	if holdsState(value) {
		r.absorb(value)
	}
	s.entries[r.text(k)] = entry{k, value, gone}
}

// holdsState reports whether the state is in a value.
func holdsState(v any) bool {
	switch v := v.(type) {
	case *state:
		return true
	case *sequence:
		return slices.ContainsFunc(v.elems, holdsState)
	case *entries:
		for _, e := range v.of {
			if holdsState(e) {
				return true
			}
		}
	}
	return false
}

// copied is a copy of the state, with the entries of a dict besides.
func (r *run) copied(s *state, more any) *state {
	out := &state{dict: s.dict, own: true, vague: s.vague, entries: map[string]entry{}, born: r.vague}
	for text, e := range s.entries {
		out.entries[text] = e
	}
	r.update(out, more)
	return out
}

// update puts the entries of a dict into a copy of the state.
func (r *run) update(s *state, more any) {
	switch more := more.(type) {
	case nil:
	case *entries:
		if s.vague = s.vague || more.vague; more.vague {
			r.absorb(more)
		}
		for _, key := range more.keys {
			r.put(s, key, more.of[r.text(key)], false)
		}
	case *starlark.Dict:
		for _, item := range more.Items() {
			r.put(s, item[0], item[1], false)
		}
	default:
		r.absorb(more)
		s.vague = true
	}
}

// elements returns the elements of what a loop goes through, if they are known one by one.
func (r *run) elements(v any) ([]any, bool) {
	switch v := v.(type) {
	case *sequence:
		return append([]any(nil), v.elems...), !v.vague
	case *entries:
		var keys []any
		for _, k := range v.keys {
			keys = append(keys, k)
		}
		return keys, !v.vague
	case starlark.Iterable:
		var out []any
		for e := range starlark.Elements(v) {
			if r.left--; r.left < 0 {
				panic(gaveUp{})
			}
			out = append(out, e)
		}
		return out, true
	case starlark.Value:
		panic(failed{})
	}
	r.absorb(v)
	return nil, false
}

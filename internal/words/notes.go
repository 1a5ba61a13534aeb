package words

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
)

// Notes returns what to look at before believing an answer: results that are missing, and
// interpretations of the input that a violation depends on.
func Notes(run *Run) []string {
	r := &run.Result
	var notes []string
	if r.Verdict != engine.Unknown {
		if names := specs.NeverStated(r.Spec, run.History); len(names) > 0 {
			notes = append(notes,
				fmt.Sprintf(
					"no %s has a result in this history, though %s gives it one: what it returned is not checked",
					strings.Join(names, " or "), r.Spec.Info().Name))
		}
	}
	if r.Verdict != engine.NotLinearizable || r.Partition == nil {
		return notes
	}
	if i := nilReadBelow(run); i >= 0 {
		notes = append(notes,
			fmt.Sprintf(
				"this rests on %s, which is taken to have read nil; if nil means that the result is not known, use "+
					"--nil-reads unknown",
				Numbered(r.Partition, i)))
	}
	if i := foundUnwritten(run); i >= 0 {
		if text, keys := absentWord(run, i); text != "" {
			notes = append(notes,
				fmt.Sprintf("%s is found %s, and nothing writes it; if it means that nothing is there, use --absent %s",
					run.History.Values.Format(found(run.Result.Partition, i)), keys, shell(text)))
		} else {
			notes = append(notes,
				fmt.Sprintf(
					"%s is the first to return what it finds, and nothing that was called before it returned writes "+
						"that; if it was the initial value, use --initial %s",
					Numbered(r.Partition, i), initialOf(r, i)))
		}
	}
	if initial := unwrittenRegisters(run); initial != "" {
		notes = append(notes,
			"reads find values that nothing called before they returned writes; if these were the initial ones, use "+
				"--initial "+initial)
	}
	if i := belowZero(run); i >= 0 {
		notes = append(notes,
			fmt.Sprintf(
				`%s found an account below zero; if accounts may go there, say so with "overdraft": --initial '{"overdraft": true}', or '{"balances": {…}, "overdraft": true}'`,
				Numbered(r.Partition, i)))
	}
	return notes
}

// registers are the specifications whose reads may find nil, or the initial value.
var registers = []string{"register", "cas-register"}

// nilReadBelow returns the first read of nil that a violation of a register rests on, or -1: one of
// its core, or, if there is no core, the operation that cannot be placed.
func nilReadBelow(run *Run) history.OpID {
	r := &run.Result
	if !slices.Contains(registers, r.Spec.Info().Name) {
		return -1
	}
	var ops []history.OpID
	switch {
	case r.Core != nil:
		for _, f := range r.Core.Facts {
			ops = append(ops, f.Operations...)
		}
	case r.Failure != nil:
		ops = append(ops, r.Failure.Op)
	}
	for _, i := range ops {
		if g := r.Partition.Global(i); g >= 0 && run.History.IsNilRead(g) {
			return i
		}
	}
	return -1
}

// foundUnwritten returns the first completed operation of the refuted register or key that says
// what it found, if no initial state is given and no operation that was called before it returned
// writes that; else -1.
func foundUnwritten(run *Run) history.OpID {
	p, name := run.Result.Partition, run.Result.Spec.Info().Name
	if p.HasInitial || name != "kv" && !slices.Contains(registers, name) {
		return -1
	}
	first := history.OpID(-1)
	for i := range p.Ops {
		if op := history.OpID(i); found(p, op) != history.Nil && (first < 0 || p.Ops[i].Return < p.Ops[first].Return) {
			first = op
		}
	}
	if first < 0 || written(p, found(p, first), p.Ops[first].Return) {
		return -1
	}
	if s, isString := p.History.Values.AsString(found(p, first)); isString && name == "kv" && s != "" &&
		appended(p, s) {
		return -1
	}
	return first
}

// found is the value that a completed operation says it found: the result of a read, and what a cas
// that succeeded compares with; Nil for others.
func found(p *model.Partition, i history.OpID) history.Value {
	o := &p.Ops[i]
	f, _ := p.History.Values.AsString(o.F)
	switch f = strings.ToLower(f); {
	case o.Pending() || o.Unknown:
	case slices.Contains([]string{"read", "get", "load", "r"}, f):
		return o.Result
	case o.Result == history.True && compares(f):
		if pair, _ := p.History.Values.AsList(o.Arg); len(pair) == 2 {
			return pair[0]
		}
	}
	return history.Nil
}

// compares reports whether an operation of that name compares and writes.
func compares(f string) bool { return strings.Contains(f, "cas") || strings.Contains(f, "compare") }

// written reports whether v is what an operation of the partition writes that was called by then.
func written(p *model.Partition, v history.Value, by history.Rank) bool {
	return slices.ContainsFunc(p.Ops, func(op history.Op) bool {
		if op.Call > by {
			return false
		}
		list, _ := p.History.Values.AsList(op.Arg)
		if f, _ := p.History.Values.AsString(op.F); compares(strings.ToLower(f)) && len(list) == 2 {
			return list[1] == v
		}
		return op.Arg == v || slices.Contains(list, v)
	})
}

// absentWords are what clients say of a key that is not there, in small letters alone.
var absentWords = []string{"", "absent", "empty", "keynotfound", "missing", "nil", "nokey", "none", "nosuchkey",
	"notexist", "notfound", "null", "undefined"}

// absentWord returns the string that operation i found, and where it is found, if it may mean that
// nothing is there: many keys return it, or it says so, and no operation writes it. It returns ""
// otherwise.
func absentWord(run *Run, i history.OpID) (text, where string) {
	p, values := run.Result.Partition, run.History.Values
	v := found(p, i)
	text, isString := values.AsString(v)
	if !isString || text == "" {
		return "", ""
	}
	keys := map[history.Value]bool{}
	for k := range run.History.Ops {
		o := &run.History.Ops[k]
		if list, _ := values.AsList(o.Arg); o.Arg == v || slices.Contains(list, v) {
			return "", ""
		}
		if !o.Unknown && o.Result == v {
			keys[o.Key] = true
		}
	}
	letters := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
	switch {
	case len(keys) > 1:
		return text, "for " + Count(len(keys), "key")
	case slices.Contains(absentWords, letters):
		return text, "by " + Numbered(p, i)
	}
	return "", ""
}

// belowZero returns the first read of a bank without overdraft that found a negative balance; else
// -1.
func belowZero(run *Run) history.OpID {
	p, values := run.Result.Partition, run.History.Values
	if run.Result.Spec.Info().Name != "bank" || p.HasInitial && strings.Contains(values.Format(p.Initial),
		`"overdraft":true`) {
		return -1
	}
	for i := range p.Ops {
		balances, isMap := values.AsMap(p.Ops[i].Result)
		for k := 1; isMap && !p.Ops[i].Unknown && k < len(balances); k += 2 {
			if n, isInt := values.AsInt(balances[k]); isInt && n < 0 {
				return history.OpID(i)
			}
		}
	}
	return -1
}

// appended reports whether some append of the partition wrote a part of s.
func appended(p *model.Partition, s string) bool {
	for i := range p.Ops {
		if piece, isString := p.History.Values.AsString(p.Ops[i].Arg); isString && piece != "" &&
			strings.Contains(s, piece) {
			return true
		}
	}
	return false
}

// initialOf writes what read i found as the flag --initial takes it.
func initialOf(r *result.Result, i history.OpID) string {
	t, op := r.Partition.History.Values, &r.Partition.Ops[i]
	v := t.Format(found(r.Partition, i))
	if op.Key != history.NoKey && r.Spec.Info().Name == "kv" {
		key, isString := t.AsString(op.Key)
		if !isString {
			key = t.Format(op.Key)
		}
		v = fmt.Sprintf("{%s: %s}", t.Format(t.String(key)), v)
	}
	return shell(v)
}

// shell writes a text so that a shell takes it for one argument.
func shell(text string) string {
	if strings.ContainsAny(text, " \"'<>$&|;()*?") {
		return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	}
	return text
}

package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
)

// Notes returns what to look at before believing a violation: interpretations of the input that it
// depends on.
func Notes(run *Run) []string {
	r := &run.Result
	if r.Verdict != engine.NotLinearizable || r.Partition == nil {
		return nil
	}
	var notes []string
	if i := nilReadBelow(run); i >= 0 {
		notes = append(notes, fmt.Sprintf("this rests on %s, which is taken to have read nil; if nil means that the result is not known, use --nil-reads unknown",
			Numbered(r.Partition, i)))
	}
	if i := foundUnwritten(run); i >= 0 {
		notes = append(notes, fmt.Sprintf("%s is the first read that returns, and no operation writes what it finds; if that was the initial value, use --initial %s",
			Numbered(r.Partition, i), initialOf(r, i)))
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

// foundUnwritten returns the first completed read of the refuted register or key, if no initial
// state is given and no operation writes what it found; else -1.
func foundUnwritten(run *Run) history.OpID {
	p, name := run.Result.Partition, run.Result.Spec.Info().Name
	if p.HasInitial || name != "kv" && !slices.Contains(registers, name) {
		return -1
	}
	first := slices.IndexFunc(p.Ops, func(op history.Op) bool {
		f, _ := p.History.Values.AsString(op.F)
		return !op.Pending() && !op.Unknown && slices.Contains([]string{"read", "get", "load", "r"}, strings.ToLower(f))
	})
	if first < 0 || p.Ops[first].Result == history.Nil || written(p, p.Ops[first].Result) {
		return -1
	}
	if s, isString := p.History.Values.AsString(p.Ops[first].Result); isString && name == "kv" && s != "" && appended(p, s) {
		return -1
	}
	return history.OpID(first)
}

// written reports whether v is the argument of some operation of the partition, or in a list that
// is.
func written(p *model.Partition, v history.Value) bool {
	return slices.ContainsFunc(p.Ops, func(op history.Op) bool {
		if op.Arg == v {
			return true
		}
		pair, _ := p.History.Values.AsList(op.Arg)
		return slices.Contains(pair, v)
	})
}

// appended reports whether some append of the partition wrote a part of s.
func appended(p *model.Partition, s string) bool {
	for i := range p.Ops {
		if piece, isString := p.History.Values.AsString(p.Ops[i].Arg); isString && piece != "" && strings.Contains(s, piece) {
			return true
		}
	}
	return false
}

// initialOf writes what read i found as the flag --initial takes it.
func initialOf(r *result.Result, i history.OpID) string {
	t, op := r.Partition.History.Values, &r.Partition.Ops[i]
	v := t.Format(op.Result)
	if op.Key != history.NoKey && r.Spec.Info().Name == "kv" {
		key, isString := t.AsString(op.Key)
		if !isString {
			key = t.Format(op.Key)
		}
		v = fmt.Sprintf("{%s: %s}", t.Format(t.String(key)), v)
	}
	if strings.ContainsAny(v, " \"'") { // for a shell
		v = "'" + strings.ReplaceAll(v, "'", `'\''`) + "'"
	}
	return v
}

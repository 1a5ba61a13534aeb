package spectest

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Sample is a call and what it may give. Values are nil, bool, int, int64, string, []any and
// map[string]any.
type Sample struct {
	F        string
	Process  string // who calls, for specifications that ask
	Key, Arg any    // Key nil: none
	// Results are those that the call may give; none for a call without a result.
	Results []any
	// More says that the call may give other results as well, in some states.
	More bool
}

// Kit is what a specification is tested with.
type Kit struct {
	Samples  []Sample
	Initials []any // initial states to start from besides the default
	// Histories gives further random histories of at most 8 operations; without it they are made of
	// the samples only.
	Histories func(seed uint64) (*history.History, error)
	Runs      int    // random histories of each kind; 0 for 200
	Seed      uint64 // of the first random history
	// Symbolic says that a state may stand for several, such as "the last token is 3 or more". An
	// operation of unknown result may lead to such a state instead of to each of those that its
	// results lead to.
	Symbolic bool
	Depth    int // how many operations states are explored for; 0 for 4
}

// letter is an operation of the alphabet: a sample with a certain result, or none.
type letter struct {
	sample  int
	result  any
	unknown bool
	pending bool
}

// alphabet is a partition with one operation for every letter, one after the other.
type alphabet struct {
	kit     *Kit
	letters []letter
	bound   *model.Instance
}

// record makes an operation of a sample, without times.
func (k *Kit) record(b *history.Builder, sample int, result any) (history.Record, error) {
	s := k.Samples[sample]
	r := history.Record{F: b.Values.String(s.F), Key: history.NoKey}
	var err error
	if s.Key != nil {
		if r.Key, err = b.Values.Of(s.Key); err != nil {
			return r, err
		}
	}
	if r.Arg, err = b.Values.Of(s.Arg); err != nil {
		return r, err
	}
	r.Result, err = b.Values.Of(result)
	return r, err
}

// letters lists every sample with each of its results, with an unknown one, and pending.
func (k *Kit) letters() []letter {
	var out []letter
	for i, s := range k.Samples {
		results := s.Results
		if len(results) == 0 {
			results = []any{nil}
		}
		for _, r := range results {
			out = append(out, letter{sample: i, result: r})
		}
		out = append(out, letter{sample: i, unknown: true}, letter{sample: i, unknown: true, pending: true})
	}
	return out
}

// history returns the letters one after the other.
func (k *Kit) history(letters []letter, initial any) (*history.History, error) {
	b := history.NewBuilder()
	if initial != nil {
		v, err := b.Values.Of(initial)
		if err != nil {
			return nil, err
		}
		b.SetInitial(v)
	}
	for i, l := range letters {
		r, err := k.record(b, l.sample, l.result)
		if err != nil {
			return nil, err
		}
		r.Process = b.Process(strconv.Itoa(i))
		r.Call, r.Return = 2*int64(i), 2*int64(i)+1
		if l.pending {
			r.Pending = true
		}
		if _, err := b.Add(r); err != nil {
			return nil, err
		}
	}
	h, err := b.Finish()
	if err != nil {
		return nil, err
	}
	k.finish(h, letters)
	return h, nil
}

// finish puts in what a builder does not take: results that are unknown though the operation
// returned, and processes, which here may have several operations open. Operation i of the input is
// letter i.
func (k *Kit) finish(h *history.History, letters []letter) {
	processes := map[string]int32{}
	for i := range h.Ops {
		o := &h.Ops[i]
		l := letters[h.Origins[i].Position]
		if l.unknown {
			o.Unknown, o.Result = true, history.Nil
		}
		name := k.Samples[l.sample].Process
		p, known := processes[name]
		if !known {
			p = int32(len(h.Processes))
			processes[name] = p
			h.Processes = append(h.Processes, name)
		}
		o.Process = p
	}
}

func newAlphabet(s model.Spec, k *Kit, initial any) (*alphabet, error) {
	return bindLetters(s, k, k.letters(), initial)
}

func bindLetters(s model.Spec, k *Kit, letters []letter, initial any) (*alphabet, error) {
	a := &alphabet{kit: k, letters: letters}
	h, err := k.history(a.letters, initial)
	if err != nil {
		return nil, err
	}
	a.bound, err = s.Bind(model.Whole(h))
	return a, err
}

// show writes a letter as it stands in messages.
func (a *alphabet) show(op int32) string {
	l := a.letters[op]
	s := a.kit.Samples[l.sample]
	text := s.F
	if s.Process != "" {
		text += " by " + s.Process
	}
	if s.Key != nil {
		text += " of " + shown(s.Key)
	}
	if s.Arg != nil {
		text += " " + shown(s.Arg)
	}
	switch {
	case l.pending:
		return text + " (pending)"
	case l.unknown:
		return text + " → ?"
	case len(s.Results) == 0:
		return text
	}
	return text + " → " + shown(l.result)
}

// shown writes a value: nothing is null, as in histories.
func shown(v any) string {
	switch v.(type) {
	case nil, []any, map[string]any:
		if text, err := json.Marshal(v); err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(v)
}

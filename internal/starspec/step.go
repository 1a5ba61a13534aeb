package starspec

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/foreign"
	"github.com/linsat/linsat/spec"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// op returns a call as functions of the file see it.
func (p *program) op(c spec.Call) starlark.Value {
	fields := starlark.StringDict{"f": starlark.String(c.F), "key": toStarlark(c.Key), "arg": toStarlark(c.Arg)}
	if p.processes {
		fields["process"] = process(c.Process)
	}
	op := starlarkstruct.FromStringDict(starlark.String("op"), fields)
	op.Freeze()
	return op
}

// process returns a process as functions of the file see it: as a number if its name is one, since
// 7 and "7" are one process in a history.
func process(name string) starlark.Value {
	if n, err := strconv.ParseInt(name, 10, 64); err == nil && strconv.FormatInt(n, 10) == name {
		return starlark.MakeInt64(n)
	}
	return starlark.String(name)
}

// call calls a function of the file. It panics with an error that says where it failed.
func (p *program) call(f *starlark.Function, args ...starlark.Value) starlark.Value {
	v, err := starlark.Call(p.thread(), f, args, nil)
	if err != nil {
		panic(foreign.Failed(p.located(err)))
	}
	return v
}

// intern returns the number of a state, a new one if it has none.
func (p *program) intern(v starlark.Value) (foreign.State, error) {
	value, text, err := canonical(v, maxDepth)
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if s, ok := p.ids[string(text)]; ok {
		return s, nil
	}
	s := foreign.State(len(p.states))
	p.ids[string(text)] = s
	// a value takes several times the room of its text
	p.states = append(p.states, known{value, int64(10 * len(text))})
	return s, nil
}

func (p *program) known(s foreign.State) known {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.states[s]
}

// ask calls step of the file.
func (p *program) ask(f *starlark.Function) func(s foreign.State, c spec.Call) []foreign.Outcome {
	return func(s foreign.State, c spec.Call) []foreign.Outcome {
		answer, err := p.outcomes(p.call(f, p.known(s).value, p.op(c)))
		if err != nil {
			panic(foreign.Failed(fmt.Errorf("%s: step: %w", p.file, err)))
		}
		return answer
	}
}

// outcomes reads what step returned: an outcome or a list of them. An outcome is a tuple of a
// result and the next state. None is an error, since a function that forgets an operation returns
// it, and the operation would look like a violation.
func (p *program) outcomes(v starlark.Value) ([]foreign.Outcome, error) {
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, errors.New("it returned nothing: return [] if the operation cannot take effect in that state")
	case starlark.Tuple:
		o, err := p.outcome(v)
		return []foreign.Outcome{o}, err
	case *starlark.List:
		out := make([]foreign.Outcome, v.Len())
		for i := range out {
			var err error
			if out[i], err = p.outcome(v.Index(i)); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("it returned %s; %s", brief(v), wanted)
}

const wanted = "it returns (result, next state), a list of such pairs, or [] if the operation cannot take effect"

func (p *program) outcome(v starlark.Value) (o foreign.Outcome, err error) {
	pair, ok := v.(starlark.Tuple)
	if !ok || len(pair) != 2 {
		return o, fmt.Errorf("it returned %s; %s", brief(v), wanted)
	}
	if _, isAny := pair[1].(anyResult); isAny {
		return o, errors.New("ANY is a result, not a state: the result comes first")
	}
	if o.Next, err = p.intern(pair[1]); err != nil {
		return o, err
	}
	if _, o.Any = pair[0].(anyResult); !o.Any {
		o.Result, err = fromStarlark(pair[0], maxDepth)
	}
	return o, err
}

// brief writes a value for a message.
func brief(v starlark.Value) string {
	text := strings.ReplaceAll(v.String(), "\n", " ")
	if len(text) > 80 {
		return v.Type() + " " + text[:80] + "…"
	}
	return v.Type() + " " + text
}

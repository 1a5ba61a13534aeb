package starspec

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/spec"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// outcome is one thing that a call may do.
type outcome struct {
	result any
	any    bool // the result carries no information
	next   state
}

// op returns a call as functions of the file see it.
func (p *program) op(c spec.Call) starlark.Value {
	fields := starlark.StringDict{"f": starlark.String(c.F), "key": toStarlark(c.Key), "arg": toStarlark(c.Arg)}
	if p.processes {
		fields["process"] = starlark.String(c.Process)
	}
	op := starlarkstruct.FromStringDict(starlark.String("op"), fields)
	op.Freeze()
	return op
}

// callText appends a text that equal calls share, and no others.
func (p *program) callText(dst []byte, c spec.Call) []byte {
	dst = appendValue(append(quote(dst, c.F), 'k'), c.Key)
	if p.processes {
		dst = quote(dst, c.Process)
	}
	return appendValue(append(dst, 'a'), c.Arg)
}

func quote(dst []byte, text string) []byte {
	return append(append(strconv.AppendInt(dst, int64(len(text)), 10), ':'), text...)
}

func appendValue(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, 'n')
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		return append(strconv.AppendInt(append(dst, 'i'), v, 10), ';')
	case string:
		return quote(append(dst, 's'), v)
	case []any:
		dst = append(dst, '[')
		for _, e := range v {
			dst = appendValue(dst, e)
		}
		return append(dst, ']')
	case map[string]any:
		dst = append(dst, '{')
		for _, name := range slices.Sorted(maps.Keys(v)) {
			dst = appendValue(quote(dst, name), v[name])
		}
		return append(dst, '}')
	}
	panic(fmt.Sprintf("a value of type %T in a history", v))
}

// failure is what a function of a file panics with: the reason is in the file, and it has no Go
// stack to look at.
type failure struct{ error }

// Deliberate tells a model.Fault that this is a message, not a crash.
func (failure) Deliberate() {}

// call calls a function of the file. It panics with an error that says where it failed.
func (p *program) call(f *starlark.Function, args ...starlark.Value) starlark.Value {
	v, err := starlark.Call(p.thread(), f, args, nil)
	if err != nil {
		panic(failure{p.located(err)})
	}
	return v
}

// intern returns the number of a state, a new one if it has none.
func (p *program) intern(v starlark.Value) (state, error) {
	value, text, err := canonical(v, maxDepth)
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if s, ok := p.ids[string(text)]; ok {
		return s, nil
	}
	s := state(len(p.states))
	p.ids[string(text)] = s
	// a value takes several times the room of its text
	p.states = append(p.states, known{value, int64(10 * len(text))})
	return s, nil
}

func (p *program) known(s state) known {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.states[s]
}

// stepper is step of the file, asked once for each state and call, in whichever partition they are.
type stepper func(s state, c spec.Call) []outcome

func (p *program) stepper(f *starlark.Function) stepper {
	return func(s state, c spec.Call) []outcome {
		var room [64]byte
		text := p.callText(room[:0], c)
		p.mu.RLock()
		answer, ok := p.steps[s][string(text)]
		p.mu.RUnlock()
		if ok {
			return answer
		}
		p.calls.Add(1)
		answer, err := p.outcomes(p.call(f, p.known(s).value, p.op(c)))
		if err != nil {
			panic(failure{fmt.Errorf("%s: step: %w", p.file, err)})
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.answers >= memoised {
			clear(p.steps)
			p.answers = 0
		}
		if p.steps[s] == nil {
			p.steps[s] = map[string][]outcome{}
		}
		p.steps[s][string(text)] = answer
		p.answers++
		return answer
	}
}

// outcomes reads what step returned: an outcome or a list of them. An outcome is a tuple of a
// result and the next state. None is an error, since a function that forgets an operation returns
// it, and the operation would look like a violation.
func (p *program) outcomes(v starlark.Value) ([]outcome, error) {
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, errors.New("it returned nothing: return [] if the operation cannot take effect in that state")
	case starlark.Tuple:
		o, err := p.outcome(v)
		return []outcome{o}, err
	case *starlark.List:
		out := make([]outcome, v.Len())
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

func (p *program) outcome(v starlark.Value) (o outcome, err error) {
	pair, ok := v.(starlark.Tuple)
	if !ok || len(pair) != 2 {
		return o, fmt.Errorf("it returned %s; %s", brief(v), wanted)
	}
	if _, isAny := pair[1].(anyResult); isAny {
		return o, errors.New("ANY is a result, not a state: the result comes first")
	}
	if o.next, err = p.intern(pair[1]); err != nil {
		return o, err
	}
	if _, o.any = pair[0].(anyResult); !o.any {
		o.result, err = fromStarlark(pair[0], maxDepth)
	}
	return o, err
}

// defined returns outcomes as a definition gives them.
func defined(outcomes []outcome) []spec.Outcome[state] {
	out := make([]spec.Outcome[state], len(outcomes))
	for i, o := range outcomes {
		if o.any {
			out[i] = spec.Leaves(o.next)
		} else {
			out[i] = spec.Returns(o.result, o.next)
		}
	}
	return out
}

// brief writes a value for a message.
func brief(v starlark.Value) string {
	text := strings.ReplaceAll(v.String(), "\n", " ")
	if len(text) > 80 {
		return v.Type() + " " + text[:80] + "…"
	}
	return v.Type() + " " + text
}

package lineup

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
)

// ReadFile reads an observation file. Its errors are *history.Error with the line.
func ReadFile(name string) (*Observations, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadXML(f, name)
}

// ReadXML reads an observation file; name is for errors. Values of operations may also be
// attributes of <op>.
func ReadXML(r io.Reader, name string) (*Observations, error) {
	p := &xmlReader{d: xml.NewDecoder(r), file: name, o: &Observations{values: newValues(), nodes: [][]edge{nil}},
		first: map[string]int{}}
	if err := p.read(); err != nil {
		return nil, err
	}
	p.o.minimize()
	return p.o, nil
}

type xmlReader struct {
	d    *xml.Decoder
	file string
	line int
	o    *Observations
	// first is the line in which each pair of thread and index was first given its operation.
	first     map[string]int
	histories int
}

// observation is an <observation> or the <test>, as it is read.
type observation struct {
	line    int
	threads []xmlThread
	ops     map[string]xmlOp
	lines   []string // histories
	at      []int    // their lines
}

type xmlThread struct {
	line  int
	name  string
	words []string
}

type xmlOp struct {
	line          int
	name          string
	value, result any
}

// bad returns an error in a line. Not inlined: it has many callers.
//
//go:noinline
func (p *xmlReader) bad(line int, hint, what string, args ...any) error {
	return &history.Error{File: p.file, Line: line, What: fmt.Sprintf(what, args...), Hint: hint}
}

const shape = "an observation file is an <observationset> of <observation> elements, each with <thread>, <op> and " +
	"<history> elements"

// token returns the next start or end of an element, and the text before it; nil at the end of the
// file.
func (p *xmlReader) token() (xml.Token, string, error) {
	var text strings.Builder
	for {
		t, err := p.d.Token()
		p.line, _ = p.d.InputPos()
		var syntax *xml.SyntaxError
		switch {
		case errors.Is(err, io.EOF):
			return nil, text.String(), nil
		case errors.As(err, &syntax):
			return nil, "", p.bad(syntax.Line, "the file must be well-formed XML; was it cut off?", "%s",
				oneLine(syntax.Msg))
		case err != nil:
			return nil, "", p.bad(p.line, "", "%s", oneLine(err.Error()))
		}
		switch t := t.(type) {
		case xml.StartElement:
			return t.Copy(), text.String(), nil
		case xml.EndElement:
			return t, text.String(), nil
		case xml.CharData:
			text.Write(t)
		case xml.Directive:
			return nil, "", p.bad(p.line, "leave it out", "a directive <!%s>", cut(string(t)))
		}
	}
}

// oneLine and cut shorten text of the file for a message.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func cut(s string) string {
	if s = oneLine(s); len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "..."
	}
	return s
}

func (p *xmlReader) read() error {
	t, text, err := p.token()
	if err != nil {
		return err
	}
	start, ok := t.(xml.StartElement)
	if !ok || start.Name.Local != "observationset" || strings.TrimSpace(text) != "" {
		return p.bad(p.line, shape, "no <observationset> at the beginning")
	}
	p.o.Nondeterministic = attribute(start, "deterministic") == "false"
	for {
		t, text, err := p.token()
		if err != nil {
			return err
		}
		if strings.TrimSpace(text) != "" {
			return p.bad(p.line, shape, "text %q between observations", cut(text))
		}
		start, ok := t.(xml.StartElement)
		switch {
		case !ok:
			return p.end()
		case start.Name.Local == "test":
			if p.histories > 0 || p.o.Complete {
				return p.bad(p.line, "there is one <test>, before all observations", "a <test> in the wrong place")
			}
			p.o.Complete = true
		case start.Name.Local != "observation":
			return p.bad(p.line, shape, "an element <%s> in <observationset>", cut(start.Name.Local))
		}
		ob, err := p.observation(start.Name.Local)
		if err != nil {
			return err
		}
		if err := p.enter(ob, start.Name.Local == "test"); err != nil {
			return err
		}
	}
}

// end checks what can only be checked at the end of the file.
func (p *xmlReader) end() error {
	if t, text, err := p.token(); err != nil {
		return err
	} else if t != nil || strings.TrimSpace(text) != "" {
		return p.bad(p.line, "a file holds one <observationset>", "something after </observationset>")
	}
	if p.histories == 0 {
		return p.bad(p.line, "a test has at least one serial run", "no <history> in it")
	}
	// Thread main, which has the operations before and after the threads, comes last.
	if at := p.o.threadOf(mainName); at >= 0 && at != len(p.o.threads)-1 {
		return p.bad(p.line, "put its <thread> behind the others", "thread main is not the last one")
	}
	p.o.main = int32(len(p.o.threads) - 1)
	return nil
}

// observation reads the contents of an <observation> or a <test>.
func (p *xmlReader) observation(name string) (*observation, error) {
	ob := &observation{line: p.line, ops: map[string]xmlOp{}}
	for {
		t, text, err := p.token()
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(text) != "" {
			return nil, p.bad(p.line, shape, "text %q in <%s>", cut(text), name)
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			return ob, nil
		}
		line := p.line
		switch what := start.Name.Local; {
		case what != "thread" && what != "op" && (what != "history" || name == "test"):
			return nil, p.bad(line, shape, "an element <%s> in <%s>", cut(what), name)
		}
		t, inner, err := p.token()
		if err != nil {
			return nil, err
		}
		if _, ends := t.(xml.EndElement); !ends {
			return nil, p.bad(p.line, shape, "an element inside of <%s>", start.Name.Local)
		}
		switch start.Name.Local {
		case "thread":
			ob.threads = append(ob.threads, xmlThread{line, attribute(start, "id"), strings.Fields(inner)})
		case "op":
			if err := p.op(ob, start, inner, line); err != nil {
				return nil, err
			}
		case "history":
			ob.lines, ob.at = append(ob.lines, inner), append(ob.at, line)
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// op reads <op id="1" name="Add">value="200"</op>.
func (p *xmlReader) op(ob *observation, start xml.StartElement, inner string, line int) error {
	o := xmlOp{line: line, name: attribute(start, "name")}
	id := attribute(start, "id")
	if id == "" || o.name == "" {
		return p.bad(line, `an operation is <op id="1" name="Add">value="200" result="true"</op>`,
			"an <op> without id or name")
	}
	if twice, ok := ob.ops[id]; ok {
		return p.bad(line, "ids are unique within an observation", "id %q is used twice, first in line %d",
			cut(id), twice.line)
	}
	values := start.Attr
	if strings.TrimSpace(inner) != "" {
		t, err := xml.NewDecoder(strings.NewReader("<op " + inner + "/>")).Token()
		element, ok := t.(xml.StartElement)
		if err != nil || !ok {
			return p.bad(line, `write value="..." result="..."`, "operation %s has the contents %q",
				cut(id), cut(inner))
		}
		values = append(values[:len(values):len(values)], element.Attr...)
	}
	for _, a := range values {
		v, err := parse(a.Value)
		if err != nil {
			return p.bad(line, "values are JSON with whole numbers, or words", "%s of operation %s: %s",
				cut(a.Name.Local), cut(id), err)
		}
		switch a.Name.Local {
		case "value":
			o.value = v
		case "result":
			o.result = v
		case "id", "name":
		default:
			return p.bad(line, "an operation has value and result", "operation %s has an attribute %q", cut(id),
				cut(a.Name.Local))
		}
	}
	ob.ops[id] = o
	return nil
}

// enter adds an observation to the automaton.
func (p *xmlReader) enter(ob *observation, test bool) error {
	steps := map[string]step{}
	for _, t := range ob.threads {
		if err := p.thread(ob, t, steps); err != nil {
			return err
		}
	}
	for id, op := range ob.ops {
		if _, used := steps[id]; !used {
			return p.bad(op.line, "every operation belongs to a <thread>", "operation %s is in no thread", cut(id))
		}
	}
	if test {
		return nil
	}
	if len(ob.lines) == 0 {
		return p.bad(ob.line, "an observation has at least one <history>", "an observation without history")
	}
	for i, text := range ob.lines {
		run, err := p.run(text, ob.at[i], steps)
		if err != nil {
			return err
		}
		p.histories++
		before := p.o.full + p.o.stuck
		if at := p.o.add(run); at >= 0 {
			call := p.o.call(run[at].thread, run[at].index)
			return p.bad(ob.at[i],
				"observations of a deterministic object give an operation one result after the same operations",
				"an earlier history has another outcome of %s after the same operations", call)
		}
		if p.o.full+p.o.stuck == before {
			return p.bad(ob.at[i], "remove one of them", "this history was there before")
		}
	}
	return nil
}

// thread numbers the operations of a <thread>.
func (p *xmlReader) thread(ob *observation, t xmlThread, steps map[string]step) error {
	if t.name == "" {
		return p.bad(t.line, `threads are <thread id="A">1 2</thread>`, "a <thread> without id")
	}
	at := slices.IndexFunc(p.o.threads, func(x thread) bool { return x.name == t.name })
	if at < 0 {
		at = len(p.o.threads)
		p.o.threads = append(p.o.threads, thread{name: t.name})
	}
	ops := &p.o.threads[at].ops
	for k, word := range t.words {
		id, blocks := strings.CutSuffix(word, "B")
		op, ok := ob.ops[id]
		if !ok {
			return p.bad(t.line, "every number in a <thread> has an <op>",
				"thread %s has operation %q, which has no <op>", cut(t.name), cut(id))
		}
		if _, twice := steps[id]; twice {
			return p.bad(t.line, "an operation belongs to one place of one thread", "operation %s comes twice", cut(id))
		}
		if blocks && k < len(t.words)-1 {
			return p.bad(t.line, "a thread ends with an operation that blocks",
				"operation %s blocks, but more comes after it", cut(id))
		}
		arg, err := p.o.values.intern(op.value)
		result := int32(0)
		if err == nil {
			result, err = p.o.values.intern(op.result)
		}
		if err != nil {
			return p.bad(op.line, "give it another value", "operation %s has %s", cut(id), err)
		}
		steps[id] = step{int32(at), int32(k), result, blocks}
		place := strconv.Itoa(at) + " " + strconv.Itoa(k)
		switch known := (operation{op.name, arg}); {
		case k == len(*ops) && p.o.Complete && p.histories > 0:
			return p.bad(t.line, "the <test> has all operations", "thread %s has more operations than in the <test>",
				cut(t.name))
		case k == len(*ops):
			*ops = append(*ops, known)
			p.first[place] = op.line
		case (*ops)[k] != known:
			return p.bad(op.line, "all observations are of one test",
				"operation %d of thread %s is not that of line %d", k+1, cut(t.name), p.first[place])
		}
	}
	return nil
}

// run reads a serial history: "1[ ]1 2[ #".
func (p *xmlReader) run(text string, line int, steps map[string]step) ([]step, error) {
	const serial = `a serial history is written as in "1[ ]1 3[ ]3 2[ #"`
	words := strings.Fields(text)
	var run []step
	next := make([]int32, len(p.o.threads))
	for len(words) > 0 {
		id, call := strings.CutSuffix(words[0], "[")
		s, known := steps[id]
		switch {
		case !call:
			return nil, p.bad(line, serial, "%q where an operation should be called", cut(words[0]))
		case !known:
			return nil, p.bad(line, "a history has operations of its observation", "operation %q is in no thread",
				cut(id))
		case s.index != next[s.thread]:
			return nil, p.bad(line, "a thread's operations come in its order, each once",
				"operation %s is called out of its order", cut(id))
		case len(words) < 2:
			return nil, p.bad(line, serial, "operation %s neither returns nor blocks", cut(id))
		case words[1] == "#" && (!s.stuck || len(words) > 2):
			return nil, p.bad(line, "# comes last, and the operation that blocks has a B in its thread",
				"# after operation %s", cut(id))
		case words[1] != "#" && (words[1] != "]"+id || s.stuck):
			return nil, p.bad(line, serial, "%q after the call of operation %s", cut(words[1]), cut(id))
		}
		next[s.thread]++
		run = append(run, s)
		words = words[2:]
	}
	if len(run) != len(steps) {
		return nil, p.bad(line, "each history of an observation has all its operations",
			"the history has %d of %d operations", len(run), len(steps))
	}
	return run, nil
}

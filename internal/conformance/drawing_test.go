package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drawn is an operation of a drawing as linsat's JSON has it.
type drawn struct {
	Process string          `json:"process"`
	F       string          `json:"f"`
	Key     json.RawMessage `json:"key,omitempty"`
	Arg     json.RawMessage `json:"arg,omitempty"`
	Call    int             `json:"call"`
	Return  *int            `json:"return,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
}

// draw reads a history from a drawing: a line for each process, its name first, and time from left
// to right.
//
//	A  |-write(x) 1-|      |-cas(x) [1, 2]...
//	B      |-read(x) → 1-|
//
// An operation is called at its first bar and returns at its second one. One that ends in three
// points never returned. Operations that share a column overlap. Keys, arguments and results are
// JSON; a word by itself is a string.
func draw(specification, initial, text string) (*history.History, error) {
	var all []drawn
	for _, line := range strings.Split(text, "\n") {
		process, rest, _ := strings.Cut(line, " ")
		column := len([]rune(process)) + 1
		for rest != "" {
			blank := len(rest) - len(strings.TrimLeft(rest, " "))
			column, rest = column+blank, rest[blank:]
			if rest == "" {
				break
			}
			if rest[0] != '|' {
				return nil, fmt.Errorf("process %s: operations stand between bars, not %q", process, rest)
			}
			inside, after, returned := strings.Cut(rest[1:], "|")
			if before, pending := strings.CutSuffix(strings.TrimRight(inside, " "), "..."); pending && !returned {
				inside = before
			} else if !returned {
				return nil, fmt.Errorf("process %s: %q neither returns at a bar nor ends in three points", process,
					rest)
			}
			o := drawn{Process: process, Call: 2 * column}
			if err := o.read(strings.Trim(inside, "- ")); err != nil {
				return nil, fmt.Errorf("process %s: %w", process, err)
			}
			column += len([]rune(inside)) + 1
			if returned {
				at := 2*column + 1
				o.Return = &at
				if o.Result == nil {
					o.Result = json.RawMessage("null")
				}
			}
			all, rest, column = append(all, o), after, column+1
		}
	}
	file := map[string]any{"spec": specification, "operations": all}
	if initial != "" {
		file["initial"] = value(initial)
	}
	data, err := json.Marshal(file)
	if err != nil {
		return nil, err
	}
	return history.Read(bytes.NewReader(data), history.ReadOptions{Name: "drawing"})
}

// read reads "cas(x) [1, 2] → true".
func (o *drawn) read(text string) error {
	call, result, returned := strings.Cut(text, " → ")
	if returned {
		o.Result = value(result)
	}
	f, arg, given := strings.Cut(call, " ")
	if given {
		o.Arg = value(strings.TrimSpace(arg))
	}
	f, key, keyed := strings.Cut(f, "(")
	if keyed {
		o.Key = value(strings.TrimSuffix(key, ")"))
	}
	if o.F = f; f == "" || strings.HasPrefix(f, "→") {
		return fmt.Errorf("no operation in %q", text)
	}
	return nil
}

// value is JSON, or a word that stands for a string.
func value(text string) json.RawMessage {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always becomes JSON
	}
	return quoted
}

func TestDrawingsAreReadAsDrawn(t *testing.T) {
	h, err := draw("kv", "", "A  |-put(x) 1-|      |-cas(x) [1, 2]...\nB      |---get(x) → -1---||get(y) → b|")
	require.NoError(t, err)
	type op struct {
		f, key, arg, result string
		pending             bool
	}
	var ops []op
	for i := range h.Ops {
		o := &h.Ops[i]
		ops = append(ops, op{h.Values.Format(o.F), h.Values.Format(o.Key), h.Values.Format(o.Arg),
			h.Values.Format(o.Result), o.Pending()})
	}
	assert.Equal(t, []op{
		{`"put"`, `"x"`, "1", "null", false}, {`"get"`, `"x"`, "null", "-1", false}, {`"cas"`, `"x"`, "[1, 2]", "null",
			true}, {`"get"`, `"y"`, "null", `"b"`, false},
	}, ops)
	for _, bad := range []string{"A  enq 1", "A |-enq 1", "A |-enq 1- B", "A ||", "A |→ 1|"} {
		_, err := draw("queue", "", bad)
		assert.ErrorContains(t, err, "process A: ", bad)
	}
}

func TestOperationsThatShareAColumnOverlap(t *testing.T) {
	for text, want := range map[string]bool{
		"A  |-enq 1-|\nB            |-enq 2-|": true,
		"A  |-enq 1-|\nB           |-enq 2-|":  true,
		"A  |-enq 1-|\nB          |-enq 2-|":   false,
		"A  |-enq 1-|\nB       |-enq 2-|":      false,
	} {
		h, err := draw("queue", "", text)
		require.NoError(t, err)
		require.Len(t, h.Ops, 2)
		assert.Equal(t, want, h.Ops[0].Return < h.Ops[1].Call, "%s", text)
	}
}

package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNamesStandOnce: a second value of one name is an error with its place, wherever it stands.
func TestNamesStandOnce(t *testing.T) {
	for input, want := range map[string]string{
		`{"spec": "register",
"operations": [], "operations": []}`: `2: "operations" stands twice in the history`,
		`{"operations": [{"process": 0, "f": "read", "call": 0, "return": 1,
"call": 2}]}`: `2: "call" stands twice in an operation`,
		`{"process": 0, "f": "write", "arg": {"x": 1, "y": 2, "x": 3}, "call": 0, "return": 1}`:                                                           `1: "x" stands twice in a map`,
		`{"process": 0, "f": "write", "call": 0, "return": 1, "note": [{"a": 1, "\u0061": 2}]}`:                                                           `1: "a" stands twice in a map`,
		"{\"process\": 0, \"f\": \"write\", \"call\": 0, \"return\": 1}\n{\"process\": 0, \"f\": \"write\", \"call\": 2, \"return\": 3, \"f\": \"read\"}": `2: "f" stands twice in an operation`,
		`[{"type": "invoke", "f": "read", "process": 0, "value": null, "value": 1}]`:                                                                      `1: "value" stands twice in an event`,
	} {
		_, err := Read(strings.NewReader(input), ReadOptions{})
		var bad *Error
		if assert.ErrorAs(t, err, &bad, input) {
			assert.Contains(t, bad.Error(), want)
			assert.NotEmpty(t, bad.Hint)
		}
	}
}

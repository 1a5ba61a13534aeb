package words_test

import (
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/internal/words/wordstest"
	"github.com/stretchr/testify/assert"
)

// TestLongMapsShowWhereTheyDiffer: of maps that are too long for a line, the entries that are not
// equal are shown.
func TestLongMapsShowWhereTheyDiffer(t *testing.T) {
	same := `"account 1": 1000, "account 2": 2000, "account 3": 3000, "account 4": 4000`
	h := wordstest.Parse(t, `{"spec": "bank", "initial": {`+same+`, "account 5": 7, "account 6": 8}, "operations": [
		{"process": 0, "f": "read", "call": 0, "return": 1, "result": {`+same+`, "account 5": 7, "account 6": 8}},
		{"process": 0, "f": "read", "call": 2, "return": 3, "result": {`+same+`, "account 5": 9, "account 6": 8}}]}`)
	told := strings.Join(words.Reasons(&wordstest.Checked(t, h).Result), "\n")
	assert.Contains(t, told, `read → {…, "account 5": 9, …} (#1) sees that the total is 10017`)
}

// TestLongValuesAreCut: a sentence about values of thousands of characters names both of them, and
// is one line that can be read.
func TestLongValuesAreCut(t *testing.T) {
	x, y := strings.Repeat("x", 3000), strings.Repeat("y", 3000)
	h := wordstest.Parse(t, `{"spec": "register", "operations": [
		{"process": 0, "f": "write", "arg": "`+x+`", "call": 0, "return": 1},
		{"process": 0, "f": "write", "arg": "`+y+`", "call": 2, "return": 3},
		{"process": 1, "f": "read", "result": "`+x+`", "call": 4, "return": 5}]}`)
	var out strings.Builder
	words.Text(&out, wordstest.Checked(t, h), words.Style{Witness: 24})
	assert.Regexp(t,
		"CONTRADICTION: after write \"y+…y+\" \\(#1\\) the value stays \"y+…y+\" until read → \"x+…x+\" \\(#2\\), "+
			"which needs \"x+…x+\"", out.String())
	assert.Regexp(t, "the register holds \"y+…y+\", not \"x+…x+\"", out.String())
	for line := range strings.Lines(out.String()) {
		assert.Less(t, len(line), 600)
	}
}

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

// TestWordsAreWhole: the states of tried configurations and what they refuse are not cut within a
// word, and a value that is not put in under one key may be under another.
func TestWordsAreWhole(t *testing.T) {
	h := wordstest.Parse(t, `{"spec": "queue", "initial": [1], "order": [[1, 2]], "operations": [
		{"process": 0, "f": "deq", "key": "y", "call": 0, "return": 1, "result": 2},
		{"process": 1, "f": "enq", "key": "x", "arg": 2, "call": 2, "return": 3},
		{"process": 2, "f": "deq", "key": "y", "call": 2, "return": 4, "forgotten": true}]}`)
	told := strings.Join(words.Reasons(&wordstest.Checked(t, h).Result), "\n")
	assert.Contains(t, told, `2 is never put into "y".`)

	h = wordstest.Parse(t, `{"spec": "bank", "operations": [
		{"process": 0, "f": "transfer", "arg": {"from": 2, "to": 1, "amount": 3}, "call": 0, "return": 1},
		{"process": 1, "f": "transfer", "arg": {"from": 1, "to": 2, "amount": 2}, "call": 2, "return": 3},
		{"process": 0, "f": "read", "result": {"1": -3, "2": 3}, "call": 4, "return": 5}]}`)
	told = strings.Join(words.Reasons(&wordstest.Checked(t, h).Result), "\n")
	assert.Contains(t, told, "and 1 more came in, so it cannot have -3.", told)
}

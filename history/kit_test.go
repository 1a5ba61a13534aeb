package history

import (
	"io"
	"testing"

	"github.com/linsat/linsat/history/internal/lex"
)

// What tests of the packages of formats share, which cannot be imported here: kit_formats_test.go
// sets it.
var (
	List           func(h *History) []string
	OperationTexts func(h *History) []string
	RequireRanks   func(t *testing.T, h *History, seed uint64)
)

// decompressed replaces what opens compressed inputs, and returns what did.
func decompressed(by opener) opener {
	before := lex.Decompress
	lex.Decompress = by
	return before
}

type opener = func(kind string, in io.Reader, limit int64) (out io.Reader, done func(), err error)

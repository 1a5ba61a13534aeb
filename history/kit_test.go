package history

import "testing"

// What tests of the packages of formats share, which cannot be imported here: kit_formats_test.go
// sets it.
var (
	List           func(h *History) []string
	OperationTexts func(h *History) []string
	RequireRanks   func(t *testing.T, h *History, seed uint64)
)

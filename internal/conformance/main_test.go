package conformance_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// The comparisons make much garbage and hold little, so that collecting it less often saves a
// quarter of their time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

package testenv

import (
	"os"
	"runtime/debug"
)

// Tests make much garbage and hold little: collecting it less often saves a third of their
// processor time. GOGC, if it is set, says how often.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

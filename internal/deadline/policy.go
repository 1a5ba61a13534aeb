package deadline

import "time"

// How long each waits after the context is done. Longer waits save more late answers; all of them
// are overrun of --timeout. Each is shorter than the one around it, or an inner wait would lose the
// answers that it saves.
const (
	Check   = 40 * time.Millisecond // Check and Verify, for everything
	Engine  = 20 * time.Millisecond // for one engine, or for the build of its clauses
	Solver  = 15 * time.Millisecond // for one question to a SAT solver
	Program = 5 * time.Millisecond  // for the output of a program that was killed
)

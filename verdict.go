package linsat

import (
	"github.com/linsat/linsat/internal/engine"
)

// Verdict is the answer to "is it linearizable (within the bound)?". The zero value claims nothing.
type Verdict = engine.Verdict

// The verdicts.
const (
	Unknown         = engine.Unknown
	Linearizable    = engine.Linearizable
	NotLinearizable = engine.NotLinearizable
)

// Cause says why a verdict is Unknown.
type Cause = engine.Cause

// The causes; a verdict that is known has the zero Cause.
const (
	Unsupported = engine.Unsupported // the engine does not take this specification or history
	TimedOut    = engine.Timeout     // the time limit, or the deadline of the context
	MemoryLimit = engine.Memory      // the memory limit
	StepLimit   = engine.Steps       // the step limit
	Cancelled   = engine.Cancelled   // the caller gave up
	Undecided   = engine.Undecided   // an incomplete procedure finished without an answer
)

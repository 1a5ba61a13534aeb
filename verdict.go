package linsat

import (
	"github.com/linsat/linsat/verdict"
)

// Verdict is the answer to "is it linearizable (within the bound)?". The zero value claims nothing.
type Verdict = verdict.Verdict

// The verdicts.
const (
	Unknown         = verdict.Unknown
	Linearizable    = verdict.Linearizable
	NotLinearizable = verdict.NotLinearizable
)

// Cause says why a verdict is Unknown.
type Cause = verdict.Cause

// The causes; a verdict that is known has the zero Cause.
const (
	Unsupported = verdict.Unsupported // the engine does not take this specification or history
	TimedOut    = verdict.TimedOut    // the time limit, or the deadline of the context
	MemoryLimit = verdict.MemoryLimit // the memory limit
	StepLimit   = verdict.StepLimit   // the step limit
	Cancelled   = verdict.Cancelled   // the caller gave up
	Undecided   = verdict.Undecided   // an incomplete procedure finished without an answer
)

package linsat

import (
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/verdict"
)

// Verdict is the answer to "is it linearizable (within the bound)?". The zero value claims nothing.
type Verdict = verdict.Verdict

// The verdicts.
const (
	Unknown         Verdict = engine.Unknown
	Linearizable    Verdict = engine.Linearizable
	NotLinearizable Verdict = engine.NotLinearizable
)

// Cause says why a verdict is Unknown.
type Cause = verdict.Cause

// The causes; a verdict that is known has the zero Cause.
const (
	Unsupported Cause = engine.Unsupported // the engine does not take this specification or history
	TimedOut    Cause = engine.Timeout     // the time limit, or the deadline of the context
	MemoryLimit Cause = engine.Memory      // the memory limit
	StepLimit   Cause = engine.Steps       // the step limit
	Cancelled   Cause = engine.Cancelled   // the caller gave up
	Undecided   Cause = engine.Undecided   // an incomplete procedure finished without an answer
)

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

// The causes; a verdict that is known has the zero Cause.
const (
	Unsupported verdict.Cause = engine.Unsupported // the engine does not take this question
	TimedOut    verdict.Cause = engine.Timeout     // the time limit, or the deadline of the context
	MemoryLimit verdict.Cause = engine.Memory      // the memory limit
	StepLimit   verdict.Cause = engine.Steps       // the step limit
	Cancelled   verdict.Cause = engine.Cancelled   // the caller gave up
	Undecided   verdict.Cause = engine.Undecided   // an incomplete procedure ended without one
)

package linsat

import (
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
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

// The causes. NoCause is that of a verdict that is known.
const (
	NoCause     = engine.NoCause
	Unsupported = engine.Unsupported // the engine does not take this specification or history
	TimedOut    = engine.Timeout     // the time limit, or the deadline of the context
	MemoryLimit = engine.Memory      // the memory limit
	StepLimit   = engine.Steps       // the step limit
	Cancelled   = engine.Cancelled   // the caller gave up
	Undecided   = engine.Undecided   // an incomplete procedure finished without an answer
)

// Partitioning says how far Partition splits a history into parts that are decided apart.
type Partitioning = model.Partitioning

// The ways to split a history.
const (
	ByKey         = model.ByKey         // by object, and by key of a map or element of a set
	ByObject      = model.ByObject      // by object only
	Unpartitioned = model.Unpartitioned // not at all
)

package linsat

import (
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
)

// The vocabulary of a Result, which everything that linsat is made of shares.
type (
	// Effort is what an answer took.
	Effort = engine.Effort
	// Failure says how far a history without linearization can be followed.
	Failure = engine.Failure
	// Configuration is one way to explain a prefix.
	Configuration = engine.Configuration
	// Fault is the error for a specification whose code panics, or is not pure.
	Fault = model.Fault
)

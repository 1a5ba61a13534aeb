package foreign

import (
	"slices"

	"github.com/linsat/linsat/spec"
)

// Sample is a call with results that it gives in the states that some calls lead to.
type Sample struct {
	Call    spec.Call
	Results []any // nil where any is allowed
}

// Samples returns the calls with their results in the states that at most so many of them lead to
// from the first one. The error is that of a function of the file that fails.
func Samples(calls []spec.Call, step *Steps, first State, depth int) ([]Sample, error) {
	samples := make([]Sample, len(calls))
	for i, c := range calls {
		samples[i].Call = c
	}
	return samples, Caught(func() {
		seen := map[State]bool{first: true}
		frontier := []State{first}
		for range depth {
			var next []State
			for _, s := range frontier {
				for i, c := range calls {
					for _, o := range step.Of(s, c) {
						if samples[i].Add(o.Result); !seen[o.Next] && len(seen) < sampledStates {
							seen[o.Next] = true
							next = append(next, o.Next)
						}
					}
				}
			}
			frontier = next
		}
	})
}

// Add notes a result, unless there are many.
func (s *Sample) Add(result any) {
	text := string(appendValue(nil, result))
	same := func(r any) bool { return string(appendValue(nil, r)) == text }
	if len(s.Results) < sampledResults && !slices.ContainsFunc(s.Results, same) {
		s.Results = append(s.Results, result)
	}
}

package linsat

import (
	"errors"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/verify"
)

// Certificate puts a certified result about h into the form that verify.Verify checks against the
// history alone. It refuses a result that is not certified.
func Certificate(h *history.History, r *Result) (*verify.Certificate, error) {
	if h == nil || r == nil {
		return nil, errors.New("there is no certificate without a history and a result")
	}
	if !r.Certified {
		why := r.Uncertified
		if r.Verdict == engine.Unknown {
			why = "the verdict is unknown"
		}
		return nil, errors.New("there is no certificate: " + why)
	}
	c := verify.NewCertificate(h, r.Spec, r.Quasi, r.Scope, r.Verdict)
	if r.Verdict == engine.Linearizable {
		for _, a := range r.Answers {
			p := verify.PartOf(a.Part)
			p.Witness, p.Rearranged, p.Drains = a.Witness, a.Rearranged, a.Drains
			c.Parts = append(c.Parts, p)
		}
		return c, nil
	}
	p := verify.PartOf(r.Part)
	switch {
	case r.Refutation != nil:
		p.Refuted(r.Refutation)
	case r.Exhausted != nil:
		p.Claim, p.Search = r.Exhausted, verify.MaxNodes
	case r.Core != nil && r.Core.Argument != nil:
		p.Claim, p.Argument = r.Core.Claim, r.Core.Argument
	default:
		p.Proved(r.Evidence)
	}
	c.Parts = append(c.Parts, p)
	return c, nil
}

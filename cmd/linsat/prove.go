package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/solver/cdcl"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/clausal"
	"github.com/linsat/linsat/internal/words"
)

// proofFormats are the endings of the files that --proof writes.
var proofFormats = []string{".lrat", ".drat"}

// checkProof checks the name that --proof gives.
func (s *solver) checkProof() error {
	if s.proof == "" || strings.HasSuffix(s.proof, proofFormats[0]) || strings.HasSuffix(s.proof, proofFormats[1]) {
		return nil
	}
	return cli.Hint(fmt.Errorf("--proof %s: unknown format", s.proof),
		"the name ends with .lrat or .drat; the formula is written beside it, as .cnf")
}

// writeProof writes what --proof asks for: the formula of the verifier, and its refutation.
func (s *solver) writeProof(run *words.Run) error {
	if s.proof == "" {
		return nil
	}
	r := &run.Result
	if r.Verdict != engine.NotLinearizable {
		return cli.Hint(fmt.Errorf("%s: there is no refutation to write", run.File),
			"--proof is about violations; --certificate writes a proof of any answer")
	}
	f, err := formulaOf(r)
	if err != nil {
		return cli.Hint(fmt.Errorf("%s: %w", run.File, err),
			"docs/certificates.md says of what there are formulas; --certificate writes a proof of any kind")
	}
	if err := s.writeInTime(strings.TrimSuffix(s.proof, filepath.Ext(s.proof))+".cnf",
		func() (func(io.Writer) error, error) {
			return func(w io.Writer) error {
				return f.WriteDIMACS(w, func(op history.OpID) string { return r.Partition.ID(op) })
			}, nil
		}); err != nil {
		return err
	}
	return s.writeInTime(s.proof, func() (func(io.Writer) error, error) {
		lemmas, err := lemmasOf(r.Proof, f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", run.File, err)
		}
		return func(w io.Writer) error {
			if strings.HasSuffix(s.proof, ".drat") {
				return clausal.WriteDRAT(w, lemmas)
			}
			return clausal.WriteLRAT(w, f.Len(), lemmas)
		}, nil
	})
}

// formulaOf returns the formula of the verifier. Where the proof that certifies the answer is of
// another kind, that of the shortest prefix with a violation will do: prefixes of linearizable
// histories are linearizable. Under a factor they need not be.
func formulaOf(r *result.Result) (*clausal.Formula, error) {
	if _, ok := r.Proof.(*proof.Clausal); !ok && r.Plain() && r.Failure != nil {
		b, err := r.Spec.Bind(r.Partition.Prefix(r.Failure.Cut))
		if err != nil {
			return nil, err
		}
		return clausal.Build(b, nil)
	}
	var weakening *proof.Weakening
	if p, ok := r.Proof.(*proof.Clausal); ok {
		weakening = p.Weakening
	}
	if r.Plain() {
		return verify.Clauses(r.Instance(), nil, weakening)
	}
	return verify.Clauses(r.Instance(), r.Quasi, weakening)
}

// lemmasOf returns the lemmas of the proof that certifies the answer, or refutes the formula.
func lemmasOf(p proof.Proof, f *clausal.Formula) ([]proof.Lemma, error) {
	if c, ok := p.(*proof.Clausal); ok && c.Clauses == f.Len() {
		return c.Lemmas, nil
	}
	status, lemmas, _ := cdcl.Refute(context.Background(), f)
	switch status {
	case cdcl.Refuted:
		return lemmas, f.Check(context.Background(), lemmas)
	case cdcl.Satisfied:
		return nil, errors.New("the formula has a model, although the history is a violation: please report this")
	}
	return nil, errors.New("the refutation is too large")
}

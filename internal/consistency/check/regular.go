package check

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
	reads "github.com/linsat/linsat/internal/stale/check"
	"github.com/linsat/linsat/internal/stale/verify"
	"github.com/linsat/linsat/internal/stale/words"
)

// Questions about reads and writes only: what is regular.

// kinds are those questions, as package stale asks them.
var kinds = map[string]stale.Kind{"regular": stale.Regular, "weakly-regular": stale.WeaklyRegular}

// Registers returns h as registers that are only read and written; an error if it has none such.
func Registers(s model.Spec, h *history.History, q *consistency.Question) (*stale.History, error) {
	if name := s.Info().Name; !stale.Supports(name) || name == "set" {
		return nil, &history.Error{File: h.Source, What: fmt.Sprintf("%s of %s", q.Name, name),
			Hint: "it is asked of register, cas-register and kv whose operations only read or only write"}
	}
	x, err := stale.Of(s, h)
	if err == nil {
		err = x.OnlyReadsAndWrites()
	}
	return x, err
}

// regular is the answer of engines for reads and writes.
func regular(ctx context.Context, c *Case, q *consistency.Question) (Answer, error) {
	x, err := Registers(c.Spec, c.History, q)
	if err != nil {
		return Answer{}, err
	}
	asked := stale.Question{Kind: kinds[q.Name]}
	found := reads.Ask(ctx, x, asked)
	a := Answer{Unclear: found.Unclear, Refused: found.Refused}
	switch found.Verdict {
	case reads.Holds:
		a.Verdict = check.Holds
	case reads.Fails:
		a.Verdict = check.Fails
		a.Results = found.Certificate.Core.Operations
		a.Says = words.Sentence(x, asked, found.Certificate.Core)
	}
	if found.Certified {
		text, err := json.Marshal(found.Certificate)
		if err != nil {
			return a, err
		}
		a.Certificate = &consistency.Certificate{Reads: text}
	}
	return a, nil
}

// verifyRegular is Verify for reads and writes.
func verifyRegular(ctx context.Context, s model.Spec, h *history.History, q *consistency.Question,
	c *consistency.Certificate) (holds bool, err error) {
	if c.Reads == nil {
		return false, fmt.Errorf("it says nothing of reads")
	}
	x, err := Registers(s, h, q)
	if err != nil {
		return false, err
	}
	about := &stale.Certificate{}
	d := json.NewDecoder(bytes.NewReader(c.Reads))
	d.DisallowUnknownFields()
	if err := d.Decode(about); err != nil {
		return false, err
	}
	if asked := (stale.Question{Kind: kinds[q.Name]}).String(); about.Question != asked {
		return false, fmt.Errorf("it is about %s, and the question is %s", about.Question, asked)
	}
	return about.Core == nil, verify.New(x).Check(ctx, about)
}

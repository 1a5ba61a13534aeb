package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/consistency/check"
	claimed "github.com/linsat/linsat/internal/consistency/words"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/isolation"
	levels "github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/words"
)

// Questions about one object: solve --consistency, certify --consistency (docs/consistency.md).

// transactions reports whether h is asked for levels of isolation: its operations are transactions,
// and no specification says otherwise.
func (s *solver) transactions(h *history.History) bool {
	name := s.spec
	if name == "" {
		name = h.Spec
	}
	if name != "" && name != "multi-register" {
		return false
	}
	if name == "" {
		_, err := isolation.Of(h)
		return err == nil
	}
	return true
}

// linearize is how check asks for linearizability.
func (s *solver) linearize(ctx context.Context, sp model.Spec, h *history.History, whole, why bool) (*result.Result,
	error) {
	options := []linsat.Option{linsat.Timeout(s.timeout), linsat.Memory(int64(s.memory))}
	if whole {
		options = append(options, linsat.Partition(linsat.Whole))
	}
	if !why {
		options = append(options, linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	}
	r, err := linsat.Check(ctx, sp, h, options...)
	if err != nil {
		return nil, err
	}
	return result.Of(r), nil
}

// ladder answers questions about the operations of h, reports, and returns the exit code.
func (s *solver) ladder(h *history.History) (int, error) {
	sp, err := s.specOf(h)
	if err != nil {
		return cli.Usage, err
	}
	ctx, done := s.within(h.Source)
	defer done()
	c := &check.Case{Spec: sp, History: h, Linearize: s.linearize, Solver: s.factory(), Memory: int64(s.memory)}
	answers, err := s.answers(ctx, c)
	if err != nil {
		return cli.Usage, err
	}
	for k := range answers {
		if answers[k].Refused != nil && ctx.Err() == nil {
			return cli.Disagrees, cli.Hint(fmt.Errorf("%s: the certificate of the answer on %s is refused: %w",
				h.Source, answers[k].Question.Name, answers[k].Refused),
				"this is a bug in linsat; please report it with the history")
		}
	}
	report := &ladderReport{file: h.Source, h: h, spec: sp.Info().Name, answers: answers, asked: s.consistency,
		brief: s.brief}
	done()
	if err = s.say(report); err == nil && s.certificate != "" {
		if len(answers) != 1 || answers[0].Certificate == nil {
			return cli.Usage, noCertificate(h.Source)
		}
		err = writeFile(s.certificate, func(w io.Writer) error {
			return json.NewEncoder(w).Encode(answers[0].Certificate)
		})
	}
	if err != nil {
		return cli.Usage, err
	}
	return report.exit(), nil
}

// answers asks what --consistency names.
func (s *solver) answers(ctx context.Context, c *check.Case) ([]check.Answer, error) {
	if s.consistency == strongest {
		return check.All(ctx, c)
	}
	q, err := consistency.Parse(s.consistency)
	if err != nil {
		return nil, err
	}
	a, err := check.Ask(ctx, c, q)
	return []check.Answer{a}, unsupported(c, q, err)
}

// unsupported is an error about a question, with those that the operations support where it is not
// one of them.
func unsupported(c *check.Case, q *consistency.Question, err error) error {
	var none *consistency.NoAccesses
	if !errors.As(err, &none) {
		return err
	}
	what, hint := none.Why, "of these operations may be asked: "+strings.Join(check.Supported(c), ", ")
	if none.Op >= 0 {
		return c.History.OpError(none.Op, q.Name+" is asked of reads and of writes, and "+what, hint)
	}
	err = fmt.Errorf("%s: %s is asked of reads and of writes: %s", c.History.Source, q.Name, what)
	return cli.Hint(err, hint)
}

// noCertificate is the error where --certificate has nothing to write.
func noCertificate(file string) error {
	return cli.Hint(fmt.Errorf("%s: there is no certificate of one level", file),
		"name one level with --consistency, or give more time (--timeout); no file was written")
}

// questionNames lists what --consistency takes of ordinary histories.
func questionNames() string {
	var names []string
	for k := range consistency.Questions {
		names = append(names, consistency.Questions[k].Name)
	}
	return strings.Join(names, ", ")
}

// certifyAsked verifies a certificate about a question.
func (s *solver) certifyAsked(h *history.History, file string) error {
	q, err := consistency.Parse(s.consistency)
	if err != nil {
		return cli.Hint(err, "certify takes the question that was asked: "+questionNames())
	}
	sp, err := s.specOf(h)
	if err != nil {
		return err
	}
	c := &consistency.Certificate{}
	if err := decodeCertificate(file, "a question of consistency",
		"`linsat solve --consistency QUESTION --certificate FILE` writes certificates", c); err != nil {
		return err
	}
	ctx, done := s.within(h.Source)
	defer done()
	holds, err := check.Verify(ctx, sp, h, q, c)
	var bad *history.Error
	var none *consistency.NoAccesses
	if errors.As(err, &bad) || errors.As(err, &none) {
		return unsupported(&check.Case{Spec: sp, History: h}, q, err)
	}
	if err := s.refused(ctx, file, err); err != nil {
		return err
	}
	is := "is"
	if !holds {
		is = "is not"
	}
	escape.Fprintf(s.out, "%s: valid: %s %s %s (%s, %s)\n", file, h.Source, is, q.Name, sp.Info().Name,
		words.Count(len(h.Ops), "operation"))
	return nil
}

// ladderReport is what is said of a history and questions.
type ladderReport struct {
	file    string
	h       *history.History
	spec    string
	answers []check.Answer
	asked   string
	brief   bool // one line
}

// exit is the exit code: 0 if all hold, 1 if one fails, 3 if one is not known.
func (r *ladderReport) exit() int {
	code := cli.Linearizable
	for k := range r.answers {
		switch r.answers[k].Verdict {
		case levels.Fails:
			return cli.Violation
		case levels.Unknown:
			code = cli.Unknown
		}
	}
	return code
}

// text writes the answer for a person.
func (r *ladderReport) text(w io.Writer, style words.Style) error {
	var b bytes.Buffer
	if r.asked == strongest {
		r.table(&b, style)
	} else {
		r.one(&b, style)
	}
	text := b.Bytes()
	if r.brief {
		lines := bytes.SplitN(text, []byte("\n"), 3)
		if text = lines[0]; r.exit() == cli.Violation && len(lines) > 1 {
			text = append(append(text, ": "...), bytes.TrimSpace(lines[1])...)
		}
		text = append(text, '\n')
	}
	_, err := w.Write(text)
	return err
}

// one writes the answer to one question.
func (r *ladderReport) one(b *bytes.Buffer, style words.Style) {
	a := &r.answers[0]
	answer := style.Paint(words.Bold+words.Green, a.Question.Name)
	switch a.Verdict {
	case levels.Fails:
		answer = style.Paint(words.Bold+words.Red, "not "+a.Question.Name)
	case levels.Unknown:
		answer = style.Paint(words.Bold+words.Yellow, "unknown whether "+a.Question.Name+": "+a.Unclear)
	}
	escape.Fprintf(b, "%s: %s\n", r.file, answer)
	if why := claimed.Text(r.h, a); why != "" {
		escape.Fprintf(b, "  %s\n", why)
	}
	summary := r.summary(a.Took, a.Certified(), a.Verdict != levels.Unknown)
	escape.Fprintf(b, "  %s\n", style.Paint(words.Faint, summary))
}

// table writes which questions hold.
func (r *ladderReport) table(b *bytes.Buffer, style words.Style) {
	hold, fail := check.Extremes(r.answers)
	names := func(all []*consistency.Question) string {
		var list []string
		for _, q := range all {
			list = append(list, q.Name)
		}
		return strings.Join(list, " and ")
	}
	switch {
	case len(hold) == 0 && len(fail) == 0:
		escape.Fprintf(b, "%s: %s\n", r.file, style.Paint(words.Bold+words.Yellow, "unknown"))
	case len(hold) == 0:
		escape.Fprintf(b, "%s: %s\n", r.file, style.Paint(words.Bold+words.Red, "not even "+names(fail)))
	case len(fail) == 0 && r.exit() == cli.Linearizable:
		escape.Fprintf(b, "%s: %s\n", r.file, style.Paint(words.Bold+words.Green, names(hold)))
	default:
		escape.Fprintf(b, "%s: %s\n", r.file, style.Paint(words.Bold, names(hold)))
		if len(fail) > 0 {
			escape.Fprintf(b, "  but not %s\n", style.Paint(words.Bold+words.Red, names(fail)))
		}
	}
	for k := range r.answers {
		if a := &r.answers[k]; slices.Contains(fail, a.Question) || len(a.Against) > 0 && a.From == a.Question {
			escape.Fprintf(b, "  %s: %s\n", a.Question.Name, claimed.Text(r.h, a))
		}
	}
	var took time.Duration
	certified, decided := true, true
	for k := range r.answers {
		a := &r.answers[k]
		answer := map[levels.Verdict]string{levels.Holds: "yes", levels.Fails: "no",
			levels.Unknown: "unknown: " + a.Unclear}[a.Verdict]
		escape.Fprintf(b, "  %-20s %s\n", a.Question.Name, answer)
		took += a.Took
		certified, decided = certified && a.Certified(), decided && a.Verdict != levels.Unknown
	}
	escape.Fprintf(b, "  %s\n", style.Paint(words.Faint, r.summary(took, certified, decided)))
}

// summary says what was checked, how long it took, and whether it is certified.
func (r *ladderReport) summary(took time.Duration, certified, decided bool) string {
	line := fmt.Sprintf("%s, %s of %d processes; %v", r.spec, words.Count(len(r.h.Ops), "operation"),
		len(r.h.Processes), took.Round(100*time.Microsecond))
	switch {
	case certified:
		line += "; certified"
	case decided:
		line += "; not certified"
	}
	return line
}

// ladderObject is an answer about a question as JSON (docs/json.schema.json).
type ladderObject struct {
	Version     int      `json:"version"`
	File        string   `json:"file"`
	Consistency string   `json:"consistency"`
	Verdict     string   `json:"verdict"`
	ImpliedBy   string   `json:"implied_by,omitempty"`
	Cause       string   `json:"cause,omitempty"`
	Spec        string   `json:"spec"`
	Operations  int      `json:"operations"`
	Processes   int      `json:"processes"`
	Certified   bool     `json:"certified"`
	Seconds     float64  `json:"seconds"`
	RestsOn     []string `json:"rests_on,omitempty"` // operations, by their names
	Text        string   `json:"text,omitempty"`
	// AgainstTime are pairs of operations that an order has to put against time.
	AgainstTime [][2]string `json:"against_time,omitempty"`
}

// json writes an object for each question.
func (r *ladderReport) json(w io.Writer) error {
	e := json.NewEncoder(w)
	for k := range r.answers {
		a := &r.answers[k]
		o := ladderObject{Version: 1, File: r.file, Consistency: a.Question.Name, Verdict: a.Verdict.String(),
			Cause: a.Unclear, Spec: r.spec, Operations: len(r.h.Ops), Processes: len(r.h.Processes),
			Certified: a.Certified(), Seconds: a.Took.Seconds(), Text: claimed.Text(r.h, a)}
		if a.From != a.Question {
			o.ImpliedBy = a.From.Name
		}
		for _, e := range a.Against {
			o.AgainstTime = append(o.AgainstTime, [2]string{r.h.ID(e.Before), r.h.ID(e.After)})
		}
		for _, i := range claimed.RestsOn(a) {
			o.RestsOn = append(o.RestsOn, r.h.ID(i))
		}
		if err := e.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

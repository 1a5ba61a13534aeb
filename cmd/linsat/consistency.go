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
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/check"
	"github.com/linsat/linsat/internal/isolation/verify"
	anomaly "github.com/linsat/linsat/internal/isolation/words"
	"github.com/linsat/linsat/internal/memory"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/words"
)

// Levels of isolation of transactions: solve --consistency, certify --consistency.

// strongest asks for all levels.
const strongest = "strongest"

// appends is the error of decide about transactions that append to lists: their linearizability is
// strict serializability.
type appends struct {
	h *history.History
	error
}

func (a *appends) Unwrap() error { return a.error }

// levelNames lists what --consistency takes, for a hint.
func levelNames() string {
	var names []string
	for _, l := range isolation.Levels() {
		if l.Given == isolation.NoOrder || l.Model == isolation.Causal && l.Given == isolation.SessionOrder {
			names = append(names, l.String())
		}
	}
	return strings.Join(names, ", ") + ", each with strong-session- or strict- before it, and strongest"
}

// checkConsistency refuses a level that there is not, and flags that do not go with levels.
func (s *solver) checkConsistency() error {
	if s.consistency == "" {
		return nil
	}
	_, unknown := isolation.ParseLevel(s.consistency)
	_, other := consistency.Parse(s.consistency)
	if s.consistency != strongest && unknown != nil && other != nil {
		return cli.Hint(other, "--consistency takes "+levelNames()+"; and of one object "+questionNames())
	}
	if other != nil && s.given("spec") && s.consistency != strongest {
		return cli.Hint(errors.New("--spec with a level of isolation"), "levels are asked of transactions")
	}
	for _, flag := range []string{"quasi", "relax", "engine", "cross-check", "solver", "partition", "core", "steps",
		"cache", "proof", "rows", "shard", "first", "isolate"} {
		if s.given(flag) {
			return cli.Hint(fmt.Errorf("--%s with --consistency", flag),
				"it is asked of whole histories; leave out one of them")
		}
	}
	if s.format != "" && s.format != "text" && s.format != "json" {
		return cli.Hint(fmt.Errorf("--format %s with --consistency", s.format), "it takes text or json")
	}
	return nil
}

// isolated decides levels of one file, reports, and returns its exit code.
func (s *solver) isolated(file string) (int, error) {
	if s.memory > 0 {
		defer memory.Limit(int64(s.memory))()
	}
	h, err := s.read(file)
	if err != nil {
		return cli.Usage, err
	}
	if _, err := consistency.Parse(s.consistency); (err == nil || s.consistency == strongest) && !s.transactions(h) {
		return s.ladder(h)
	}
	return s.isolatedHistory(h, s.consistency)
}

// isolatedHistory decides levels of a history.
func (s *solver) isolatedHistory(h *history.History, level string) (int, error) {
	if err := s.setInitial(h); err != nil {
		return cli.Usage, err
	}
	x, err := isolation.Of(h)
	if err != nil {
		return cli.Usage, err
	}
	ctx, done := s.within(h.Source)
	defer done()
	var answers []check.Answer
	if level == strongest {
		answers = check.All(ctx, x, s.factory(), int64(s.memory), s.linearization(h))
	} else {
		l, err := isolation.ParseLevel(level)
		if err != nil {
			return cli.Usage, err
		}
		answers = []check.Answer{check.Level(ctx, x, l, s.factory(), int64(s.memory), s.linearization(h))}
	}
	for k := range answers {
		if answers[k].Refused != nil && ctx.Err() == nil {
			return cli.Disagrees, cli.Hint(fmt.Errorf("%s: the certificate of the answer on %v is refused: %w",
				h.Source, answers[k].Level, answers[k].Refused),
				"this is a bug in linsat; please report it with the history")
		}
	}
	report := &isolationReport{file: h.Source, from: h, h: x, answers: answers, asked: level, brief: s.brief}
	if report.exit() == cli.Violation && !s.brief {
		report.survey = anomaly.NewSurvey(ctx, x, report.strongestOrder())
	}
	done()
	if err = s.say(report); err == nil && s.certificate != "" {
		err = s.writeIsolationCertificate(h.Source, answers)
	}
	if err != nil {
		return cli.Usage, err
	}
	return report.exit(), nil
}

// linearization returns what looks for a linearization of transactions on registers.
func (s *solver) linearization(h *history.History) check.Linear {
	return func(ctx context.Context) []history.OpID {
		r, err := linsat.Check(ctx, specs.MultiRegister(), h, linsat.Memory(int64(s.memory)),
			linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
		if err != nil || r.Verdict != engine.Linearizable {
			return nil
		}
		return r.Witness
	}
}

// writeIsolationCertificate writes the certificate of an answer.
func (s *solver) writeIsolationCertificate(file string, answers []check.Answer) error {
	if len(answers) != 1 || answers[0].Certificate == nil {
		return noCertificate(file)
	}
	return writeFile(s.certificate, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(answers[0].Certificate)
	})
}

// certifyIsolation verifies a certificate about a level.
func (s *solver) certifyIsolation(h *history.History, file string) error {
	if _, err := consistency.Parse(s.consistency); err == nil && !s.transactions(h) {
		return s.certifyAsked(h, file)
	}
	l, err := isolation.ParseLevel(s.consistency)
	if err != nil {
		return cli.Hint(err, "certify takes the level that was asked: "+levelNames())
	}
	if err := s.setInitial(h); err != nil {
		return err
	}
	x, err := isolation.Of(h)
	if err != nil {
		return err
	}
	c := &isolation.Certificate{}
	if err := decodeCertificate(file, "a level of isolation",
		"`linsat solve --consistency LEVEL --certificate FILE` writes certificates", c); err != nil {
		return err
	}
	ctx, done := s.within(h.Source)
	defer done()
	if err = fmt.Errorf("it is about %s, and the question is %v", c.Level, l); c.Level == l.String() {
		err = verify.Check(ctx, x, c)
	}
	if err := s.refused(ctx, file, err); err != nil {
		return err
	}
	holds := "is"
	if c.Refutation != nil {
		holds = "is not"
	}
	escape.Fprintf(s.out, "%s: valid: %s %s %v (%s)\n", file, h.Source, holds, l,
		words.Count(len(x.Txns), "transaction"))
	return nil
}

// isolationReport is what is said of a history and levels.
type isolationReport struct {
	file    string
	from    *history.History
	h       *isolation.History
	answers []check.Answer
	asked   string
	brief   bool            // one line
	survey  *anomaly.Survey // if a level fails
}

// strongestOrder is the strongest order of a level that fails.
func (r *isolationReport) strongestOrder() (order isolation.Order) {
	for k := range r.answers {
		if r.answers[k].Verdict == check.Fails {
			order = max(order, r.answers[k].Level.Given)
		}
	}
	return order
}

// others says how many anomalies there are of each kind that a level forbids, and shows one of each
// that was not said before.
func (r *isolationReport) others(b *bytes.Buffer, l isolation.Level, said []*anomaly.Anomaly) {
	if r.survey == nil {
		return
	}
	for _, t := range r.survey.At(l, nil) {
		alike, same := false, false // but for the given order that they need
		for _, a := range said {
			alike = alike || a.Class() == t.Shortest.Class()
			same = same || a.Type == t.Shortest.Type
		}
		if !same || t.Count > 1 {
			escape.Fprintf(b, "  %s\n", t.Short(r.h, alike))
		}
		said = append(said, t.Shortest)
	}
}

// levelSummary says of how many files the level, or all of them, hold.
func (s *solver) levelSummary(files int) string {
	line := words.Count(files, "file") + ":"
	left := files
	for _, c := range []struct {
		code int
		what string
	}{{cli.Linearizable, "hold"}, {cli.Violation, "fail"}, {cli.Unknown, "unknown"}} {
		if n := s.levels[c.code]; n > 0 {
			line += fmt.Sprintf(" %d %s,", n, c.what)
			left -= n
		}
	}
	if left > 0 {
		line += fmt.Sprintf(" %d without an answer about a level,", left)
	}
	return strings.TrimSuffix(line, ",")
}

// exit is the exit code: of one level by its answer; of all 0 if all hold, 1 if one fails, 3 if one
// is not known.
func (r *isolationReport) exit() int {
	code := cli.Linearizable
	for k := range r.answers {
		switch r.answers[k].Verdict {
		case check.Fails:
			return cli.Violation
		case check.Unknown:
			code = cli.Unknown
		}
	}
	return code
}

// text writes the answer for a person.
func (r *isolationReport) text(w io.Writer, style words.Style) error {
	var b bytes.Buffer
	a := &r.answers[0]
	if r.asked == strongest {
		r.table(&b, style)
	} else {
		answer := style.Paint(words.Bold+words.Green, a.Level.String())
		switch a.Verdict {
		case check.Fails:
			answer = style.Paint(words.Bold+words.Red, "not "+a.Level.String())
		case check.Unknown:
			answer = style.Paint(words.Bold+words.Yellow, "unknown whether "+a.Level.String()+": "+a.Unclear)
		}
		escape.Fprintf(&b, "%s: %s\n", r.file, answer)
		r.why(&b, a)
		if a.Verdict == check.Fails && a.Certificate != nil {
			r.others(&b, a.Level, r.named(a))
		}
		escape.Fprintf(&b, "  %s\n", style.Paint(words.Faint, r.summary(a)))
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

// named is the anomaly of an answer no, if it has a name.
func (r *isolationReport) named(a *check.Answer) []*anomaly.Anomaly {
	if found := anomaly.Find(r.h, a.Certificate); found != nil {
		return []*anomaly.Anomaly{found}
	}
	return nil
}

// why says which anomaly an answer no is about.
func (r *isolationReport) why(b *bytes.Buffer, a *check.Answer) {
	if a.Verdict == check.Fails && a.Certificate != nil {
		escape.Fprintf(b, "  %s\n", anomaly.Text(r.h, a.Certificate))
	}
}

// summary says what was checked, how long it took, and whether it is certified.
func (r *isolationReport) summary(a *check.Answer) string {
	line := fmt.Sprintf("%s on %s; %v", words.Count(len(r.h.Txns), "transaction"),
		words.Count(len(r.h.Objects), "object"), a.Took.Round(100*time.Microsecond))
	if a.Choices > 0 {
		line += fmt.Sprintf("; %s by a solver", words.Count(a.Choices, "choice"))
	}
	if a.Certified() {
		line += "; certified"
	} else if a.Verdict != check.Unknown {
		line += "; not certified"
	}
	return line
}

// table writes which levels hold: models by orders.
func (r *isolationReport) table(b *bytes.Buffer, style words.Style) {
	hold, fail := check.Extremes(r.answers)
	names := func(all []isolation.Level) string {
		var list []string
		for _, l := range all {
			list = append(list, l.String())
		}
		return strings.Join(list, " and ")
	}
	switch {
	case len(fail) == 0 && len(hold) > 0 && r.exit() == cli.Linearizable:
		escape.Fprintf(b, "%s: %s\n", r.file, style.Paint(words.Bold+words.Green, names(hold)+", the strongest level"))
	case len(hold) == 0 && len(fail) > 0:
		escape.Fprintf(b, "%s: %s\n", r.file, style.Paint(words.Bold+words.Red, "not even "+names(fail)))
	case len(hold) == 0:
		escape.Fprintf(b, "%s: %s\n", r.file, style.Paint(words.Bold+words.Yellow, "unknown"))
	default:
		escape.Fprintf(b, "%s: %s\n", r.file, style.Paint(words.Bold, names(hold)))
		if len(fail) > 0 {
			escape.Fprintf(b, "  but not %s\n", style.Paint(words.Bold+words.Red, names(fail)))
		}
	}
	said := ""
	var shown []*anomaly.Anomaly
	for k := range r.answers {
		if slices.Contains(fail, r.answers[k].Level) {
			var why bytes.Buffer
			if r.why(&why, &r.answers[k]); why.String() != said {
				said = why.String()
				b.WriteString(said)
				shown = append(shown, r.named(&r.answers[k])...)
			}
		}
	}
	if len(fail) > 0 {
		r.others(b, isolation.Level{Model: isolation.Serializable, Given: isolation.RealTime}, shown)
	}
	escape.Fprintf(b, "  %-20s %-8s %-8s %s\n", "", "alone", "session", "real time")
	for m := isolation.Serializable; ; m-- {
		var cells [3]string
		for k := range r.answers {
			if a := &r.answers[k]; a.Level.Model == m {
				cells[a.Level.Given] = map[check.Verdict]string{check.Holds: "yes", check.Fails: "no",
					check.Unknown: "unknown"}[a.Verdict]
			}
		}
		escape.Fprintf(b, "  %-20s %-8s %-8s %s\n", m.String(), cells[0], cells[1], cells[2])
		if m == isolation.ReadCommitted {
			break
		}
	}
	var took time.Duration
	certified := true
	for k := range r.answers {
		took += r.answers[k].Took
		certified = certified && r.answers[k].Certified()
	}
	line := fmt.Sprintf("%s on %s; %v", words.Count(len(r.h.Txns), "transaction"),
		words.Count(len(r.h.Objects), "object"), took.Round(100*time.Microsecond))
	if certified {
		line += "; every answer is certified"
	}
	escape.Fprintf(b, "  %s\n", style.Paint(words.Faint, line))
}

// isolationObject is an answer about a level as JSON (docs/json.schema.json).
type isolationObject struct {
	Version      int     `json:"version"`
	File         string  `json:"file"`
	Consistency  string  `json:"consistency"`
	Verdict      string  `json:"verdict"`
	ImpliedBy    string  `json:"implied_by,omitempty"`
	Cause        string  `json:"cause,omitempty"`
	Transactions int     `json:"transactions"`
	Objects      int     `json:"objects"`
	Certified    bool    `json:"certified"`
	Seconds      float64 `json:"seconds"`

	Anomaly   *anomaly.Object   `json:"anomaly,omitempty"`
	Types     []string          `json:"anomaly_types,omitempty"` // as Elle names them
	Anomalies []anomaly.Counted `json:"anomalies,omitempty"`
}

// json writes an object for each level.
func (r *isolationReport) json(w io.Writer) error {
	e := json.NewEncoder(w)
	for k := range r.answers {
		a := &r.answers[k]
		o := isolationObject{Version: 1, File: r.file, Consistency: a.Level.String(), Verdict: a.Verdict.String(),
			Cause: a.Unclear, Transactions: len(r.h.Txns), Objects: len(r.h.Objects), Certified: a.Certified(),
			Seconds: a.Took.Seconds()}
		if a.From != a.Level {
			o.ImpliedBy = a.From.String()
		}
		if a.Verdict == check.Fails && a.Certificate != nil {
			found := anomaly.Find(r.h, a.Certificate)
			if found != nil {
				o.Anomaly = found.Object(r.h)
			}
			for _, t := range r.survey.At(a.Level, found) {
				o.Types = append(o.Types, t.Shortest.Type)
				o.Anomalies = append(o.Anomalies, anomaly.Counted{Count: t.Count, Object: t.Shortest.Object(r.h)})
			}
		}
		if err := e.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

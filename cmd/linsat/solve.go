package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/memory"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/rows"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/words"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// solver holds the flags of solve.
type solver struct {
	spec        string
	initial     string
	inputFormat string
	keyed       string
	nilReads    string
	absent      string
	columns     string
	uncertainty int64
	order       string
	strict      bool
	engine      string
	crossCheck  share // of the files, decided by every engine, too
	crossing    int   // how many were
	backend     string
	partition   string
	quasi       string
	stale       string // how old reads may be, or min
	meaning     string
	causal      bool
	drain       bool
	relax       string
	consistency string      // a level of isolation, or strongest
	levels      map[int]int // files, by the exit code of their answers about levels
	relaxBy     specs.SemanticRelaxation
	timeout     time.Duration
	memory      size
	steps       int64
	cache       int
	format      string
	witness     int
	html        string
	certificate string
	proof       string
	core        string
	first       bool
	shard       string
	rowsFile    string
	rows        *rows.File // nil without --rows
	hashes      map[string]string
	limits      map[string]string // the flags that say how to answer
	flags       *pflag.FlagSet
	given       func(flag string) bool // on the command line
	interrupted bool                   // while checking
	deadline    time.Time              // of the present file, if --timeout was given
	briefly     bool                   // one line for each file is asked for
	brief       bool                   // one line for each file: that, or there are many
	screen      cli.Screen
	start       time.Time // of the command
	told        time.Time // when a line last said what is being done
	number      int       // of the present file, from 1
	several     int       // files in all
	text, notes io.Writer // where text for people goes, and where remarks
	tally       render.Tally
	report      render.Report // of all files, unless each is answered in full
	merge       bool
	merged      []string   // the files of the history, under --merge
	fromFile    model.Spec // what --spec FILE holds, once it was read
	out, err    io.Writer
	page        io.Writer // where a page goes that is written to -
	// drawings draws answers to other questions than linearizability, in the place of --html.
	drawings func(p func() *picture.Picture) error
	in       io.Reader
}

func solveCommand() *cobra.Command {
	s := &solver{}
	c := &cobra.Command{
		Use:   "solve FILE...",
		Short: "decide whether histories are linearizable, or quasi-linearizable with --quasi",
		Long: `Decides every FILE: a history, a directory of histories, or - for standard input; plain, .gz or .zst.
The format is recognised (docs/formats.md). The specification is that of the file, or --spec.

Each file has a minute unless --timeout says otherwise; an unknown says what makes the history hard.

Exit code: 0 linearizable, 1 not linearizable, 2 bad usage or bad input, 3 unknown (a limit was reached, or no operation
returned, so that nothing was checked), 4 the engines contradict each other. With several files the most serious one, in the order 4, 2, 1, 3, 0.

Independent parts (keys, elements) are checked separately. All parts are checked; those that are not linearizable are
listed, and the first of them in the order of the history is explained.`,
		Example: `  linsat solve h.json
  linsat solve --spec cas-register --timeout 10s logs/
  linsat solve --quasi 2 queue.json
  linsat solve --engine all --format json h.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Hint(errors.New("solve needs a file"),
					"`linsat solve FILE`, or `linsat solve -` for standard input")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			s.streams(c)
			return s.run(args)
		},
	}
	s.checking(c)
	f := c.Flags()
	f.Var(&s.crossCheck, "cross-check",
		"ask every engine, too, about a share of the files, such as 1%: with --engine auto, in what is left of the time")
	f.StringVar(&s.format, "format", "text",
		"text, json (one object a line; docs/reading.md), tsv (one line a file), junit, sarif or github (annotations "+
			"of GitHub Actions); text of more than 24 files is one line each unless --format text asks for all")
	f.BoolVar(&s.briefly, "brief", false, "one line for each file, with the contradiction of a violation")
	f.StringVar(&s.certificate, "certificate", "",
		"write a certificate of the answer to this file; linsat certify verifies it")
	f.StringVar(&s.proof, "proof", "",
		"write a refutation of clauses to this file, NAME.lrat or NAME.drat, and the clauses beside it, as NAME.cnf "+
			"(docs/certificates.md)")
	f.IntVar(&s.witness, "witness", 24, "how many operations of a linearization to show in text, -1 for all")
	f.StringVar(&s.html, "html", "",
		"write a page with a zoomable timeline to this file, - for standard output (needs a single history)")
	f.StringVar(&s.shard, "shard", "",
		"check part i of n of the histories, i/n: they are divided by the hash of their content (docs/ci.md)")
	f.StringVar(&s.rowsFile, "rows", "",
		"append the answers to this file, one JSON object a line, and do not check again what has an answer there; "+
			"linsat merge reads it")
	s.mergeFlag(c)
	s.flags = f
	return c
}

// streams sets where the input comes from, and where the output goes. What --html - writes to
// standard output leaves no place for text there.
func (s *solver) streams(c *cobra.Command) {
	s.screen, s.start, s.levels = cli.ScreenOf(c), time.Now(), map[int]int{}
	s.in, s.out, s.err, s.page = c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr(), c.OutOrStdout()
	if s.html == "-" {
		s.out, s.screen = s.err, cli.Screen{Quiet: s.screen.Quiet}
	}
	s.text, s.notes = s.screen.Text(s.out), s.screen.Notes(s.err)
}

// run decides all files and returns nil or the exit code.
func (s *solver) run(args []string) error {
	if !slices.Contains(render.ReportFormats, s.format) {
		return unknownFormat(s.format)
	}
	if s.briefly && s.format != "text" {
		return cli.Hint(fmt.Errorf("--brief with --format %s", s.format),
			"--brief is about text for people; leave out one of them")
	}
	options, err := s.options()
	if err != nil {
		return err
	}
	for _, flag := range []struct {
		name, value string
	}{{"--html", s.html}, {"--certificate", s.certificate}, {"--proof", s.proof}} {
		if err := oneHistory(flag.name, flag.value, args, s.merge); err != nil {
			return err
		}
	}
	if err := s.checkProof(); err != nil {
		return err
	}
	if err := s.checkCross(); err != nil {
		return err
	}
	if s.merge && (s.shard != "" || s.rowsFile != "") {
		return cli.Hint(errors.New("--merge with --shard or --rows"),
			"these are about many histories, and --merge makes one of many files")
	}
	worst := cli.Linearizable
	note := func(code int) {
		if cli.Gravity(code) > cli.Gravity(worst) {
			worst = code
		}
	}
	if s.format != "text" {
		if s.report, err = render.NewReport(s.format, s.out, words.Style{}, version); err != nil {
			return err
		}
	}
	var files []string
	for _, arg := range args {
		more, err := history.Files(arg, passedOver(s.notes))
		if err != nil {
			note(cli.Usage)
			if err := s.failed(arg, err); err != nil {
				return err
			}
		}
		files = append(files, more...)
	}
	files = once(files, args, passedOver(s.notes))
	if files, err = s.divide(files); err != nil {
		return err
	}
	files = s.together(files)
	if s.brief = s.briefly || s.format == "text" && !s.given("format") && len(files) > screenful; s.brief {
		if s.report, err = render.NewReport(s.lines(), s.text, words.Style{Color: s.screen.Color},
			version); err != nil {
			return err
		}
	}
	s.several = len(files)
	for k, file := range files {
		s.number = k + 1
		if s.interrupted {
			cli.Complain(s.err, cli.Hint(errors.New("interrupted"), "the files from "+file+" on were not checked"))
			break
		}
		if o, ok := s.answered(file); ok {
			note(exitOfRow(o))
			if err := s.repeat(o); err != nil {
				return err
			}
			continue
		}
		code, err := s.file(file, options)
		if err != nil {
			if err := s.failed(file, err); err != nil {
				return err
			}
		}
		note(code)
	}
	if s.report != nil {
		if err := s.report.Close(); err != nil {
			return err
		}
	}
	if s.rows != nil {
		if err := s.rows.Close(); err != nil {
			return err
		}
	}
	if !s.interrupted {
		s.summary(len(files))
	}
	if worst != cli.Linearizable {
		return cli.Exit(worst)
	}
	return nil
}

// lines is the format of one line for each file.
func (s *solver) lines() string {
	if s.briefly {
		return render.Brief
	}
	return "text"
}

// unknownFormat is the error about a --format that there is not.
func unknownFormat(name string) error {
	last := len(render.ReportFormats) - 1
	return cli.Hint(fmt.Errorf("unknown format %q", name), "--format takes "+strings.Join(render.ReportFormats[:last],
		", ")+" or "+render.ReportFormats[last])
}

// failed reports a file without an answer.
func (s *solver) failed(file string, cause error) error {
	cli.Complain(s.err, cause)
	verdict := render.Failed
	var d *engine.Disagreement
	if errors.As(cause, &d) {
		verdict = render.Disagreement
	}
	o := render.ErrorObject(file, verdict, cli.OneLine(cause.Error()), cli.HintOf(cause))
	s.tally.Add(o)
	if err := s.record(o); err != nil || s.report == nil || s.brief {
		return err
	}
	return s.report.Add(o)
}

// unsaid reports whether --quiet leaves an answer out of the text.
func (s *solver) unsaid(o *render.Object) bool {
	return s.screen.Quiet && s.format == "text" && o.Verdict == engine.Linearizable.String()
}

// summary prints how many files got each answer, if there are several.
func (s *solver) summary(files int) {
	switch {
	case files < 2 || s.screen.Quiet:
	case len(s.levels) > 0:
		if s.format == "text" {
			fmt.Fprintln(s.text, s.levelSummary(files))
		}
	case s.format == "text":
		fmt.Fprintln(s.text, s.tally.String())
		if s.crossing > 0 {
			fmt.Fprintf(s.text, "cross-checked by every engine: %d, no contradiction\n", s.crossing)
		}
		if s.brief && !s.briefly {
			fmt.Fprintln(s.text, "(one line each, since there are many; --format text shows why)")
		}
	case s.format != "json":
		fmt.Fprintln(s.err, "linsat: "+s.tally.String())
	}
}

// answer decides one file. If another question than linearizability is asked, it reports as well,
// and run is nil; code is the exit code then, and after an error.
func (s *solver) answer(file string, options []linsat.Option) (run *words.Run, code int, err error) {
	if s.consistency != "" {
		code, err = s.isolated(file)
		return nil, code, err
	}
	run, err = s.decide(file, options)
	var reads *staleReads
	var lists *appends
	var d *engine.Disagreement
	switch {
	case errors.As(err, &reads):
		code, err = s.staleFile(reads.h, reads.sp)
		return nil, code, err
	case errors.As(err, &lists):
		code, err = s.isolatedHistory(lists.h, "strict-serializable")
		return nil, code, err
	case errors.As(err, &d):
		return nil, cli.Disagrees, err
	}
	return run, cli.Usage, err
}

// file decides one file, reports, and returns its exit code.
func (s *solver) file(file string, options []linsat.Option) (int, error) {
	run, code, err := s.answer(file, options)
	if err != nil || run == nil {
		return code, err
	}
	// The output about a file is written at once, even if the process is stopped.
	o := render.Answered(run)
	if s.rows != nil || s.report != nil && !s.unsaid(o) {
		o = render.NewObject(run)
		o.SHA256 = s.hashes[file]
	}
	switch {
	case s.unsaid(o):
	case s.report != nil:
		err = s.report.Add(o)
	default:
		var buf bytes.Buffer
		words.Text(&buf, run, words.Style{Color: s.screen.Color, Witness: s.witness})
		_, err = s.text.Write(buf.Bytes())
	}
	if err == nil {
		err = s.writeCertificate(run)
	}
	if err == nil {
		err = s.writeProof(run)
	}
	if err == nil && s.html != "" {
		err = s.draw(s.html, func() *picture.Picture { return picture.New(run, reasons(&run.Result)) }, render.HTML)
	}
	if err != nil {
		return cli.Usage, err
	}
	s.tally.Add(o)
	return exitOf(run), s.record(o)
}

// exitOf is the exit code of an answer.
func exitOf(run *words.Run) int {
	switch {
	case run.Result.Verdict == engine.NotLinearizable:
		return cli.Violation
	case run.Result.Verdict == engine.Linearizable && !run.Vacuous():
		return cli.Linearizable
	}
	return cli.Unknown
}

// decide reads and checks one file. If engines disagree, the history is saved. An interrupt ends
// the check, with what is known by then; a second one, or one while reading, ends the process.
func (s *solver) decide(file string, options []linsat.Option) (*words.Run, error) {
	if s.memory > 0 {
		defer memory.Limit(int64(s.memory))()
	} else {
		defer memory.Soften(softMemory)()
	}
	began := time.Now()
	h, err := s.read(file)
	if err != nil {
		return nil, err
	}
	reading := time.Since(began)
	sp, err := s.specOf(h)
	if err != nil && s.spec == "" && specs.Appending(h) >= 0 {
		return nil, &appends{h, err}
	}
	if err != nil {
		return nil, err
	}
	if s.asksStale(sp) {
		return nil, &staleReads{h, sp, errors.New("a question about old reads")}
	}
	relax, err := s.relaxation(sp)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.Source, err)
	}
	if relax != nil {
		options = append(options[:len(options):len(options)], relax)
	}
	if s.fromFile != nil && s.core == "one" && s.timeout > 0 && s.given("timeout") {
		// nothing but the time bounds how few operations contradict each other
		options = append(options[:len(options):len(options)], linsat.Explain(s.explanation(s.timeout)))
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	ctx, unwatch := s.watched(ctx, file)
	defer unwatch()
	start := time.Now()
	s.deadline = time.Time{}
	if s.timeout > 0 && s.given("timeout") {
		s.deadline = start.Add(s.timeout)
	}
	bounded, release := s.bounded(ctx)
	defer release()
	r, err := linsat.Check(bounded, sp, h, options...)
	s.interrupted = ctx.Err() != nil
	if err != nil {
		var d *engine.Disagreement
		if errors.As(err, &d) {
			return nil, s.save(h, err)
		}
		return nil, err
	}
	answered := &words.Run{File: h.Source, History: h, Result: *result.Of(r), Reading: reading, Bytes: memory.Used(),
		Engine: s.engine}
	if answered.Result.Cause == engine.Timeout {
		answered.TimeLimit, answered.DefaultLimit = s.timeout, !s.given("timeout")
	}
	answered.Prefix = s.longestPrefix(&answered.Result)
	if err := s.cross(bounded, answered, options, time.Since(start)); errors.As(err, new(*engine.Disagreement)) {
		return nil, s.save(h, err)
	} else if err != nil {
		return nil, err
	}
	return answered, s.otherwise(bounded, answered, relax != nil, options, time.Since(start))
}

// otherwise looks whether a guess decides a violation: whether a weaker specification of the same
// operations allows the history. It has what is left of the time.
func (s *solver) otherwise(ctx context.Context, run *words.Run, relaxed bool, options []linsat.Option,
	taken time.Duration) error {
	weaker := specs.Weaker(run.Result.Spec.Info().Name)
	left := s.timeout - taken
	if run.Result.Verdict != engine.NotLinearizable || relaxed || !slices.Contains(run.History.AlsoFits, weaker) ||
		s.timeout > 0 && left <= 0 || ctx.Err() != nil {
		return nil
	}
	sp, _ := specs.Lookup(weaker)
	if s.timeout > 0 {
		options = append(options[:len(options):len(options)], linsat.Timeout(left))
	}
	r, err := linsat.Check(ctx, sp, run.History, append(options[:len(options):len(options)],
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))...)
	if err == nil && r.Verdict == engine.Linearizable {
		run.Otherwise = weaker
	}
	return err
}

// save writes the history about which the engines contradict each other to a file.
func (s *solver) save(h *history.History, cause error) error {
	f, err := os.CreateTemp(".", "linsat-disagreement-*.json")
	if err != nil {
		return fmt.Errorf("%w (and the history could not be saved: %w)", cause, err)
	}
	defer f.Close()
	if err := history.WriteJSON(f, h); err != nil {
		return fmt.Errorf("%w (and the history could not be saved: %w)", cause, err)
	}
	return cli.Hint(cause, "this is a bug in linsat; the history is saved as "+f.Name()+", please report it")
}

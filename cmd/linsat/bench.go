package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/bench"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/corpora"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
	"github.com/spf13/cobra"
)

// benching is what the flags of linsat bench say.
type benching struct {
	engines, solvers, by, meanings             []string
	factors, gens, from, consistency           []string
	specification, partition, format           string
	rowsFile, svgFile, htmlFile, earlier, core string
	timeout                                    time.Duration
	memory                                     size
	repeat                                     int
}

func benchCommand() *cobra.Command {
	var b benching
	c := &cobra.Command{
		Use:   "bench DIR...",
		Short: "compare the times and verdicts of engines on histories",
		Long: `Runs every engine on every history of the directories (or files) and of --gen, one run at a time and without explanations,
reading excluded, and prints a table: how many each decided, does not support or gave up, the median, the 90th percentile and the
maximum of their times (each the median of its runs; a limit that was reached counts as the time until then), the largest heap,
and what the engines count (steps, variables, clauses); then whether all verdicts agree, with those of a verdicts.csv in a folder
above a history, too (linsat corpora). A run that stays unknown is not repeated.

With --quasi, each factor is a question of its own about each history, and with --consistency each name; engines are what these
ask for linearizations, and auto is the only one unless --engines names others. --by adds a table of groups. --core one asks for the core of
each violation, too, which is timed. --rows writes the raw figures, one JSON object a line; --from reads them again instead of
running anything, --against tells what is slower or answered otherwise than in earlier rows. --svg and --html draw them.

Exit code: 0, 2 bad usage or if a history cannot be read (it is told, counted and left out), 4 if any two verdicts contradict each other.`,
		Example: `  linsat bench logs/
  linsat bench logs/ --engines search,sat --timeout 2s --repeat 3 --rows rows.jsonl
  linsat bench --gen "stack --operations 200 --relax 2 --seed 1..9" --quasi 1,2 --engines search,sat --by verdict,quasi
  linsat bench --from rows.jsonl --against earlier.jsonl --html report.html`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(b.consistency) > 0 && !c.Flags().Changed("engines") {
				b.engines = []string{"auto"}
			}
			return b.run(c, args)
		},
	}
	f := c.Flags()
	f.Var(several(&b.engines, "monitor", "search", "sat", "auto"), "engines",
		"engines: auto, all, search, sat, monitor, smt, smt:z3, smt:cvc5 (docs/limits.md); textbook, textbook:lru: the "+
			"search of Wing, Gong and Lowe as printed, with a cache of any and of bounded size")
	f.Var(several(&b.solvers, "gini"), "solvers", "solvers of the sat engine: "+strings.Join(backends(), ", "))
	f.StringArrayVar(&b.gens, "gen", nil,
		"histories that linsat gen makes of these arguments, where values may be lists and ranges: \"queue --seed "+
			"1..5\"")
	f.StringArrayVar(&b.factors, "quasi", nil,
		"quasi factors, 0,1,2 or min; bounds by class (deq=2,enq=1) are one factor; may be repeated")
	f.Var(several(&b.consistency), "consistency", "questions of consistency about one object: "+questionNames())
	f.Var(several(&b.meanings, "slots"), "quasi-meaning", "meanings of the factors: slots, classes")
	f.StringVar(&b.specification, "spec", "", "specification to check against, instead of the files'")
	partitionFlag(c, &b.partition)
	f.DurationVar(&b.timeout, "timeout", 10*time.Second, "time limit of each run, 0 for none")
	f.Var(&b.memory, "memory", "memory limit of each run (500MB, 2GiB), 0 for none")
	f.IntVar(&b.repeat, "repeat", 5, "runs of each history by each engine")
	f.StringVar(&b.core, "core", "none", "none, or one: ask for a core of each violation and its certificate")
	f.Var(several(&b.by), "by", "what the questions are grouped by: "+strings.Join(bench.Traits, ", "))
	f.StringVar(&b.format, "format", "text", "text or json")
	f.StringVar(&b.rowsFile, "rows", "", "write the raw rows to this file, as JSON Lines")
	f.StringArrayVar(&b.from, "from", nil, "report on the rows in this file, and run nothing")
	f.StringVar(&b.earlier, "against", "", "compare with the rows in this file, about the same histories")
	f.StringVar(&b.svgFile, "svg", "",
		"draw to this file: a cactus plot of all, and the times of search and sat against each other")
	f.StringVar(&b.htmlFile, "html", "", "write the report and the drawings to this file, as one page")
	return c
}

func (b *benching) run(c *cobra.Command, args []string) error {
	if err := b.check(args); err != nil {
		return err
	}
	var earlier []bench.Row
	if b.earlier != "" {
		var err error
		if earlier, err = readRows(b.earlier); err != nil {
			return err
		}
	}
	rows, unread, stopped, err := b.rows(c, args)
	if err != nil {
		return err
	}
	report := bench.NewReport(rows, b.by...)
	report.Unread = unread
	if b.earlier != "" {
		report.Changes = bench.Since(earlier, rows)
	}
	if err := b.write(c.OutOrStdout(), report, rows); err != nil {
		return err
	}
	switch {
	case len(report.Disagreements) > 0:
		return cli.Exit(cli.Disagrees)
	case stopped != nil:
		return fmt.Errorf("stopped after %d measurements: %w", len(rows), stopped)
	case unread > 0:
		return cli.Exit(cli.Usage)
	}
	return nil
}

// check refuses flags that no run could follow.
func (b *benching) check(args []string) error {
	if b.format != "text" && b.format != "json" {
		return cli.Hint(fmt.Errorf("unknown format %q", b.format), "--format takes text or json")
	}
	if b.repeat < 1 || b.timeout < 0 {
		return cli.Hint(errors.New("--repeat must be at least 1, and --timeout not negative"),
			"for example --repeat 3 --timeout 10s; --timeout 0 means no limit")
	}
	if b.core != "none" && b.core != "one" {
		return cli.Hint(fmt.Errorf("unknown choice of cores %q", b.core), "--core takes none or one")
	}
	for _, trait := range b.by {
		if !slices.Contains(bench.Traits, trait) {
			return cli.Hint(fmt.Errorf("questions have no %q", trait), "--by takes "+strings.Join(bench.Traits, ", "))
		}
	}
	for _, name := range b.consistency {
		if _, err := consistency.Parse(name); err != nil {
			return cli.Hint(err, "--consistency takes "+questionNames())
		}
	}
	for _, name := range b.meanings {
		if err := new(quasi.Meaning).UnmarshalText([]byte(name)); err != nil {
			return err
		}
	}
	switch runs := len(args)+len(b.gens) > 0; {
	case len(b.from) > 0 && runs:
		return cli.Hint(errors.New("--from with histories"), "--from reports on rows that were written before")
	case len(b.from) == 0 && !runs:
		return cli.Hint(errors.New("bench needs a directory"),
			"`linsat bench DIR`, or `linsat bench --gen \"queue --seed 1..5\"`")
	}
	_, err := model.ParsePartitioning(b.partition)
	return err
}

// rows measures, or reads what was measured. unread counts the histories that were skipped, stopped
// is why the measuring ended early.
func (b *benching) rows(c *cobra.Command, args []string) (rows []bench.Row, unread int, stopped, err error) {
	for _, name := range b.from {
		more, err := readRows(name)
		if err != nil {
			return nil, 0, nil, err
		}
		rows = append(rows, more...)
	}
	if len(b.from) > 0 {
		return rows, 0, nil, nil
	}
	contenders, err := b.contenders()
	if err != nil {
		return nil, 0, nil, err
	}
	sources, err := b.sources(c, args)
	if err != nil {
		return nil, 0, nil, err
	}
	plan := bench.Plan{Contenders: contenders, Questions: b.questions(), Core: b.core == "one",
		Timeout: b.timeout, Repeat: b.repeat, Spec: b.specification, Progress: progress(cli.NotesOf(c)),
		Skip: func(_ string, err error) {
			unread++
			escape.Fprintf(c.ErrOrStderr(), "linsat: left out: %s\n", cli.OneLine(err.Error()))
		}}
	ctx, stop := cli.Interruptible()
	defer stop()
	rows, stopped = plan.Run(ctx, sources)
	plan.Progress(len(sources), len(sources), "")
	return rows, unread, stopped, nil
}

func (b *benching) contenders() ([]bench.Contender, error) {
	var chosen []bench.Solver
	for _, name := range b.solvers {
		factory, err := findSolver("--solvers", name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, bench.Solver{Name: name, Factory: factory})
	}
	contenders, err := bench.Contenders(b.engines, chosen, linsat.Partition(linsat.Partitioning(b.partition)),
		linsat.Memory(int64(b.memory)))
	if err != nil {
		return nil, cli.Hint(err,
			"--engines takes auto, all, search, sat, monitor, smt, smt:z3, smt:cvc5, textbook and textbook:lru, "+
				"joined by commas, --solvers those of the engine sat, each once")
	}
	return contenders, nil
}

// sources lists the histories: those of files first, in the order of their names.
func (b *benching) sources(c *cobra.Command, args []string) ([]bench.Source, error) {
	var files []string
	for _, arg := range args {
		more, err := history.Files(arg, passedOver(cli.NotesOf(c)))
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	slices.Sort(files)
	var sources []bench.Source
	files = slices.Compact(files)
	known, err := corpora.KnownOf(files)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		from := bench.File(name)
		if linearizable, ok := known[name]; ok {
			from.Known = engine.NotLinearizable.String()
			if linearizable {
				from.Known = engine.Linearizable.String()
			}
		}
		sources = append(sources, from)
	}
	for _, text := range b.gens {
		more, err := generated(text)
		if err != nil {
			return nil, err
		}
		sources = append(sources, more...)
	}
	return sources, nil
}

// questions are those of --quasi; a value with bounds by class is one factor, others are lists.
func (b *benching) questions() []bench.Question {
	var all []bench.Question
	for _, name := range b.consistency {
		all = append(all, bench.Question{Consistency: name})
	}
	for _, text := range b.factors {
		factors := []string{text}
		if !strings.Contains(text, "=") {
			factors = strings.Split(text, ",")
		}
		for _, factor := range factors {
			for _, meaning := range b.meanings {
				all = append(all, bench.Question{Quasi: factor, Meaning: meaning})
			}
		}
	}
	return all
}

// readRows reads what --rows wrote.
func readRows(name string) ([]bench.Row, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	rows, err := bench.ReadRows(in)
	if err == nil && len(rows) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, cli.Hint(fmt.Errorf("%s: not what linsat bench --rows writes: %w", name, err),
			"`linsat bench DIR --rows "+name+"` writes one")
	}
	return rows, nil
}

// write prints the report, and writes the files that were asked for.
func (b *benching) write(out io.Writer, report bench.Report, rows []bench.Row) error {
	print := report.Text
	if b.format == "json" {
		print = report.JSON
	}
	if err := print(out); err != nil {
		return err
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{b.rowsFile, func(w io.Writer) error { return bench.WriteRows(w, rows) }},
		{b.svgFile, func(w io.Writer) error { return bench.SVG(w, rows) }},
		{b.htmlFile, func(w io.Writer) error { return report.HTML(w, rows) }},
	} {
		if file.name == "" {
			continue
		}
		if err := writeFile(file.name, file.write); err != nil {
			return err
		}
	}
	return nil
}

// progress returns a function that updates one line of w if w is a terminal, and otherwise does
// nothing.
func progress(w io.Writer) func(done, total int, file string) {
	f, ok := w.(*os.File)
	if !ok {
		return func(int, int, string) {}
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return func(int, int, string) {}
	}
	return func(done, total int, file string) {
		fmt.Fprint(f, "\r\x1b[K")
		if file != "" {
			escape.Fprintf(f, "%d of %d  %s", done+1, total, filepath.Base(file))
		}
	}
}

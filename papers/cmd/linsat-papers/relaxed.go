package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/relaxed/page"
	"github.com/linsat/linsat/papers/objects/cds"
	"github.com/linsat/linsat/papers/tables"
)

// listRelaxed prints the structures that run under relaxed memory.
func listRelaxed(w io.Writer) {
	fmt.Fprintln(w,
		"\ncds: the paper on CDSSpec: structures with C++ memory orders, run in every execution that RC11 allows, "+
			"against their specification")
	for _, s := range cds.Structures() {
		for i, d := range s.Drivers {
			key, about := s.Key, s.Name+": "+s.Source
			if i > 0 {
				key, about = "", ""
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", key, d.Name, d.Text, about)
		}
		for _, d := range s.Faulty {
			fmt.Fprintf(w, "  \t%s\t%s\tfaulty; runs with --test\n", d.Name, d.Text)
		}
	}
}

// applying are the flags that structures under relaxed memory have, and others those that they do
// not have.
var (
	applying = []string{"test", "max-runs", "timeout", "replay", "save", "html", "mode", "seed", "inject",
		"weaken", "relax", "load-buffering", "table", "format"}
	others = []string{"strategy", "preemptions", "inside", "depth", "runs", "quasi", "quasi-meaning", "blocking",
		"all", "max-steps", "set-ups", "observations", "localize", "width",
		"random", "count", "auto", "sequence", "before", "after", "shrink", "nondeterministic", "sequential", "compare",
		"roundup", "golden"}
)

// relaxed runs the drivers of a structure.
func (x *explorer) relaxed(s *cds.Structure) error {
	if x.inject && x.weaken || x.table && (x.inject || x.weaken) {
		return cli.Hint(errors.New("--inject, --weaken and --table exclude each other"),
			"--inject makes each order relaxed; --weaken looks for the weakest that passes; --table counts both drivers "+
				"and injections")
	}
	for _, f := range []string{"test", "replay", "save", "html", "mode", "seed", "relax", "load-buffering",
		"max-runs"} {
		if (x.inject || x.weaken || x.table) && x.given(f) {
			return cli.Hint(fmt.Errorf("--%s with --inject, --weaken or --table", f),
				"these run all tests of the structure, and every execution of each")
		}
	}
	drivers, err := x.drivers(s)
	if err != nil {
		return err
	}
	if x.maxRuns < 0 || x.timeout < 0 {
		return cli.Hint(errors.New("a limit is negative"), "0 is no limit")
	}
	if (x.replay != "" || x.save != "" || x.html != "") && len(drivers) > 1 {
		return cli.Hint(fmt.Errorf("--replay, --save and --html need one test, and %s has %d", s.Key, len(drivers)),
			"choose one with --test, by its number or name")
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	if x.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, x.timeout)
		defer cancel()
	}
	switch {
	case x.inject:
		return x.injections(ctx, s)
	case x.weaken:
		return x.weakest(ctx, s)
	case x.table:
		return x.print(ctx, tables.Select(s.Key), tables.Options{})
	}
	o := c11.Options{MaxRuns: x.maxRuns, LoadBuffering: x.buffering, Trace: true}
	if o.Orders, err = x.relaxedAt(s); err != nil {
		return err
	}
	worst := cli.Linearizable
	for i := range drivers {
		code, err := x.drive(ctx, s, &drivers[i], o)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			fmt.Fprintf(x.say, "%s, %s: unknown: the time limit was reached\n", s.Key, drivers[i].Name)
			code = cli.Unknown
			if x.format == "json" {
				if err := x.json(driverJSON{Object: s.Key, Test: drivers[i].Name, Program: drivers[i].Text,
					Verdict: "unknown"}); err != nil {
					return err
				}
			}
		case err != nil:
			return err
		}
		if cli.Gravity(code) > cli.Gravity(worst) {
			worst = code
		}
	}
	if worst != cli.Linearizable {
		return cli.Exit(worst)
	}
	return nil
}

// drivers returns those that --test selects; without it, those that are not faulty.
func (x *explorer) drivers(s *cds.Structure) ([]cds.Driver, error) {
	if !x.given("test") {
		return s.Drivers, nil
	}
	all := slices.Concat(s.Drivers, s.Faulty)
	if n, err := strconv.Atoi(x.test); err == nil && n >= 1 && n <= len(all) {
		return all[n-1 : n], nil
	}
	var names []string
	for i, d := range all {
		if d.Name == x.test {
			return all[i : i+1], nil
		}
		names = append(names, d.Name)
	}
	return nil, cli.Hint(fmt.Errorf("%s has no test %q", s.Key, x.test),
		fmt.Sprintf("--test takes a number from 1 to %d, or a name: %s", len(names), strings.Join(names, ", ")))
}

// relaxedAt returns orders that relax the site of --relax, nil without it.
func (x *explorer) relaxedAt(s *cds.Structure) (func(c11.Site, c11.Order) c11.Order, error) {
	if !x.given("relax") {
		return nil, nil
	}
	sites, err := s.Sites()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, site := range sites {
		if site.Text == x.relax {
			return site.Weaken(c11.Relaxed), nil
		}
		names = append(names, "'"+site.Text+"'")
	}
	return nil, cli.Hint(fmt.Errorf("%s has no memory order %q", s.Key, x.relax), "it has "+strings.Join(names, ", "))
}

// drive checks every execution of a driver, or shows the one of --replay.
func (x *explorer) drive(ctx context.Context, s *cds.Structure, d *cds.Driver, o c11.Options) (int, error) {
	if x.replay != "" {
		return x.execution(s, d, o)
	}
	mode, err := x.histories()
	if err != nil {
		return cli.Usage, err
	}
	r, err := cdsspec.Check(ctx, d.Program, cdsspec.Options{Options: o, Mode: mode, Seed: x.seed})
	if err != nil {
		return cli.Usage, err
	}
	text := fmt.Sprintf("%s, %s: %s\n%s", s.Key, d.Name, d.Text, r.Text())
	for _, f := range r.Findings {
		if f.Verdict == r.Verdict {
			if err := x.draw(s, d, f.Verdict.String(), false, f.Graph, f.Text()); err != nil {
				return cli.Usage, err
			}
		}
	}
	if x.format == "json" {
		if err := x.json(driverJSONOf(s, d, r)); err != nil {
			return cli.Usage, err
		}
	}
	fmt.Fprint(x.say, text)
	if x.save != "" && r.Verdict != cdsspec.Passed {
		if err := os.WriteFile(x.save, []byte(text), 0o644); err != nil {
			return cli.Usage, err
		}
	}
	switch {
	case r.Verdict == cdsspec.Passed && r.Stats.All:
		return cli.Linearizable, nil
	case r.Verdict == cdsspec.Passed, r.Verdict == cdsspec.Bounded, r.Verdict == cdsspec.Undecided,
		r.Verdict == cdsspec.Blocked:
		return cli.Unknown, nil
	}
	return cli.Violation, nil
}

// histories returns the sequential histories that --mode asks to pass.
func (x *explorer) histories() (cdsspec.Mode, error) {
	modes := map[string]cdsspec.Mode{"loose": cdsspec.Loose, "strict": cdsspec.Strict, "random": cdsspec.Random}
	mode, known := modes[x.mode]
	switch {
	case !known:
		return 0, cli.Hint(fmt.Errorf("unknown mode %q", x.mode), "--mode takes loose, strict or random")
	case x.given("seed") && mode != cdsspec.Random:
		return 0, cli.Hint(fmt.Errorf("--seed does not apply to the mode %s", x.mode), "it needs --mode random")
	}
	return mode, nil
}

// draw writes an execution as a page if --html is given.
func (x *explorer) draw(s *cds.Structure, d *cds.Driver, verdict string, good bool, g *c11.Graph, text string) error {
	if x.html == "" {
		return nil
	}
	f, err := os.Create(x.html)
	if err != nil {
		return err
	}
	return errors.Join(page.HTML(f, page.Page{Title: s.Key + ", " + d.Name + ": " + d.Text, Verdict: verdict, OK: good,
		Graph: g, Text: text}), f.Close())
}

// execution shows the execution of --replay: its number, or its steps.
func (x *explorer) execution(s *cds.Structure, d *cds.Driver, o c11.Options) (int, error) {
	var g *c11.Graph
	var err error
	if strings.ContainsAny(x.replay, ":#") {
		g, err = c11.Replay(d.Program, o, x.replay)
	} else {
		g, err = numbered(d, o, x.replay)
	}
	if err != nil {
		return cli.Usage, err
	}
	text := g.Text()
	if x.format == "json" {
		if err := x.json(replayedJSONOf(s, d, g)); err != nil {
			return cli.Usage, err
		}
	}
	fmt.Fprint(x.say, text)
	if err := x.draw(s, d, "execution "+x.replay+": "+g.Outcome.String(), g.Outcome == c11.Complete, g,
		text); err != nil {
		return cli.Usage, err
	}
	if x.save != "" {
		return cli.Linearizable, os.WriteFile(x.save, []byte(text), 0o644)
	}
	return cli.Linearizable, nil
}

// numbered returns the execution that the search visits as that one.
func numbered(d *cds.Driver, o c11.Options, which string) (*c11.Graph, error) {
	number, err := strconv.Atoi(which)
	if err != nil || number < 1 {
		return nil, cli.Hint(fmt.Errorf("--replay %s is no execution", which),
			"for structures under relaxed memory it takes the number of an execution or its steps, as explore prints "+
				"them")
	}
	var found *c11.Graph
	n := 0
	if _, err := c11.Run(d.Program, o, func(g *c11.Graph) bool {
		if n++; n == number {
			found = g.Clone()
		}
		return n < number
	}); err != nil {
		return nil, err
	}
	if n < number {
		return nil, cli.Hint(fmt.Errorf("there is no execution %d", number), fmt.Sprintf("the driver has %d", n))
	}
	return found, nil
}

// injections weakens every order to relaxed and prints what shows it.
func (x *explorer) injections(ctx context.Context, s *cds.Structure) error {
	all, err := s.Inject(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(x.say, 0, 0, 2, ' ', 0)
	for _, in := range all {
		shows := "harmless on all drivers: " + s.Harmless[in.Text]
		out := orderJSON{Object: s.Key, Site: in.Text, Order: in.Order.String(), Harmless: s.Harmless[in.Text]}
		if t, found := in.Found(false); found {
			shows = fmt.Sprintf("%s (driver %s)", t.Verdict, t.Driver.Name)
			out.Verdict, out.Driver = t.Verdict.String(), t.Driver.Name
		}
		if x.format == "json" {
			if err := x.json(out); err != nil {
				return err
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", in.Text, in.Order, shows)
	}
	return w.Flush()
}

// weakest prints the weakest orders that pass.
func (x *explorer) weakest(ctx context.Context, s *cds.Structure) error {
	all, err := s.Weaken(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(x.say, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "site\torder\tweakest alone\tweakest together")
	for _, of := range all {
		if x.format == "json" {
			if err := x.json(orderJSON{Object: s.Key, Site: of.Text, Order: of.Order.String(), Alone: of.Alone.String(),
				Together: of.Together.String()}); err != nil {
				return err
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", of.Text, of.Order, of.Alone, of.Together)
	}
	return w.Flush()
}

// checkRelaxedFlags returns an error about flags that a structure under relaxed memory, or any
// other object, does not have.
func (x *explorer) checkRelaxedFlags(relaxed bool) error {
	if relaxed {
		for _, f := range others {
			if x.given(f) {
				return cli.Hint(fmt.Errorf("--%s does not apply to structures under relaxed memory", f),
					"they have --"+strings.Join(applying, ", --"))
			}
		}
		return nil
	}
	for _, f := range []string{"inject", "weaken", "relax", "mode", "load-buffering"} {
		if x.given(f) {
			return cli.Hint(fmt.Errorf("--%s is for structures under relaxed memory", f),
				"`linsat-papers` lists them under cds")
		}
	}
	return nil
}

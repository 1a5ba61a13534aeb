package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/portfolio"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/solver"
	_ "github.com/linsat/linsat/solver/smt" // an engine
)

// Contender is one way of deciding.
type Contender struct {
	Engine string
	Solver string // of the SAT engine, "" for the others
	// Decide answers q about h, with options that ask it of linsat.Check and perhaps for reasons;
	// ctx ends with the time limit.
	Decide func(ctx context.Context, s model.Spec, h *history.History, q Question,
		options ...linsat.Option) (linsat.Result, error)
}

// Name is unique among contenders.
func (c Contender) Name() string { return name(c.Engine, c.Solver) }

func name(engine, solver string) string {
	if solver == "" {
		return engine
	}
	return engine + ":" + solver
}

// Solver is a solver for the SAT engine; no Factory stands for the built-in one.
type Solver struct {
	Name    string
	Factory func() solver.Solver
}

// Contenders lists the ways to decide that engines and solvers make: the SAT engine once a solver,
// every other engine once. Options hold for all of them. It refuses unknown names, and
// names given twice.
func Contenders(engines []string, solvers []Solver, options ...linsat.Option) ([]Contender, error) {
	var all []Contender
	add := func(engine portfolio.Engines, solver string, more ...linsat.Option) error {
		with := append(append(slices.Clone(options), linsat.Engine(linsat.Engines(engine)),
			linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore})), more...)
		c := Contender{string(engine), solver, func(ctx context.Context, s model.Spec, h *history.History, q Question,
			more ...linsat.Option) (linsat.Result, error) {
			if q.Consistency != "" {
				return consistent(ctx, s, h, q.Consistency, with)
			}
			return linsat.Check(ctx, s, h, append(slices.Clone(with), more...)...)
		}}
		if slices.ContainsFunc(all, func(d Contender) bool { return d.Name() == c.Name() }) {
			return fmt.Errorf("%s is named twice", c.Name())
		}
		all = append(all, c)
		return nil
	}
	for _, text := range engines {
		if c, ok := reference(text); ok {
			if slices.ContainsFunc(all, func(d Contender) bool { return d.Name() == c.Name() }) {
				return nil, fmt.Errorf("%s is named twice", c.Name())
			}
			all = append(all, c)
			continue
		}
		engine, err := portfolio.ParseEngines(text)
		if err != nil {
			return nil, err
		}
		if engine != portfolio.SAT {
			if err := add(engine, ""); err != nil {
				return nil, err
			}
			continue
		}
		if len(solvers) == 0 {
			return nil, errors.New("the sat engine needs a solver")
		}
		for _, by := range solvers {
			var with []linsat.Option
			if by.Factory != nil {
				with = append(with, linsat.Solver(by.Factory, by.Name))
			}
			if err := add(engine, by.Name, with...); err != nil {
				return nil, err
			}
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no engine is named")
	}
	return all, nil
}

// Plan says how to measure.
type Plan struct {
	Contenders []Contender
	Questions  []Question    // about each history; none: plain linearizability alone
	Core       bool          // a core of each violation and its certificate, too, and timed
	Timeout    time.Duration // of each run; 0: none
	// runs of each history by each contender, at least 1; a run that stays unknown is not repeated
	Repeat int
	Spec   string // wins over what the files say; ""
	// Progress is told before each history is measured, Skip what cannot be read, bound or asked.
	// Either may be nil.
	Progress func(done, total int, name string)
	Skip     func(name string, err error)
}

// Run measures every contender on every question about every history, one run at a time, and
// returns a row for each. It stops early, with the rows so far and the cause, when ctx is done.
func (p Plan) Run(ctx context.Context, sources []Source) ([]Row, error) {
	var rows []Row
	where := thisMachine()
	for i, from := range sources {
		if p.Progress != nil {
			p.Progress(i, len(sources), from.Name)
		}
		s, h, sum, err := p.read(from)
		var more []Row
		if err == nil {
			more, err = p.measure(ctx, s, h)
		}
		if ctx.Err() != nil {
			return rows, ctx.Err()
		}
		if err != nil {
			if p.Skip != nil {
				p.Skip(from.Name, err)
			}
			continue
		}
		for _, r := range more {
			r.File, r.SHA256, r.Machine = from.Name, sum, where
			if r.Question == (Question{}) {
				r.Known = from.Known
			}
			rows = append(rows, r)
		}
	}
	return rows, nil
}

func (p Plan) read(from Source) (model.Spec, *history.History, string, error) {
	h, sum, err := from.Read()
	if err != nil {
		return nil, nil, "", err
	}
	named := p.Spec
	if named == "" {
		named = h.Spec
	}
	if named == "" {
		guess, err := specs.Recognise(h)
		if err != nil {
			return nil, nil, "", err
		}
		named = guess.Spec.Info().Name
	}
	s, ok := specs.Lookup(named)
	if !ok {
		return nil, nil, "", &history.Error{File: from.Name, What: fmt.Sprintf("unknown specification %q", named),
			Hint: "name it with --spec; `linsat specs` lists them"}
	}
	return s, h, sum, nil
}

// measure runs all contenders on all questions about one history.
func (p Plan) measure(ctx context.Context, s model.Spec, h *history.History) ([]Row, error) {
	var rows []Row
	questions := p.Questions
	if len(questions) == 0 {
		questions = []Question{{}}
	}
	for _, q := range questions {
		options, err := q.options(s)
		if err != nil {
			return nil, err
		}
		if p.Core {
			options = append(options, linsat.Explain(linsat.ExplainOptions{}))
		}
		for _, c := range p.Contenders {
			r, err := p.row(ctx, c, s, h, q, options)
			if err != nil {
				return nil, err
			}
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// row runs one contender on one question.
func (p Plan) row(ctx context.Context, c Contender, s model.Spec, h *history.History, q Question,
	options []linsat.Option) (Row, error) {
	r := Row{Spec: s.Info().Name, Operations: len(h.Ops), Pending: h.Pending(), Question: q,
		Engine: c.Engine, Solver: c.Solver}
	for range max(1, p.Repeat) {
		got, took, peak, err := p.once(ctx, c, s, h, q, options)
		var against *engine.Disagreement
		switch {
		case errors.As(err, &against):
			r.Contradiction = against.Because
		case err != nil:
			return r, err
		case ctx.Err() != nil:
			return r, ctx.Err()
		}
		r.Nanoseconds = append(r.Nanoseconds, took.Nanoseconds())
		r.PeakBytes = max(r.PeakBytes, peak)
		r.Partitions, r.Effort, r.Cause = got.Partitions, got.Effort, got.Cause.String()
		r.DecidedBy = strings.Join(result.Of(got).DecidedBy(), " ")
		r.Certified, r.Core = got.Certified, len(got.Core)
		if core := result.Of(got).Core; core != nil {
			r.Facts, r.Minimal = len(core.Facts), core.Minimal
		}
		if l := got.Least; l != nil {
			r.Least = &Bounds{l.Low, l.High}
		}
		r.say(got.Verdict)
		if got.Verdict == engine.Unknown || r.Contradiction != "" {
			break
		}
	}
	return r, nil
}

// say takes up the verdict of one more run, which may contradict the runs before it.
func (r *Row) say(v engine.Verdict) {
	known := r.Verdict != "" && r.Verdict != engine.Unknown.String()
	switch {
	case known && v != engine.Unknown && r.Verdict != v.String():
		r.Contradiction = fmt.Sprintf("%s in one run, %s in another", r.Verdict, v)
	case !known || v != engine.Unknown:
		r.Verdict = v.String()
	}
}

// once is one run: its time, and the most that the heap held while it ran, the history included.
func (p Plan) once(ctx context.Context, c Contender, s model.Spec, h *history.History, q Question,
	options []linsat.Option) (linsat.Result, time.Duration, int64, error) {
	runtime.GC()
	done, peak := make(chan struct{}), make(chan int64)
	go watchHeap(done, peak)
	start := time.Now() // before the time limit begins, so that a run that it ends takes as long
	if p.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, p.Timeout)
		defer stop()
	}
	r, err := c.Decide(ctx, s, h, q, options...)
	took := time.Since(start)
	close(done)
	return r, took, <-peak, err
}

// watchHeap sends the largest size of the heap, in bytes, that it saw until done; it looks every 2
// ms and at the end.
func watchHeap(done <-chan struct{}, peak chan<- int64) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	var most uint64
	for {
		last := false
		select {
		case <-done:
			last = true
		case <-tick.C:
		}
		metrics.Read(sample)
		most = max(most, sample[0].Value.Uint64())
		if last {
			peak <- int64(most)
			return
		}
	}
}

// Disagreement is a history on which verdicts contradict each other: a bug.
type Disagreement struct {
	File string   `json:"file"`
	Says []string `json:"says"` // "engine: verdict"
}

func (d Disagreement) String() string { return d.File + ": " + strings.Join(d.Says, ", ") }

// Disagreements compares the verdicts on each question with each other and with the known one, and
// looks for contradictions within a row; questions in the order of rows.
func Disagreements(rows []Row) []Disagreement {
	var all []Disagreement
	for _, group := range ByQuestion(rows) {
		var says, verdicts []string
		bad := false
		if known := group[0].Known; known != "" {
			says, verdicts = append(says, "known: "+known), append(verdicts, known)
		}
		for _, r := range group {
			switch {
			case r.Contradiction != "":
				bad = true
				says = append(says, r.Name()+": "+r.Contradiction)
			case r.Decided():
				says = append(says, r.Name()+": "+r.Verdict)
				verdicts = append(verdicts, r.Verdict)
			}
		}
		if bad || len(inorder.Distinct(verdicts)) > 1 {
			all = append(all, Disagreement{group[0].File + group[0].flags(), says})
		}
	}
	return all
}

// grouped returns the rows with equal keys together, in the order of the first row of each.
func grouped(rows []Row, key func(*Row) any) [][]Row {
	var groups [][]Row
	place := map[any]int{}
	for i := range rows {
		key := key(&rows[i])
		k, ok := place[key]
		if !ok {
			k = len(groups)
			place[key] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], rows[i])
	}
	return groups
}

// asked is what tells questions apart.
type asked struct {
	file string
	Question
}

// ByQuestion groups rows by history and question, in the order of the first row of each.
func ByQuestion(rows []Row) [][]Row {
	return grouped(rows, func(r *Row) any { return asked{r.File, r.Question} })
}

// ByContender groups rows by their contender, in the order of the first row of each.
func ByContender(rows []Row) [][]Row { return grouped(rows, func(r *Row) any { return r.Name() }) }

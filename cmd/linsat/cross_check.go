package main

// A sample of the files of a long run is decided by every engine, too (--cross-check 1%): what
// --engine all does for each of them costs too much there.

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/words"
)

// share is a flag: 1%, or 0.01.
type share float64

func (s *share) String() string { return strconv.FormatFloat(100*float64(*s), 'g', -1, 64) + "%" }

func (s *share) Type() string { return "share" }

func (s *share) Set(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(number, 64)
	if percent {
		x /= 100
	}
	if err != nil || !(0 <= x && x <= 1) {
		return fmt.Errorf("want a share, such as 1%%, 0.01 or 100%%")
	}
	*s = share(x)
	return nil
}

// crossed reports whether the present file is one of the sample: every hundredth for 1 %.
func (s *solver) crossed() bool {
	at := func(files int) float64 { return math.Floor(float64(files)*float64(s.crossCheck) + 1e-9) }
	return at(s.number) > at(s.number-1)
}

// cross asks all engines about a file of the sample, in what is left of its time. If one of them
// contradicts the answer, the error is a *engine.Disagreement.
func (s *solver) cross(ctx context.Context, run *words.Run, options []linsat.Option, taken time.Duration) error {
	left := s.timeout - taken
	if !s.crossed() || run.Result.Verdict == engine.Unknown || s.timeout > 0 && left <= 0 || ctx.Err() != nil {
		return nil
	}
	options = append(options[:len(options):len(options)], linsat.Engine("all"),
		linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
	if s.timeout > 0 {
		options = append(options, linsat.Timeout(left))
	}
	r, err := linsat.Check(ctx, run.Result.Spec, run.History, options...)
	if err != nil {
		return err
	}
	if r.Verdict != engine.Unknown && r.Verdict != run.Result.Verdict {
		first, then := run.Result.Verdict.String(), r.Verdict.String()
		return &engine.Disagreement{Says: []string{"auto: " + first, "all: " + then},
			Because: fmt.Sprintf("auto answers %s, and all engines %s", first, then)}
	}
	if r.Verdict != engine.Unknown {
		run.Result.Asked = result.Of(r).Asked
		s.crossing++
	}
	return nil
}

// checkCross refuses --cross-check with an engine of one's own choice.
func (s *solver) checkCross() error {
	if s.crossCheck > 0 && s.engine != "auto" {
		return cli.Hint(fmt.Errorf("--cross-check with --engine %s", s.engine),
			"it compares the answers of --engine auto; --engine all compares all of them")
	}
	return nil
}

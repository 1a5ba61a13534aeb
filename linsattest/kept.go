package linsattest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/shimrun"
)

// saved is the file of a schedule.
type saved struct {
	Test     string          `json:"test"`
	Nth      int             `json:"check,omitempty"` // of those of the test
	What     string          `json:"what"`
	Schedule string          `json:"schedule"`
	Seed     uint64          `json:"seed"`
	Without  omissions       `json:"without,omitempty"`
	Include  []string        `json:"include,omitempty"` // as linsat test was given it
	Exclude  []string        `json:"exclude,omitempty"`
	Race     bool            `json:"race,omitempty"`
	Leaks    bool            `json:"leaks,omitempty"`
	Skew     *time.Duration  `json:"skew,omitempty"`
	Shims    json.RawMessage `json:"shims"`
}

// again runs one schedule that was kept.
func (x *exploration) again(one *saved) (*explore.Report, error) {
	if err := json.Unmarshal(one.Shims, &x.shims); err != nil {
		return nil, fmt.Errorf("the file of the schedule: %w", err)
	}
	x.seed, x.without = one.Seed, one.Without
	way, err := explore.ParseSchedule(one.Schedule)
	if err != nil {
		return nil, fmt.Errorf("the file of the schedule: %w", err)
	}
	o := explore.Options{}
	if x.asked.Debug {
		o.Hang = debugTime
	}
	for {
		report, err := x.explore(&shimrun.Options{}, explore.Replay(way), o)
		if !errors.Is(err, errAgain) {
			return report, err
		}
	}
}

// save writes the schedule of a violation next to the test.
func (x *exploration) save(what string, one explore.Schedule) (string, error) {
	file := filepath.Join("testdata", "linsat", unfit.ReplaceAllString(x.t.Name(), "-")+".schedule")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	text, err := x.text(what, one)
	if err != nil {
		return "", err
	}
	return file, os.WriteFile(file, append(text, '\n'), 0o644)
}

// text is the file of a schedule.
func (x *exploration) text(what string, one explore.Schedule) ([]byte, error) {
	needs, err := json.Marshal(&x.shims)
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(saved{x.t.Name(), x.nth, what, one.String(), x.seed, x.without, x.asked.Include,
		x.asked.Exclude, x.asked.RaceLog != "", x.asked.Leaks, x.asked.Skew, needs}, "", "  ")
}

// hand hands what a worker found to the process that started it.
func (x *exploration) hand(note *shimrun.Outcome, r *explore.Report) {
	x.t.Helper()
	var err error
	switch {
	case x.fault != nil:
		note.Found, err = x.text(x.fault.what, x.fault.schedule)
	case r.Violation != nil:
		note.Found, err = x.text(r.Violation.What, r.Violation.Execution.Schedule)
	}
	if err == nil {
		err = x.asked.Report(*note)
	}
	if err != nil {
		x.t.Fatal(err)
	}
}

// replay runs one schedule, traced.
func (x *exploration) replay() {
	x.t.Helper()
	var file saved
	if err := json.Unmarshal(x.asked.Replay, &file); err != nil {
		x.t.Fatalf("the file of the schedule: %v", err)
	}
	if file.Test != x.t.Name() || file.Nth != x.nth {
		x.t.Logf("the schedule is of another check of %s: nothing is run", file.Test)
		return
	}
	began := time.Now()
	report, err := x.again(&file)
	if err != nil {
		x.t.Fatal(err)
	}
	one := explore.Schedule(nil)
	if one, err = explore.ParseSchedule(file.Schedule); err != nil {
		x.t.Fatal(err)
	}
	var b strings.Builder
	if x.fault != nil {
		fmt.Fprintf(&b, "%s: %s\n%s\nschedule %s\n", x.t.Name(), x.fault.what, x.fault.text, one)
	} else {
		report.WriteText(&b, explore.TextStyle{})
	}
	if report.Violation == nil {
		defer shimrun.End()
		err := x.trace(&b, one)
		if err != nil {
			x.t.Fatal(err)
		}
	}
	note := shimrun.Outcome{Test: x.t.Name(), Summary: report.Summary(), Text: b.String(), Executions: 1, Classes: 1,
		Asserts: !x.operates, Seconds: time.Since(began).Seconds()}
	switch {
	case x.fault != nil:
		note.Judged(false, x.fault.what)
	case report.Violation != nil:
		note.Judged(false, report.Violation.What)
	default:
		note.Judged(true, "")
	}
	if err := x.draw(note.Verdict, report, one); err != nil {
		x.t.Fatal(err)
	}
	if err := x.asked.Report(note); err != nil {
		x.t.Fatal(err)
	}
	if report.Violation != nil || x.fault != nil {
		x.t.Fatal("\n" + b.String())
	}
	x.t.Log("\n" + b.String())
}

// draw writes the page of a replayed schedule, if it is asked for.
func (x *exploration) draw(verdict string, r *explore.Report, one schedule.Schedule) error {
	if x.asked.HTML == "" {
		return nil
	}
	var page []byte
	var err error
	if r.Violation != nil {
		page = lanes(x.t.Name(), verdict, r.Violation.Execution)
	} else {
		_, err = explore.Run(x.program, explore.Replay(one), explore.Options{Trace: true},
			func(e *explore.Execution) bool {
				page = lanes(x.t.Name(), verdict, e)
				return true
			})
	}
	if err != nil {
		return err
	}
	return os.WriteFile(x.asked.HTML, page, 0o644)
}

// trace writes the accesses of one schedule.
func (x *exploration) trace(w io.Writer, one schedule.Schedule) error {
	_, err := explore.Run(x.program, explore.Replay(one), explore.Options{Trace: true},
		func(e *explore.Execution) bool {
			e.WriteTrace(w)
			return true
		})
	return err
}

package linsattest

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/shimrun"
)

// search is the file of a search that ran out of time, for --resume.
type search struct {
	Of         string          `json:"of"` // the program and what it was asked
	Executions int             `json:"executions"`
	Seed       uint64          `json:"seed"`
	Shims      json.RawMessage `json:"shims"`
	State      json.RawMessage `json:"state"`
}

// file returns where the search of the check is kept.
func (x *exploration) file() string {
	name := unfit.ReplaceAllString(x.t.Name(), "-")
	if x.nth > 0 {
		name += fmt.Sprint("-", x.nth+1)
	}
	return filepath.Join("testdata", "linsat", name+".search")
}

// searched says what a search is one of: no other program's can be gone on with.
func (x *exploration) searched() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(program)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	asked, err := json.Marshal([]any{x.asked.Steps, x.asked.Leaks, x.asked.Skew, x.t.Name(), x.nth})
	sum.Write(asked)
	return fmt.Sprintf("%x", sum.Sum(nil)), err
}

// resume returns the strategy of a phase: a search that was kept goes on.
func (x *exploration) resume(phase *shimrun.Options) explore.Strategy {
	x.earlier = 0
	if !x.asked.Resume || phase.How != "dpor" || x.resumed {
		return phase.Strategy()
	}
	x.resumed = true // once: what lacks something begins again
	text, err := os.ReadFile(x.file())
	if errors.Is(err, os.ErrNotExist) {
		return phase.Strategy()
	}
	var s search
	var one schedule.Strategy
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil {
		one, err = schedule.Resume(s.State)
	}
	if of, wrong := x.searched(); err == nil && (wrong != nil || of != s.Of) {
		err = errors.New("the program has changed, or is asked something else")
	}
	if err == nil {
		err = json.Unmarshal(s.Shims, &x.shims)
	}
	if err != nil {
		x.t.Logf("warning: %s is not gone on with: %v", x.file(), err)
		return phase.Strategy()
	}
	x.seed, x.earlier = s.Seed, s.Executions
	x.shims.Start()
	return one.(explore.Strategy)
}

// keep writes or removes the file of a search that has ended, and says how far it came.
func (x *exploration) keep(phase *shimrun.Options, s explore.Strategy, r *explore.Report) (note string) {
	if x.earlier > 0 {
		note = fmt.Sprintf(", after %d executions earlier", x.earlier)
	}
	share := schedule.Share(s)
	stopped := r.Stats.Stopped == "time" || r.Stats.Stopped == "runs"
	if stopped && share > 0 {
		note += fmt.Sprintf("; about %.2g %% of the schedules known so far", 100*share)
	}
	if !x.asked.Resume || phase.How != "dpor" || x.asked.Worker {
		return note
	}
	state := schedule.Keep(s)
	if !stopped || state == nil || r.Violation != nil || x.fault != nil {
		_ = os.Remove(x.file()) // there may be none
		return note
	}
	err := x.write(state, x.earlier+r.Stats.Executions)
	if err != nil {
		return note + fmt.Sprintf("; it cannot be kept: %v", err)
	}
	return note + "; --resume goes on"
}

func (x *exploration) write(state []byte, executions int) error {
	of, err := x.searched()
	if err != nil {
		return err
	}
	needs, err := json.Marshal(&x.shims)
	if err != nil {
		return err
	}
	text, err := json.Marshal(search{of, executions, x.seed, needs, state})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(x.file()), 0o755); err != nil {
		return err
	}
	return os.WriteFile(x.file(), text, 0o644)
}

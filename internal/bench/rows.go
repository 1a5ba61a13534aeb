package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/linsat/linsat/internal/engine"
)

// Row is what one contender did with one history: a line of the raw rows.
type Row struct {
	File        string        `json:"file"`
	SHA256      string        `json:"sha256"` // of the file
	Spec        string        `json:"spec"`
	Operations  int           `json:"operations"`
	Pending     int           `json:"pending"`
	Partitions  int           `json:"parts"`
	Question                  // plain linearizability has no fields
	Engine      string        `json:"engine"`
	Solver      string        `json:"solver,omitempty"`
	Verdict     string        `json:"verdict"`              // of another question: yes or no
	Known       string        `json:"known,omitempty"`      // the verdict, as others state it
	Cause       string        `json:"cause,omitempty"`      // why it is unknown, of the last run
	Nanoseconds []int64       `json:"nanoseconds"`          // by run, on the clock
	PeakBytes   int64         `json:"peak_bytes"`           // of the heap, over all runs
	Effort      engine.Effort `json:"effort"`               // of the last run
	DecidedBy   string        `json:"decided_by,omitempty"` // of the last run
	Certified   bool          `json:"certified"`            // the verifier confirmed the last run
	Core        int           `json:"core,omitempty"`       // operations, where one was asked for
	Facts       int           `json:"facts,omitempty"`      // of the core
	Minimal     bool          `json:"minimal,omitempty"`    // the core
	Least       *Bounds       `json:"least,omitempty"`      // where the least bound was asked for
	// Contradiction says what runs, or engines within one run, contradicted each other about; "" is
	// the rule.
	Contradiction string `json:"contradiction,omitempty"`
	Machine
}

// Bounds says that a least bound is at least Low and at most High.
type Bounds struct {
	Low  int32 `json:"low"`
	High int32 `json:"high"`
}

// Machine is where and with what a row was measured.
type Machine struct {
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	CPUs     int    `json:"cpus"`
	Go       string `json:"go"`
	Commit   string `json:"commit,omitempty"`   // of linsat, if the build says
	Modified bool   `json:"modified,omitempty"` // the source differed from the commit
}

func thisMachine() Machine {
	m := Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.GOMAXPROCS(0), Go: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				m.Commit = s.Value
			case "vcs.modified":
				m.Modified = s.Value == "true"
			}
		}
	}
	return m
}

// Name names the contender.
func (r *Row) Name() string { return name(r.Engine, r.Solver) }

// Decided reports whether the contender gave a verdict.
func (r *Row) Decided() bool {
	return r.Verdict == engine.Linearizable.String() || r.Verdict == engine.NotLinearizable.String()
}

// Unsupported reports whether the contender does not take histories of this kind.
func (r *Row) Unsupported() bool { return !r.Decided() && r.Cause == engine.Unsupported.String() }

// Median is the median time of the runs; of an even number, the lower of the two in the middle.
func (r *Row) Median() time.Duration {
	return time.Duration(quantile(slices.Sorted(slices.Values(r.Nanoseconds)), 0.5))
}

// quantile returns the smallest of the sorted numbers that a share q of them does not exceed, 0 if
// there are none.
func quantile[N int64 | time.Duration](sorted []N, q float64) N {
	if len(sorted) == 0 {
		return 0
	}
	k := int(q * float64(len(sorted)))
	if float64(k) == q*float64(len(sorted)) && k > 0 {
		k--
	}
	return sorted[min(k, len(sorted)-1)]
}

// WriteRows writes rows as JSON Lines.
func WriteRows(w io.Writer, rows []Row) error {
	e := json.NewEncoder(w)
	for i := range rows {
		if err := e.Encode(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// ReadRows reads what WriteRows wrote. An error names the row.
func ReadRows(r io.Reader) ([]Row, error) {
	var rows []Row
	for d := json.NewDecoder(r); ; {
		var row Row
		if err := d.Decode(&row); err == io.EOF {
			return rows, nil
		} else if err != nil {
			return nil, fmt.Errorf("row %d: %w", len(rows)+1, err)
		}
		rows = append(rows, row)
	}
}

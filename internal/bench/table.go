package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
)

// Summary sums up what one contender did. Times are those of the histories that it took, undecided
// ones included, each by the median of its runs.
type Summary struct {
	Name        string        `json:"engine"`
	Yes         int           `json:"linearizable"`
	No          int           `json:"not_linearizable"`
	Unsupported int           `json:"unsupported"`
	Timeouts    int           `json:"timeouts"`
	Undecided   int           `json:"undecided"` // for other reasons
	Median      time.Duration `json:"median_ns"`
	P90         time.Duration `json:"p90_ns"`
	Max         time.Duration `json:"max_ns"`
	Total       time.Duration `json:"total_ns"`
	PeakBytes   int64         `json:"peak_bytes"` // the most that any run needed
	Steps       int64         `json:"steps"`      // over all histories, one run each
	Conflicts   int64         `json:"conflicts"`
}

// Report is all that a bench prints.
type Report struct {
	Histories     int            `json:"histories"`
	Engines       []Summary      `json:"engines"`
	Compared      int            `json:"compared"` // histories that two contenders or more decided
	Disagreements []Disagreement `json:"disagreements"`
	Machine       Machine        `json:"machine"`
}

// NewReport sums up rows, contenders in the order of their first rows.
func NewReport(rows []Row) Report {
	r := Report{Disagreements: []Disagreement{}, Engines: []Summary{}, Machine: thisMachine()}
	if d := Disagreements(rows); d != nil {
		r.Disagreements = d
	}
	for _, group := range ByFile(rows) {
		r.Histories++
		decided := 0
		for i := range group {
			if group[i].Decided() {
				decided++
			}
		}
		if decided > 1 {
			r.Compared++
		}
	}
	for _, mine := range ByContender(rows) {
		r.Engines = append(r.Engines, summarize(mine))
	}
	return r
}

func summarize(rows []Row) Summary {
	s := Summary{Name: rows[0].Name()}
	var times []time.Duration
	for i := range rows {
		row := &rows[i]
		if row.Unsupported() {
			s.Unsupported++
			continue
		}
		switch {
		case row.Verdict == engine.Linearizable.String():
			s.Yes++
		case row.Verdict == engine.NotLinearizable.String():
			s.No++
		case row.Cause == engine.Timeout.String():
			s.Timeouts++
		default:
			s.Undecided++
		}
		times = append(times, row.Median())
		s.Total += row.Median()
		s.PeakBytes = max(s.PeakBytes, row.PeakBytes)
		s.Steps += row.Effort.Steps
		s.Conflicts += row.Effort.Conflicts
	}
	slices.Sort(times)
	s.Median, s.P90, s.Max = quantile(times, 0.5), quantile(times, 0.9), quantile(times, 1)
	return s
}

// ByContender groups rows by their contender, in the order of the first row of each.
func ByContender(rows []Row) [][]Row {
	var groups [][]Row
	place := map[string]int{}
	for _, r := range rows {
		k, ok := place[r.Name()]
		if !ok {
			k = len(groups)
			place[r.Name()] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], r)
	}
	return groups
}

// Text prints the report as a table and reports whether the verdicts agree.
func (r Report) Text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t,
		"engine\tlinearizable\tviolations\tunsupported\ttimeouts\tundecided\tmedian\tp90\tmax\ttotal\tpeak "+
			"heap\tsteps\tconflicts\t")
	for _, s := range r.Engines {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%.1f MB\t%d\t%d\t\n", s.Name, s.Yes, s.No,
			s.Unsupported, s.Timeouts, s.Undecided,
			short(s.Median), short(s.P90), short(s.Max), short(s.Total), float64(s.PeakBytes)/1e6, s.Steps, s.Conflicts)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, d := range r.Disagreements {
		if _, err := fmt.Fprintf(w, "DISAGREEMENT %s\n", escape.Text(fmt.Sprint(d))); err != nil {
			return err
		}
	}
	verdicts := "all verdicts agree"
	if n := len(r.Disagreements); n > 0 {
		verdicts = fmt.Sprintf("%d contradict each other", n)
	}
	commit := r.Machine.Commit
	if commit == "" {
		commit = "unknown"
	}
	_, err := fmt.Fprintf(w, "%d histories, %d decided by more than one: %s; %s/%s, %d CPUs, %s, commit %s\n",
		r.Histories, r.Compared, verdicts,
		r.Machine.OS, r.Machine.Arch, r.Machine.CPUs, r.Machine.Go, commit)
	return err
}

// JSON prints the report as one object.
func (r Report) JSON(w io.Writer) error { return json.NewEncoder(w).Encode(r) }

// short rounds to three figures.
func short(d time.Duration) string {
	unit := time.Nanosecond
	for d >= 1000*unit {
		unit *= 10
	}
	return d.Round(unit).String()
}

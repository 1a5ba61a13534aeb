package lineup

import (
	"context"
	"time"

	"github.com/linsat/linsat/explore"
)

// Subject is an object for Table, with the letter of its fault, if that is known.
type Subject struct {
	Object *explore.Object
	Cause  string
}

// Row is a row of the paper's Table 2: the results of a sample of random tests of one object.
type Row struct {
	Name, Cause string
	// The smallest failing test: threads and operations of the longest one; 0 if none failed.
	Threads, Operations int
	// Phase 1 of a test: serial histories and time.
	Histories, MostHistories   float64
	SerialTime, MostSerialTime time.Duration
	Passed, Failed, Unknowns   int
	// Phase 2, on average over the tests that passed, and that failed in phase 2: executions,
	// classes of histories, time.
	PassRuns, PassClasses float64
	PassTime, FailTime    time.Duration
	Bound                 int // on preemptions, negative for none
}

// Table runs RandomCheck on every subject, in the paper with 100 tests of 3×3.
func Table(ctx context.Context, subjects []Subject, threads, operations, tests int, o Options) ([]Row, error) {
	var rows []Row
	for _, s := range subjects {
		sample, err := RandomCheck(ctx, s.Object, threads, operations, tests, o)
		if err != nil {
			return rows, err
		}
		row := rowOf(s, sample, o)
		failing := 0
		for _, r := range sample.Results {
			if r.Verdict != Fail || failing == shrunk {
				continue
			}
			failing++
			small, err := Shrink(ctx, r, o)
			if err != nil {
				return rows, err
			}
			if t, n := Dimension(small.Case); row.Threads == 0 || t*n < row.Threads*row.Operations {
				row.Threads, row.Operations = t, n
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func rowOf(s Subject, sample *Sample, o Options) Row {
	row := Row{Name: s.Object.Name, Cause: s.Cause, Passed: sample.Passed, Failed: sample.Failed,
		Unknowns: sample.Unknowns, Bound: o.Bound}
	if row.Bound == 0 {
		row.Bound = defaultBound
	}
	failed := 0 // in phase 2
	for _, r := range sample.Results {
		row.Histories += float64(r.Serial.Histories)
		row.MostHistories = max(row.MostHistories, float64(r.Serial.Histories))
		row.SerialTime += r.Serial.Time
		row.MostSerialTime = max(row.MostSerialTime, r.Serial.Time)
		switch {
		case r.Verdict == Pass:
			row.PassRuns += float64(r.Concurrent.Runs)
			row.PassClasses += float64(r.Concurrent.Histories)
			row.PassTime += r.Concurrent.Time
		case r.Verdict == Fail && r.Observations != nil:
			failed++
			row.FailTime += r.Concurrent.Time
		}
	}
	if n := len(sample.Results); n > 0 {
		row.Histories /= float64(n)
		row.SerialTime /= time.Duration(n)
	}
	if row.Passed > 0 {
		row.PassRuns /= float64(row.Passed)
		row.PassClasses /= float64(row.Passed)
		row.PassTime /= time.Duration(row.Passed)
	}
	if failed > 0 {
		row.FailTime /= time.Duration(failed)
	}
	return row
}

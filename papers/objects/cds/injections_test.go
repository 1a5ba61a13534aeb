//go:build !linsat_native

package cds

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/explore/cdsspec"
	"github.com/linsat/linsat/internal/testenv"
)

// TestStructuresPass checks the structures as they are on all drivers. Where ordering points leave
// the order of calls open, every order passes, but for two dequeues by the consumer of the SPSC
// queue, which no atomic access orders.
func TestStructuresPass(t *testing.T) {
	for _, s := range Structures() {
		for _, d := range s.Drivers {
			r, err := cdsspec.Check(context.Background(), d.Program, cdsspec.Options{})
			require.NoError(t, err)
			assert.Equal(t, cdsspec.Passed, r.Verdict, "%s, %s: %s", s.Name, d.Name, r.Text())
			assert.True(t, r.Stats.All)
			strict, err := cdsspec.Check(context.Background(), d.Program, cdsspec.Options{Mode: cdsspec.Strict})
			require.NoError(t, err)
			want := cdsspec.Passed
			if s.Name == "SPSC queue" && d.Name == "twice" {
				want = cdsspec.Correctness
			}
			assert.Equal(t, want, strict.Verdict, "%s, %s: %s", s.Name, d.Name, strict.Text())
		}
	}
}

// TestInjections weakens every order of the eight structures to relaxed. Each injection is found by
// a driver, or leaves the outcomes of every driver as they are, for a known reason. The tables are
// those of papers/docs/cds.md and of testdata.
func TestInjections(t *testing.T) {
	var sites, rows strings.Builder
	total, paper, larger := Figure7{}, 0, 0
	for _, s := range Structures() {
		all, err := s.Inject(context.Background())
		require.NoError(t, err)
		n, byPaper, found := 0, map[cdsspec.Verdict]int{}, 0
		for _, in := range all {
			first, isFound := in.Found(false)
			byDriver, isPaper := in.Found(true)
			why, isHarmless := s.Harmless[in.Text]
			assert.NotEqual(t, isFound, isHarmless, "%s, %s", s.Name, in.Text)
			for _, trial := range in.Trials {
				if trial.Verdict == cdsspec.Passed && !isFound {
					assert.True(t, trial.Same, "%s, %s, %s", s.Name, in.Text, trial.Driver.Name)
				}
			}
			if isFound {
				why = "driver " + first.Driver.Name
			}
			fmt.Fprintf(&sites, "| %s | %s | %s | %s | %s | %s |\n", s.Name, in.Text, in.Order, yes(in.Paper),
				class(isPaper, byDriver), foundBy(isPaper, isFound, first, why))
			if !in.Paper {
				continue
			}
			n++
			if isPaper {
				byPaper[byDriver.Verdict]++
				paper++
			} else {
				for _, trial := range in.Trials {
					assert.True(t, !trial.Driver.Paper || trial.Same, "%s, %s, %s: not found, and other outcomes",
						s.Name, in.Text, trial.Driver.Name)
				}
			}
			if isFound {
				found++
			}
		}
		assert.Equal(t, s.Figure7.Injections, n, s.Name)
		larger += found
		f := s.Figure7
		total.Injections += f.Injections
		total.DataRaces, total.Uninitialized = total.DataRaces+f.DataRaces, total.Uninitialized+f.Uninitialized
		total.Correctness, total.Synchronization = total.Correctness+f.Correctness, total.Synchronization+
			f.Synchronization
		fmt.Fprintf(&rows, "| %s | %d | %d, %d, %d, %d | %d, %d, %d, %d | %d | %d |\n", s.Name, n, f.DataRaces,
			f.Uninitialized, f.Correctness, f.Synchronization,
			byPaper[cdsspec.DataRace], byPaper[cdsspec.UninitializedLoad], byPaper[cdsspec.Correctness],
			byPaper[cdsspec.Synchronization], found, n-found)
	}
	fmt.Fprintf(&rows, "| all | %d | %d | %d | %d | %d |\n", total.Injections, total.Detected(), paper, larger,
		total.Injections-larger)
	assert.Equal(t, 49, total.Injections)
	page(t, manual, "figure 7",
		"| structure | injections | paper: race, uninitialized, correctness, sync | ours, same drivers | found with "+
			"larger drivers | harmless |\n|---|--:|---|---|--:|--:|\n"+rows.String())
	page(t, "testdata/injections.md", "injections",
		"| structure | site | order | in Figure 7 | paper's driver | larger drivers, or why not "+
			"|\n|---|---|---|---|---|---|\n"+sites.String())
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func class(found bool, t Trial) string {
	if found {
		return t.Verdict.String()
	}
	return "same outcomes"
}

func foundBy(paper, found bool, first Trial, why string) string {
	switch {
	case paper:
		return ""
	case found:
		return first.Verdict.String() + ", " + why
	}
	return "harmless: " + why
}

// manual has the tables that stand beside the paper's.
const manual = "../../docs/cds.md"

// page compares a part of a document with what it should be.
func page(t *testing.T, file, name, want string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(text), "<!-- "+name+" -->\n")
	require.True(t, ok, name)
	got, after, ok := strings.Cut(rest, "<!-- end of "+name+" -->")
	require.True(t, ok, name)
	if testenv.Update() {
		require.NoError(t, os.WriteFile(file, []byte(before+"<!-- "+name+" -->\n"+want+"<!-- end of "+name+
			" -->"+after), 0o644))
		return
	}
	assert.Equal(t, want, got, "%s is out of date (LINSAT_UPDATE=1 writes it anew)", name)
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestProofFiles: what --proof writes refutes the formula beside it, read as another program would
// read both. The recording of etcd has 2,526 operations of one key; the formula is about those up
// to the violation.
func TestProofFiles(t *testing.T) {
	answered := func(args ...string) (string, int) {
		var out, errs bytes.Buffer
		code := run(args, strings.NewReader(""), &out, &errs)
		return errs.String(), code
	}
	dir := t.TempDir()
	stack := filepath.Join(dir, "stack.json")
	errs, code := answered("gen", "stack", "--operations", "100", "--processes", "6", "--relax", "2", "--seed", "3",
		"--violation", "lost", "-o", stack)
	require.Equal(t, 0, code, errs)
	recording := filepath.Join("..", "..", "examples", "recorded", "etcd-serializable.jsonl.gz")
	for name, args := range map[string][]string{
		"etcd": {recording}, "read": {filepath.Join("..", "..", "examples", "histories", "stale-read.json")},
		"stack": {"--quasi", "2", "--core", "any", stack},
		"sat": {"--engine", "sat", "--core", "any", filepath.Join("..", "..", "examples", "histories",
			"stale-read.json")},
	} {
		file := filepath.Join(dir, name)
		errs, code := answered(append([]string{"solve", "--proof", file + ".lrat"}, args...)...)
		require.Equal(t, cli.Violation, code, errs)
		formula := clausesIn(t, file+".cnf")
		n := checkLRAT(t, formula, file+".lrat")
		t.Logf("%s: %d clauses, %d lemmas", name, len(formula), n)
		assert.Less(t, len(formula), 50_000, name)

		errs, code = answered(append([]string{"solve", "--proof", file + ".drat"}, args...)...)
		require.Equal(t, cli.Violation, code, errs)
		assert.Len(t, linesIn(t, file+".drat"), n, "lemmas without numbers and hints")
	}
	errs, code = answered("solve", "--proof", filepath.Join(dir, "none.lrat"), filepath.Join("..", "..", "examples",
		"histories", "quasi-at-0.json"))
	assert.Equal(t, cli.Usage, code)
	assert.Contains(t, errs, "there is no refutation to write")
	errs, code = answered("solve", "--proof", "p.txt", recording)
	assert.Equal(t, cli.Usage, code)
	assert.Contains(t, errs, "unknown format")
}

// linesIn returns the lines of a file that are no comments, as numbers, and the line "p cnf …" as
// its two.
func linesIn(t *testing.T, file string) (lines [][]int) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "c ") {
			continue
		}
		var numbers []int
		for _, word := range strings.Fields(strings.TrimPrefix(line, "p cnf ")) {
			n, err := strconv.Atoi(word)
			require.NoError(t, err, line)
			numbers = append(numbers, n)
		}
		lines = append(lines, numbers)
	}
	return lines
}

// clausesIn reads a formula in DIMACS, by the number of each clause.
func clausesIn(t *testing.T, file string) map[int][]int {
	t.Helper()
	lines := linesIn(t, file)
	clauses := map[int][]int{}
	for i, line := range lines[1:] {
		require.Zero(t, line[len(line)-1])
		clauses[i+1] = line[:len(line)-1]
	}
	require.Len(t, clauses, lines[0][1])
	return clauses
}

// checkLRAT checks a proof, and returns how many lemmas it has: if the literals of a lemma are
// false, each clause of its hints has one literal that is not, and the last one none.
func checkLRAT(t *testing.T, clauses map[int][]int, file string) int {
	t.Helper()
	lines := linesIn(t, file)
	require.NotEmpty(t, lines)
	for i, line := range lines {
		end := slices.Index(line, 0)
		number, lemma, hints := line[0], line[1:end], line[end+1:len(line)-1]
		require.NotContains(t, clauses, number)
		falsified := map[int]bool{}
		for _, l := range lemma {
			falsified[l] = true
		}
		for k, hint := range hints {
			require.Contains(t, clauses, hint)
			var left []int
			for _, l := range clauses[hint] {
				if !falsified[l] {
					left = append(left, l)
				}
			}
			if k == len(hints)-1 {
				require.Empty(t, left, fmt.Sprint(line))
			} else {
				require.Len(t, left, 1, fmt.Sprint(line))
				falsified[-left[0]] = true
			}
		}
		clauses[number] = lemma
		require.Equal(t, i == len(lines)-1, len(lemma) == 0)
	}
	return len(lines)
}

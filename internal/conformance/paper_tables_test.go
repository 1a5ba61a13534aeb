package conformance

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	paperTable   = regexp.MustCompile(`^\| (?:item|paper) \| (?:where|code) \| test \|$`)
	testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	testName     = regexp.MustCompile(`^Test[A-Z]\w*$`)
	fileName     = regexp.MustCompile(`^[\w./-]+\.(?:go|txtar)$`)
	folderName   = regexp.MustCompile(`^(?:internal|explore|bench|papers)(?:/[\w-]+)+(?:/\.\.\.)?$`)
)

// TestTablesOfPapersNameWhatIsThere checks the table of each paper: every test, file and folder
// that it names is in the repository, and every row names something.
func TestTablesOfPapersNameWhatIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	files := append(sources(t, root, ".go"), scripts(t, root)...)
	tests := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			text, err := os.ReadFile(filepath.Join(root, file))
			require.NoError(t, err)
			for _, m := range testFunction.FindAllStringSubmatch(string(text), -1) {
				tests[m[1]] = true
			}
		}
	}
	for page, rows := range map[string]int{"roundup": 10, "localize": 10, "lineup": 18, "objects/sets": 7} {
		text, err := os.ReadFile(filepath.Join(root, "papers", page, "README.md"))
		require.NoError(t, err)
		table := rowsBelow(strings.Split(string(text), "\n"), paperTable)
		assert.GreaterOrEqual(t, len(table), rows, "%s: rows of the table of the paper", page)
		for _, row := range table {
			named := 0
			for _, span := range code.FindAllString(row, -1) {
				switch name := strings.Trim(span, "`"); {
				case testName.MatchString(name):
					assert.True(t, tests[name], "%s: there is no test %s", page, name)
					named++
				case fileName.MatchString(name):
					assert.True(t, hasFile(files, name), "%s: there is no file %s", page, name)
					named++
				case folderName.MatchString(name):
					_, err := os.Stat(filepath.Join(root, strings.TrimSuffix(name, "/...")))
					assert.NoError(t, err, page)
					named++
				}
			}
			assert.NotZero(t, named, "%s names no test, file or folder: %s", page, row)
		}
	}
}

// rowsBelow returns the rows of the table with that head.
func rowsBelow(lines []string, head *regexp.Regexp) []string {
	var rows []string
	for n, line := range lines {
		if head.MatchString(line) {
			for _, row := range lines[n+2:] {
				if !strings.HasPrefix(row, "|") {
					break
				}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// scripts lists the scripts of the commands' tests.
func scripts(t *testing.T, root string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root, "cmd", "linsat", "testdata", "*", "*.txtar"))
	require.NoError(t, err)
	ofPapers, err := filepath.Glob(filepath.Join(root, "papers", "cmd", "linsat-papers", "testdata", "*", "*.txtar"))
	require.NoError(t, err)
	found = append(found, ofPapers...)
	require.NotEmpty(t, found)
	var out []string
	for _, file := range found {
		out = append(out, filepath.ToSlash(file))
	}
	return out
}

// hasFile reports whether one of the files has that name, or ends with that path.
func hasFile(files []string, name string) bool {
	for _, file := range files {
		if file == name || path.Base(file) == name || strings.HasSuffix(file, "/"+name) {
			return true
		}
	}
	return false
}

package conformance

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// maxColumns is the width of comments, maxCode that of code; a tab counts four columns.
const (
	maxColumns = 100
	maxCode    = 120
)

var (
	fileTable = regexp.MustCompile(`^//\s+(- )?[a-z0-9_]+\.go\b`)
	goFile    = regexp.MustCompile(`(?:^|[\s("])([a-z][a-z0-9_]*\.go)\b`)
	documents = regexp.MustCompile(`\b(?:papers/)?docs/[A-Za-z0-9_/.-]+\.(?:md|json|txt)\b`)
	elsewhere = regexp.MustCompile(`\bDESIGN\b|\.\./shared|\b[Ii]ssue [0-9]|\S*explore\.md §`)
	code      = regexp.MustCompile("`[^`]*`")
	links     = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)\s]*)?\)`)
)

// TestCommentsKeepTheStyle checks every comment of the module: at most 100 columns, but for the
// output of examples, "reports whether" for what a function returns, no tables of files in package
// comments, and no references to documents or Go files that are not in the repository.
func TestCommentsKeepTheStyle(t *testing.T) {
	root := filepath.Join("..", "..")
	files := sources(t, root, ".go")
	names := map[string]bool{}
	for _, file := range files {
		names[path.Base(file)] = true
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		printed := false // what follows is the output of an example
		for _, c := range comments(t, text) {
			printed = strings.HasSuffix(file, "example_test.go") && !c.first && (printed || c.text == "// Output:")
			at := fmt.Sprintf("%s:%d", file, c.line)
			own := file == "internal/conformance/prose_test.go" // it names what it looks for
			if !printed && !strings.HasPrefix(c.text, "//go:") && !strings.Contains(c.text, "://") {
				assert.LessOrEqual(t, columns(c.whole), maxColumns, "%s: the comment is too wide", at)
			}
			assert.False(t, !own && strings.Contains(c.text, "says whether"), "%s: write \"reports whether\"", at)
			assert.False(t, c.first && fileTable.MatchString(c.text) && strings.HasSuffix(file, "doc.go"),
				"%s: a table of files goes stale", at)
			if !own {
				assert.Empty(t, missing(root, c.text), "%s: there is no such document", at)
				for _, named := range goFile.FindAllStringSubmatch(c.text, -1) {
					assert.True(t, names[named[1]], "%s: there is no file %s", at, named[1])
				}
			}
		}
	}
}

// TestCodeKeepsTheWidth checks that no line of code is wider than 120 columns, unless a string
// makes it so: one that crosses the limit, or takes half of it.
func TestCodeKeepsTheWidth(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, file := range sources(t, root, ".go") {
		text, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		set := token.NewFileSet()
		f := set.AddFile("", -1, len(text))
		var s scanner.Scanner
		s.Init(f, text, nil, 0)
		wide := map[int]bool{} // the lines that a string makes wide
		for pos, tok, lit := s.Scan(); tok != token.EOF; pos, tok, lit = s.Scan() {
			if tok == token.STRING {
				from := f.Position(pos)
				begin := columns(string(text[from.Offset-from.Column+1 : from.Offset]))
				for k, line := range strings.Split(lit, "\n") {
					if k > 0 {
						begin = 0
					}
					w := columns(line)
					wide[from.Line+k] = wide[from.Line+k] || w > maxCode/2 || begin < maxCode && begin+w > maxCode
				}
			}
		}
		for n, line := range strings.Split(string(text), "\n") {
			if !strings.HasPrefix(strings.TrimSpace(line), "//") && !wide[n+1] {
				assert.LessOrEqual(t, columns(line), maxCode, "%s:%d: the line is too wide", file, n+1)
			}
		}
	}
}

// TestDocumentsReferToWhatIsThere checks the links of every document, and that none refers to
// documents that are not in the repository.
func TestDocumentsReferToWhatIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, file := range sources(t, root, ".md") {
		text, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		for n, line := range strings.Split(string(text), "\n") {
			at := fmt.Sprintf("%s:%d", file, n+1)
			assert.Empty(t, missing(root, links.ReplaceAllString(line, "]")), "%s: there is no such document", at)
			for _, link := range links.FindAllStringSubmatch(code.ReplaceAllString(line, ""), -1) {
				if !strings.Contains(link[1], "://") && !strings.HasPrefix(line, "\t") {
					_, err := os.Stat(filepath.Join(root, filepath.Dir(file), link[1]))
					assert.NoError(t, err, at)
				}
			}
		}
	}
}

// TestSiteHasEveryDocument checks that the navigation of the site lists every page.
func TestSiteHasEveryDocument(t *testing.T) {
	docs := filepath.Join("..", "..", "docs")
	site, err := os.ReadFile(filepath.Join(docs, "..", "mkdocs.yml"))
	require.NoError(t, err)
	for _, page := range sources(t, docs, ".md") {
		assert.Contains(t, string(site)+"\n", ": "+page+"\n", "mkdocs.yml")
	}
}

// sources lists the files with an ending below root, without hidden folders and test data.
func sources(t *testing.T, root, ending string) []string {
	var out []string
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "dist") {
			return fs.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(name, ending) {
			file, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			out = append(out, filepath.ToSlash(file))
		}
		return nil
	}))
	require.NotEmpty(t, out)
	return out
}

// comment is one line of a comment.
type comment struct {
	line  int    // 1-based
	text  string // from // on
	whole string // the line with what stands before the comment
	first bool   // nothing stands before it
}

// comments returns the // comments of a Go file, line by line.
func comments(t *testing.T, text []byte) []comment {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, func(at token.Position, msg string) { t.Errorf("%v: %s", at, msg) }, scanner.ScanComments)
	lines := strings.Split(string(text), "\n")
	var out []comment
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok == token.COMMENT && strings.HasPrefix(lit, "//") {
			p := file.Position(pos)
			out = append(out, comment{p.Line, lit, lines[p.Line-1], p.Column == 1})
		}
	}
}

// columns is the width of a line.
func columns(line string) int {
	n := 0
	for _, r := range line {
		if r == '\t' {
			n += 4
		} else {
			n++
		}
	}
	return n
}

// missing lists what a text refers to and the repository does not have.
func missing(root, text string) []string {
	out := elsewhere.FindAllString(text, -1)
	for _, name := range documents.FindAllString(text, -1) {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			out = append(out, name)
		}
	}
	return out
}

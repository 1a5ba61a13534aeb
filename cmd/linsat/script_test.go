package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The scripts in testdata/script run the command as a user does, one file per subject.
// Each exit code of the help text has a script that shows it.

func TestMain(m *testing.M) {
	testscript.Main(cleaned{m}, map[string]func(){
		"linsat": func() {
			if args, ok := asJSON(os.Args[1:]); ok {
				if err := fitsSchema(args); err != nil {
					fmt.Fprintln(os.Stderr, "docs/json.schema.json:", err)
					os.Exit(schemaBroken)
				}
			}
			os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// schemaBroken is the exit code of a script's command whose JSON does not fit its schema.
const schemaBroken = 99

// asJSON returns the arguments with which solve answers in JSON, writing nothing else; false if
// they do not call solve, take from standard input what can be read once only, or ask for a process
// of its own: that one is asked.
func asJSON(args []string) ([]string, bool) {
	if len(args) == 0 || args[0] != "solve" || slices.Contains(args, "-") || slices.Contains(args, "--help") {
		return nil, false
	}
	if slices.Contains(args, "--isolate") && os.Getenv(isolated) == "" {
		return nil, false
	}
	var kept []string
	for k := 0; k < len(args); k++ {
		name, _, whole := strings.Cut(args[k], "=")
		switch name {
		case "--html", "--certificate", "--proof", "--rows", "--format":
			if !whole {
				k++
			}
		default:
			kept = append(kept, args[k])
		}
	}
	return append(kept, "--format", "json"), true
}

// fitsSchema reports which line of the answers in JSON does not fit the schema.
func fitsSchema(args []string) error {
	schema, err := testenv.ReadSchema(os.Getenv("LINSAT_JSON_SCHEMA"))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	code := run(args, strings.NewReader(""), &out, io.Discard)
	if code < cli.Usage && out.Len() == 0 && !slices.Contains(args, "--shard") {
		return fmt.Errorf("%v prints nothing and exits %d", args, code)
	}
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		if line == "" {
			continue // refused before a file was read
		}
		validate := schema.Validate
		for key, as := range map[string]string{`"transactions":`: "isolation", `"spec":`: "consistency"} {
			if strings.Contains(line, `"consistency":`) && strings.Contains(line, key) {
				validate = func(text []byte) error { return schema.ValidateAs(as, text) }
			}
		}
		if strings.Contains(line, `"reads":`) {
			validate = func(text []byte) error { return schema.ValidateAs("stale", text) }
		}
		if err := validate([]byte(line)); err != nil {
			return fmt.Errorf("%w: %s", err, line)
		}
	}
	return nil
}

// TestJSONSchemaRefuses: what the schema excludes is refused, so that the scripts mean something.
func TestJSONSchemaRefuses(t *testing.T) {
	schema, err := testenv.ReadSchema(filepath.Join("..", "..", "docs", "json.schema.json"))
	require.NoError(t, err)
	var out bytes.Buffer
	require.Equal(t, cli.Violation,
		run([]string{"solve", "--format", "json", filepath.Join("..", "..", "examples", "histories",
			"stale-read.json")}, strings.NewReader(""), &out, io.Discard))
	good := out.String()
	require.NoError(t, schema.Validate([]byte(good)))
	for _, x := range [][2]string{{`"version":1`, `"version":2`}, {`"verdict":"not linearizable"`, `"verdict":"no"`},
		{`"operations":60`, `"operations":-1`}, {`"certified":true,`, ``}, {`"kind":"`, `"kind":"x`},
		{`"file":`, `"path":"x","file":`}, {`"seconds":`, `"seconds":"1","second":`}} {
		bad := strings.Replace(good, x[0], x[1], 1)
		require.NotEqual(t, good, bad, x[0])
		assert.Error(t, schema.Validate([]byte(bad)), x[1])
	}
}

// TestJSONFieldsAreDocumented: the schema and the page name the same fields.
func TestJSONFieldsAreDocumented(t *testing.T) {
	schema, err := testenv.ReadSchema(filepath.Join("..", "..", "docs", "json.schema.json"))
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "reading.md"))
	require.NoError(t, err)
	assert.IsType(t, "", schema.Root()["description"])
	for name := range schema.Root()["properties"].(map[string]any) {
		assert.Contains(t, string(page), "`"+name+"`")
	}
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", UpdateScripts: testenv.Update(),
		Setup: func(e *testscript.Env) error {
			schema, err := filepath.Abs(filepath.Join("..", "..", "docs", "json.schema.json"))
			e.Setenv("LINSAT_JSON_SCHEMA", schema)
			return err
		},
		Condition: func(cond string) (bool, error) {
			if cond != "z3" { // built in
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			_, err := findSolver("--solver", "z3")
			return err == nil, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits}})
}

// exits CODE ARGS...: runs linsat and checks its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE ARGS...")
	}
	err := ts.Exec("linsat", args[1:]...)
	code := "0"
	if err != nil {
		code = exitCode(err)
	}
	if code != args[0] {
		ts.Fatalf("linsat %v exited %s, not %s", args[1:], code, args[0])
	}
}

func exitCode(err error) string {
	var e *exec.ExitError
	if errors.As(err, &e) {
		return strconv.Itoa(e.ExitCode())
	}
	return err.Error()
}

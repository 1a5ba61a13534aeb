package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script run the command as a user does, one file per subject.
// Each exit code of the help text has a script that shows it.

func TestMain(m *testing.M) {
	testscript.Main(cleaned{m}, map[string]func(){
		"linsat": func() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", UpdateScripts: testenv.Update(),
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

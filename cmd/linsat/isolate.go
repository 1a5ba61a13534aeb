package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// A specification in a file is foreign code. The interpreter bounds its steps, but not the memory
// of one of them: --isolate runs the command in a process of its own that is ended when it takes
// too much. The system ends it where it can bound a process (isolate_linux.go); elsewhere the
// process looks at itself, and one huge step can go beyond the bound for a moment.

// isolated is set in the environment of such a process.
const isolated = "LINSAT_ISOLATED"

// tooMuch is the exit code of a process that found itself beyond its bound.
const tooMuch = 77

// isolate runs the command again in a process of its own, if --isolate asks for it, and returns its
// exit code as an error; nil if there is nothing to isolate, or this is that process.
func isolate(c *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if f := c.Flags().Lookup("isolate"); f == nil || f.Value.String() != "true" {
		return nil
	}
	bound := int64(isolatedMemory)
	if f := c.Flags().Lookup("memory"); f != nil {
		if m, ok := f.Value.(*size); ok && *m > 0 {
			bound = 2*int64(*m) + isolatedRoom
		}
	}
	if os.Getenv(isolated) != "" {
		boundProcess(bound)
		go watchMemory(bound)
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("--isolate: %w", err)
	}
	child := exec.Command(self, args...)
	child.Env = append(os.Environ(), isolated+"=1")
	child.Stdin, child.Stdout = stdin, stdout
	said, err := child.StderrPipe()
	if err != nil {
		return fmt.Errorf("--isolate: %w", err)
	}
	if err := child.Start(); err != nil {
		return fmt.Errorf("--isolate: %w", err)
	}
	crashed := passOn(said, stderr)
	err = child.Wait()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return exit(exitLinearizable)
	case !errors.As(err, &ended):
		return fmt.Errorf("--isolate: %w", err)
	case crashed, ended.ExitCode() == tooMuch, ended.ExitCode() < 0:
		complain(stderr, hinted{fmt.Errorf("stopped: it took more than %d MB of memory", bound>>20), "a larger --memory raises the bound; a specification may build ever larger values"})
		return exit(exitUnknown)
	}
	return exit(ended.ExitCode())
}

// passOn copies what a process says, without the report of the Go runtime when memory runs out, and
// reports whether there was one.
func passOn(said io.Reader, stderr io.Writer) (crashed bool) {
	lines := bufio.NewReader(said)
	for {
		line, err := lines.ReadString('\n')
		for _, start := range []string{"fatal error: ", "runtime: ", "runtime/cgo: ", "SIGABRT: "} {
			crashed = crashed || strings.HasPrefix(line, start)
		}
		if !crashed {
			_, _ = io.WriteString(stderr, line)
		}
		if err != nil {
			return crashed
		}
	}
}

// watchMemory ends this process once it takes more than so many bytes.
func watchMemory(bound int64) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for range time.Tick(watchEvery) {
		if metrics.Read(sample); sample[0].Value.Kind() == metrics.KindUint64 && int64(sample[0].Value.Uint64()) > bound {
			os.Exit(tooMuch)
		}
	}
}

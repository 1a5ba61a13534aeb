package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/linsat/linsat/internal/cli"
	"github.com/spf13/cobra"
)

// A specification in a file is foreign code. The interpreter bounds its steps, but not the memory
// of one of them: --isolate runs the command in a process of its own that is ended when it takes
// too much. That is the default where a limit is given. The process ends with the one that started
// it, however that ends. The system ends it where it can bound a process (isolate_linux.go);
// elsewhere the process looks at itself, and one huge step can go beyond the bound for a moment.

// isolated is set in the environment of such a process, to the number of the one that started it.
const isolated = "LINSAT_ISOLATED"

// tooMuch is the exit code of a process that found itself beyond its bound.
const tooMuch = 77

// toIsolate reports whether the command runs in a process of its own: if --isolate says so, or, if
// it says nothing, where a limit is given and steps of the specification can take what they like;
// and whether --isolate says it. The specification is that of --spec, or the first argument of a
// command without that flag.
func toIsolate(c *cobra.Command, args []string) (yes, asked bool) {
	f := c.Flags()
	if own := f.Lookup("isolate"); own == nil || own.Changed {
		return own != nil && own.Value.String() == "true", true
	}
	file := ""
	if spec := f.Lookup("spec"); spec != nil {
		file = spec.Value.String()
	} else if len(args) > 0 {
		file = args[0]
	}
	return filepath.Ext(file) == ".star" && (f.Changed("memory") || f.Changed("timeout")), false
}

// isolate runs the whole command line again in a process of its own, if toIsolate says so, and
// returns its exit code as an error; nil if there is nothing to isolate, or this is that process.
func isolate(c *cobra.Command, args, line []string, stdin io.Reader, stdout, stderr io.Writer) error {
	own, asked := toIsolate(c, args)
	if !own {
		return nil
	}
	bound := int64(isolatedMemory)
	if f := c.Flags().Lookup("memory"); f != nil {
		if m, ok := f.Value.(*size); ok && *m > 0 {
			bound = 2*int64(*m) + isolatedRoom
		}
	}
	if parent, err := strconv.Atoi(os.Getenv(isolated)); err == nil {
		boundProcess(bound)
		go watchBounds(bound, parent)
		return nil
	}
	if !asked {
		fmt.Fprintf(cli.ScreenOf(c).Notes(stderr),
			"linsat: the specification runs in a process of its own, with at most %d MB (--isolate=false runs it in "+
				"this one)\n", bound>>20)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("--isolate: %w", err)
	}
	child := exec.Command(self, line...)
	child.Env = append(os.Environ(), isolated+"="+strconv.Itoa(os.Getpid()))
	child.Stdin, child.Stdout = stdin, stdout
	said, err := child.StderrPipe()
	if err != nil {
		return fmt.Errorf("--isolate: %w", err)
	}
	diesWithUs(child)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, cli.AskToEnd...)
	defer signal.Stop(signals)
	if err := child.Start(); err != nil {
		return fmt.Errorf("--isolate: %w", err)
	}
	done := make(chan struct{})
	defer close(done)
	var told atomic.Bool
	go func() {
		for {
			select {
			case s := <-signals:
				told.Store(true)
				if s != os.Interrupt { // which a terminal sends to both
					_ = child.Process.Signal(s)
				}
			case <-done:
				return
			}
		}
	}()
	crashed := passOn(said, stderr)
	err = child.Wait()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return cli.Exit(cli.Linearizable)
	case !errors.As(err, &ended):
		return fmt.Errorf("--isolate: %w", err)
	case told.Load() && ended.ExitCode() < 0:
		return cli.Exit(cli.Unknown)
	case crashed, ended.ExitCode() == tooMuch, ended.ExitCode() < 0:
		cli.Complain(stderr, cli.Hint(fmt.Errorf("stopped: it took more than %d MB of memory", bound>>20),
			"a larger --memory raises the bound; a specification may build ever larger values"))
		return cli.Exit(cli.Unknown)
	}
	return cli.Exit(ended.ExitCode())
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

// watchBounds ends this process once it takes more than so many bytes, or the one that started it
// has ended.
func watchBounds(bound int64, parent int) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for range time.Tick(watchEvery) {
		if os.Getppid() != parent {
			os.Exit(cli.Unknown)
		}
		if metrics.Read(sample); sample[0].Value.Kind() == metrics.KindUint64 &&
			int64(sample[0].Value.Uint64()) > bound {
			os.Exit(tooMuch)
		}
	}
}

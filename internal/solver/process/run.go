package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"

	"github.com/linsat/linsat/internal/deadline"
)

// command is how to start a program.
type command struct {
	path string
	args []string
}

// converse starts the program and lets talk write to its input and read its output; then it closes
// the input, reads the rest of the output and waits until the process is reaped. It kills the
// process as soon as ctx is done or talk fails. Where the system has process groups, children of
// the process (of a script around a solver, for example) are killed with it, and also when it ends
// by itself. It returns the exit code, -1 for a process that was killed. The error is that of talk,
// or what the program wrote about its failure.
func converse(ctx context.Context, c command, talk func(in io.WriteCloser, out io.Reader) error) (int, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, c.path, c.args...)
	cmd.WaitDelay = deadline.Program // a child of its own may hold the pipes open
	together(cmd)
	complaint := &head{}
	cmd.Stderr = complaint
	in, err := cmd.StdinPipe()
	if err != nil {
		return -1, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return -1, err
	}
	over, err := start(cmd)
	if err != nil {
		return -1, err
	}
	said := talk(in, out)
	in.Close()
	if said != nil {
		stop()
	}
	// What follows the answer must be read, or the program would wait for ever.
	_, _ = io.Copy(io.Discard, out)
	over()
	err = cmd.Wait()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it ended by itself with code 0; only its complaints may be cut
	}
	code := cmd.ProcessState.ExitCode()
	var exit *exec.ExitError
	switch {
	case said != nil && complaint.text != "":
		return code, fmt.Errorf("%w: %s", said, complaint.line())
	case said != nil:
		return code, said
	case err != nil && (!errors.As(err, &exit) || code < 0):
		return code, err
	}
	return code, nil
}

// head keeps the beginning of what is written to it.
type head struct{ text string }

func (h *head) Write(p []byte) (int, error) {
	if room := 400 - len(h.text); room > 0 {
		h.text += string(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (h *head) line() string { return strings.Join(strings.Fields(h.text), " ") }

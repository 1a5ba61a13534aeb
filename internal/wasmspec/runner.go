package wasmspec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/wasmspec/wire"
)

const (
	// program runs modules.
	program = "linsat-wasm"
	// place names another program in the environment.
	place = "LINSAT_WASM"
)

// runner is that program with a module. Any number of goroutines may call it; they take turns.
type runner struct {
	file  string // of the module, as errors name it
	print func(text string)

	mu     sync.Mutex
	child  *exec.Cmd
	stdin  io.Closer
	w      *bufio.Writer
	r      *bufio.Reader
	said   firstBytes
	broken error // the program ended
}

// find returns the file of the program: the one that the environment names, beside this one, or on
// the PATH.
func find() (string, error) {
	if named := os.Getenv(place); named != "" {
		return named, nil
	}
	name := program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside, nil
		}
	}
	return exec.LookPath(name)
}

// start starts the program and lets it load a module, whose functions it returns.
func start(file string, module []byte, print func(text string)) (*runner, []string, error) {
	path, err := find()
	if err != nil {
		return nil, nil, &history.Error{File: file, What: "the program " + program +
			", which runs it, is not installed",
			Hint: "go install github.com/linsat/linsat/wasm/cmd/linsat-wasm@latest, or put it beside linsat"}
	}
	r := &runner{file: file, print: print, child: exec.Command(path, "serve")}
	r.child.Stderr = &r.said
	in, err := r.child.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := r.child.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := r.child.Start(); err != nil {
		return nil, nil, &history.Error{File: file, What: fmt.Sprintf("%s, which runs it, does not start: %v", path,
			err)}
	}
	r.stdin, r.w, r.r = in, bufio.NewWriter(in), bufio.NewReader(out)
	greeting, err := wire.Read(r.r)
	if err != nil || string(greeting[0]) != wire.Greeting {
		_ = r.close()
		return nil, nil, &history.Error{File: file, What: path + " is not a " + program + " that fits this linsat",
			Hint: "install both from one release"}
	}
	functions, err := r.ask(wire.Load, module)
	if err != nil {
		_ = r.close()
		var wrong refused
		if errors.As(err, &wrong) {
			return nil, nil, &history.Error{File: file, What: wrong.Error(),
				Hint: "docs/own-specification.md says what a specification exports"}
		}
		return nil, nil, err
	}
	names := make([]string, len(functions))
	for i, name := range functions {
		names[i] = string(name)
	}
	return r, names, nil
}

// refused is an error of the module.
type refused string

func (e refused) Error() string { return string(e) }

// call calls a function of the module. Without bytes the answer is none.
func (r *runner) call(function string, args ...[]byte) (answer []byte, none bool, err error) {
	parts, err := r.ask(function, args...)
	var wrong refused
	switch {
	case errors.As(err, &wrong):
		return nil, false, fmt.Errorf("%s: %w", r.file, err)
	case err != nil:
		return nil, false, err
	case parts == nil:
		return nil, true, nil
	}
	return parts[0], false, nil
}

// ask sends a request and returns the parts of its answer, nil for none.
func (r *runner) ask(name string, args ...[]byte) ([][]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken != nil {
		return nil, r.broken
	}
	err := wire.Write(r.w, append([][]byte{[]byte(name)}, args...)...)
	for err == nil {
		var answer [][]byte
		if answer, err = wire.Read(r.r); err != nil {
			break
		}
		switch kind := string(answer[0]); {
		case kind == wire.Print && len(answer) == 2:
			r.print(string(answer[1]))
		case kind == wire.OK && len(answer) > 1:
			return answer[1:], nil
		case kind == wire.None:
			return nil, nil
		case kind == wire.Wrong && len(answer) == 2:
			return nil, refused(answer[1])
		default:
			err = fmt.Errorf("the answer %q", kind)
		}
	}
	_ = r.stdin.Close()
	if ended := r.child.Wait(); ended != nil {
		err = ended
	}
	what := fmt.Sprintf("%s: %s, which runs it, ended during %s: %v", r.file, program, name, err)
	if said := strings.TrimSpace(r.said.String()); said != "" {
		line, _, _ := strings.Cut(said, "\n")
		what += ": " + line
	}
	r.broken = errors.New(what)
	return nil, r.broken
}

// close ends the program.
func (r *runner) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken != nil {
		return nil
	}
	r.broken = fmt.Errorf("%s: it is closed", r.file)
	_ = r.stdin.Close()
	return r.child.Wait()
}

// firstBytes keeps the beginning of what is written.
type firstBytes struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *firstBytes) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf.Write(p[:min(len(p), max(0, 1<<10-b.buf.Len()))])
	return len(p), nil
}

func (b *firstBytes) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

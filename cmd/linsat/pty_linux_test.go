package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/cli"
	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// onTerminal starts the command on a terminal with so many columns, and returns what shows on it as
// it comes, and where to type. With in, its standard input is that instead of the terminal.
func onTerminal(t *testing.T, columns int, in io.Reader, args ...string) (shown func() string, keys io.Writer,
	ended func() int) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	slave, err := os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ,
		&unix.Winsize{Row: 40, Col: uint16(columns)}))
	c := exec.Command(program(t), args...)
	c.Stdin, c.Stdout, c.Stderr = slave, slave, slave
	if in != nil {
		c.Stdin = in
	}
	c.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=")
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	require.NoError(t, c.Start())
	require.NoError(t, slave.Close())
	var text strings.Builder
	read := make(chan string, 1000)
	go func() {
		defer close(read)
		for {
			buf := make([]byte, 4096)
			n, err := master.Read(buf)
			if err != nil {
				return
			}
			read <- string(buf[:n])
		}
	}()
	shown = func() string {
		for {
			select {
			case more, ok := <-read:
				if !ok {
					return text.String()
				}
				text.WriteString(more)
			default:
				return text.String()
			}
		}
	}
	return shown, master, func() int {
		err := c.Wait()
		for more := range read {
			text.WriteString(more)
		}
		assert.NoError(t, master.Close())
		if err == nil {
			return 0
		}
		return c.ProcessState.ExitCode()
	}
}

// TestTerminalIsTold: a person who gives no file learns what is awaited, and how it ends.
func TestTerminalIsTold(t *testing.T) {
	shown, keys, ended := onTerminal(t, 80, nil, "solve", "-")
	require.Eventually(t, func() bool {
		return strings.Contains(shown(), "reading a history from this terminal; Ctrl-D ends it")
	}, time.Minute, 10*time.Millisecond)
	_, err := io.WriteString(keys,
		`{"spec": "queue", "operations": [{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1}]}`+"\n\x04")
	require.NoError(t, err)
	assert.Equal(t, cli.Linearizable, ended())
	assert.Contains(t, shown(), "-: \x1b[32mlinearizable\x1b[0m")
}

// TestLinesFitTheTerminal: text for people is wrapped to the width of the terminal, JSON is not.
func TestLinesFitTheTerminal(t *testing.T) {
	const columns = 60
	file := "../../examples/histories/stale-read.json"
	for _, args := range [][]string{{"solve", file}, {"explain", file}, {"solve", "--help"}} {
		shown, _, ended := onTerminal(t, columns, nil, args...)
		ended()
		text := shown()
		assert.Greater(t, strings.Count(text, "\n"), 5)
		for _, line := range strings.Split(text, "\r\n") {
			if i := strings.LastIndex(line, " https://"); i < 0 {
				plain := regexp.MustCompile("\x1b\\[[^m]*m").ReplaceAllString(line, "")
				assert.LessOrEqual(t, runewidth.StringWidth(plain), columns, "%v: %s", args, plain)
			}
		}
	}
	shown, _, ended := onTerminal(t, columns, nil, "solve", "--format", "json", file)
	ended()
	assert.Equal(t, 1, strings.Count(shown(), "\n"))
}

// TestProgressOfTests: what linsat test explores is shown while it takes long.
func TestProgressOfTests(t *testing.T) {
	program(t) // built before the folder changes
	moduleOf(t, filepath.Join("testdata", "early_test.go.txt"))
	shown, _, ended := onTerminal(t, 100, nil, "test", "--work", filepath.Join(t.TempDir(), "work"), "--strategy",
		"dpor", "--for", "4s")
	assert.Equal(t, cli.Unknown, ended())
	assert.Regexp(t, `TestEarly: dpor, \d+ schedules, \d+/s, about [\d.]+ % of those known so far, \d of at most 4 s`,
		shown())
	assert.Regexp(t, `ok  \s+explored\s`, shown(), "the output of go test is not drawn over")
}

// TestProgress: after a second a terminal shows what is done, and nothing of it stays.
func TestProgress(t *testing.T) {
	in, slow := io.Pipe()
	go func() {
		_, _ = io.WriteString(slow, `{"spec": "queue", "operations": [{"process": 0, "f": "enq", "arg": 1, `)
		time.Sleep(2 * time.Second)
		_, _ = io.WriteString(slow, `"call": 0, "return": 1}]}`)
		_ = slow.Close()
	}()
	shown, _, ended := onTerminal(t, 80, in, "solve", "-")
	assert.Equal(t, cli.Linearizable, ended())
	assert.Regexp(t, `-: reading, 1\.[1-9]0 s, 0.0 MB`, shown())
	assert.Regexp(t, `\x1b\[1A\x1b\[J-: \x1b\[32mlinearizable`, shown())

	hard := filepath.Join(t.TempDir(), "hard.json")
	require.Equal(t, 0, run([]string{"gen", "deque", "--operations", "3000", "--processes", "32", "--values", "3",
		"--seed", "3", "--violation", "lost", "-o", hard}, strings.NewReader(""), io.Discard, io.Discard))
	shown, _, ended = onTerminal(t, 80, nil, "solve", "--engine", "search", "--timeout", "2s", hard)
	assert.Equal(t, cli.Unknown, ended())
	assert.Regexp(t, `hard.json: judging, 1\.\d0 s, \d+ steps, \d+/s`, shown())

	// a terminal that does not say how wide it is
	shown, _, ended = onTerminal(t, 0, nil, "solve", "--engine", "search", "--timeout", "2s", hard)
	assert.Equal(t, cli.Unknown, ended())
	assert.Regexp(t, `hard.json: judging, 1\.\d0 s, \d+ steps, \d+/s`, shown())

	shown, _, ended = onTerminal(t, 80, nil, "solve", "--quiet", "--engine", "search", "--timeout", "2s", hard)
	assert.Equal(t, cli.Unknown, ended())
	assert.NotContains(t, shown(), "judging")

	c := exec.Command(program(t), "solve", "--engine", "search", "--timeout", "2s", hard)
	said, _ := c.CombinedOutput() // in a pipe
	assert.NotContains(t, string(said), "judging")
	assert.Contains(t, string(said), "unknown")
}

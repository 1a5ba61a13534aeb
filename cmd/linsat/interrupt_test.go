package main

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestInterruptWhileReading: an interrupt ends a process that waits for its standard input.
func TestInterruptWhileReading(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no interrupts to send")
	}
	program := program(t)
	for _, args := range [][]string{{"solve", "-"}, {"explain", "-"}} {
		c := exec.Command(program, args...)
		in, err := c.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, c.Start())
		_, err = io.WriteString(in, `{"spec": "queue", "operations": [`)
		require.NoError(t, err)
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		time.Sleep(300 * time.Millisecond)
		require.NoError(t, c.Process.Signal(os.Interrupt))
		select {
		case err := <-ended:
			assert.Error(t, err)
		case <-time.After(10 * time.Second):
			t.Error("still there")
			_ = c.Process.Kill()
			<-ended
		}
		_ = in.Close()
	}
}

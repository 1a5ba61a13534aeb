//go:build !unix

package cli

import (
	"os"
	"syscall"
)

// AskToEnd are the signals that ask a process to end.
var AskToEnd = []os.Signal{os.Interrupt, syscall.SIGTERM}

// EndOfFile are the keys that end what is typed into a terminal.
const EndOfFile = "Ctrl-Z and Enter"

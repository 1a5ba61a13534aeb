//go:build unix

package cli

import (
	"os"
	"syscall"
)

// AskToEnd are the signals that ask a process to end.
var AskToEnd = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// EndOfFile is the key that ends what is typed into a terminal.
const EndOfFile = "Ctrl-D"

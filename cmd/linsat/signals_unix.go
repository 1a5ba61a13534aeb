//go:build unix

package main

import (
	"os"
	"syscall"
)

// askToEnd are the signals that ask a process to end.
var askToEnd = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// endOfFile is the key that ends what is typed into a terminal.
const endOfFile = "Ctrl-D"

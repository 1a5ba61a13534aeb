// Package cli is what the commands of linsat share: exit codes, errors with a hint, and the screen.
package cli

import (
	"context"
	"fmt"
	"os/signal"
)

// Exit codes, as the help of solve states them.
const (
	Linearizable = 0
	Violation    = 1
	Usage        = 2
	Unknown      = 3
	Disagrees    = 4
)

// Gravity orders exit codes: 4, 2, 1, 3, 0.
func Gravity(code int) int {
	return map[int]int{Linearizable: 0, Unknown: 1, Violation: 2, Usage: 3, Disagrees: 4}[code]
}

// Exit is an error that only sets the exit code, when everything has been printed.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// Interruptible returns a context that is done once the process is asked to end, from the keyboard
// or by another process. Running work then ends; a second signal ends the process at once.
func Interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), AskToEnd...)
	undo := context.AfterFunc(ctx, stop)
	return ctx, func() {
		undo()
		stop()
	}
}

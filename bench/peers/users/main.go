// Command users checks histories as programs do that use Porcupine, and imports nothing else.
// Command bench/dropin runs it as it is and with the import path of linsat's drop-in.
//
//	go run ./users -list
//	go run ./users -history NAME [-timeout 10s]
//
// It prints the verdict, the number of operations and the seconds of the check.
//
//	kv.go       get, put and append, as students of a course on distributed systems check theirs
//	log.go      an append log with expected tails and fencing tokens, as S2's users see it
//	set.go      a set that may do several things
//	clients.go  who calls what, and when
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// history is one question.
type history struct {
	name  string
	model porcupine.Model
	draw  func() []porcupine.Operation
}

// histories lists all questions.
func histories() []history {
	all := append(kvHistories(), logHistories()...)
	return append(all, setHistories()...)
}

func main() {
	list := flag.Bool("list", false, "print the names of the histories")
	name := flag.String("history", "", "check the history of this `name`")
	timeout := flag.Duration("timeout", 10*time.Second, "time limit of the check")
	flag.Parse()
	if err := run(os.Stdout, *list, *name, *timeout); err != nil {
		fmt.Fprintln(os.Stderr, "users:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, list bool, name string, timeout time.Duration) error {
	for _, h := range histories() {
		switch {
		case list:
			fmt.Fprintln(w, h.name)
		case h.name == name:
			ops := h.draw()
			start := time.Now()
			verdict := porcupine.CheckOperationsTimeout(h.model, ops, timeout)
			_, err := fmt.Fprintln(w, verdict, len(ops), time.Since(start).Seconds())
			return err
		}
	}
	if list {
		return nil
	}
	return errors.New("there is no history " + name + "; -list prints them")
}

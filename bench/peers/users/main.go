// Command users checks histories as programs do that use Porcupine, and imports nothing else.
// Command bench/dropin runs it as it is and with the import path of linsat's drop-in.
//
//	go run ./users -list
//	go run ./users -history NAME [-timeout 10s]
//
// It prints the verdict, the number of operations, and the seconds of the check on the clock and of
// processors. A verdict that is not the known one is an error.
//
//	kv.go       get, put and append, as students of a course on distributed systems check theirs
//	log.go      an append log with expected tails and fencing tokens, as S2's users see it
//	set.go      a set that may do several things
//	usual.go    models that users write most, correct and faulty, of all sizes
//	clients.go  who calls what, and when
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// history is one question.
type history struct {
	name  string
	want  porcupine.CheckResult
	model porcupine.Model
	draw  func() []porcupine.Operation
}

// known is the verdict of a history that ends so.
func known(end string) porcupine.CheckResult {
	if end == "yes" {
		return porcupine.Ok
	}
	return porcupine.Illegal
}

// histories lists all questions.
func histories() []history {
	all := append(kvHistories(), logHistories()...)
	return append(append(all, setHistories()...), usualHistories()...)
}

// What is checked is checked again as long as that takes, and at most so often.
const (
	repeatFor  = 200 * time.Millisecond
	repeatMost = 15
)

// check returns the verdict and the medians of times on the clock and of processors.
func check(m porcupine.Model, ops []porcupine.Operation, timeout time.Duration) (verdict porcupine.CheckResult, wall,
	cpu time.Duration) {
	var walls, cpus []time.Duration
	for begin := time.Now(); len(walls) == 0 || len(walls) < repeatMost && time.Since(begin) < repeatFor; {
		start, spent := time.Now(), processor()
		verdict = porcupine.CheckOperationsTimeout(m, ops, timeout)
		walls, cpus = append(walls, time.Since(start)), append(cpus, processor()-spent)
	}
	slices.Sort(walls)
	slices.Sort(cpus)
	return verdict, walls[len(walls)/2], cpus[len(cpus)/2]
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
			verdict, wall, cpu := check(h.model, ops, timeout)
			if verdict != porcupine.Unknown && verdict != h.want {
				return fmt.Errorf("%s is %s, and the answer is %s", name, h.want, verdict)
			}
			_, err := fmt.Fprintln(w, verdict, len(ops), wall.Seconds(), cpu.Seconds())
			return err
		}
	}
	if list {
		return nil
	}
	return errors.New("there is no history " + name + "; -list prints them")
}

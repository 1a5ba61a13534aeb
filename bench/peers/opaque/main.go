//go:build unix

// Command opaque compares the drop-in with Porcupine on opaque models of objects without a finite
// state space, with operations of unknown outcome and a violation late in the history.
//
//	go run ./opaque [-operations 10000] [-timeout 10s] [-memory 2048] [-only REGEXP] [-seed 1]
//
// Each line is one generated history, decided by one process for each tool, one after the other:
// the time of the check alone, and the largest resident size of the process. Both tools are given
// the same functions. With the drop-in, the certificate of a violation is made as well, in another
// column. A tool that runs out of time or memory has a time that is a lower bound. Exit code 1 says
// that the tools contradict each other, or that a certificate is missing.
//
//	models.go     the objects, as a user of Porcupine writes them
//	histories.go  the histories
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	peer "github.com/anishathalye/porcupine"
	"github.com/linsat/linsat/porcupine"
)

// options are the flags.
type options struct {
	operations int
	timeout    time.Duration
	memory     int64 // megabytes
	only       *regexp.Regexp
	seed       uint64
}

func main() {
	var o options
	flag.IntVar(&o.operations, "operations", 10_000, "operations of the histories whose size is not given")
	flag.DurationVar(&o.timeout, "timeout", 10*time.Second, "time limit of each check")
	flag.Int64Var(&o.memory, "memory", 2048, "memory limit of each process, in megabytes")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the histories")
	only := flag.String("only", "", "histories whose names match this regular expression")
	alone := flag.String("alone", "", "only decide the history of this `name`, with -tool")
	tool := flag.String("tool", "linsat", "linsat or porcupine")
	flag.Parse()
	var err error
	if o.only, err = regexp.Compile(*only); err == nil {
		if *alone != "" {
			err = o.decide(os.Stdout, *alone, *tool)
		} else {
			err = o.table(os.Stdout)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "opaque:", err)
		os.Exit(1)
	}
}

// decide decides one history and prints the verdict, the seconds of the check, those of the
// certificate, and the megabytes of the process at its largest.
func (o options) decide(w io.Writer, name, tool string) error {
	debug.SetMemoryLimit(o.memory << 20)
	for _, k := range works(o.operations) {
		if k.name != name {
			continue
		}
		calls := k.history(o.seed)
		verdict, certificate := "", time.Duration(0)
		var start time.Time
		var took time.Duration
		if tool == "porcupine" {
			m, ops := k.object.peer(), peerOperations(calls)
			start = time.Now()
			verdict = string(peer.CheckOperationsTimeout(m, ops, o.timeout))
			took = time.Since(start)
		} else {
			porcupine.MemoryLimit = o.memory << 20
			m, ops := k.object.ours(), ourOperations(calls)
			start = time.Now()
			verdict = string(porcupine.CheckOperationsTimeout(m, ops, o.timeout))
			took = time.Since(start)
			if verdict == string(porcupine.Illegal) {
				start = time.Now()
				_, info := porcupine.CheckOperationsVerbose(m, ops, o.timeout)
				if _, err := info.Certificate(); err != nil {
					verdict += "(" + err.Error() + ")"
				}
				certificate = time.Since(start)
			}
		}
		var usage syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "%.3f %.3f %d %s\n", took.Seconds(), certificate.Seconds(), usage.Maxrss>>10, verdict)
		return err
	}
	return fmt.Errorf("there is no history %q", name)
}

// answer is what one process says.
type answer struct {
	seconds, certificate float64
	megabytes            int64
	verdict              string
}

func (a answer) time() string {
	if a.decided() {
		return fmt.Sprintf("%.3f s", a.seconds)
	}
	return fmt.Sprintf("> %.1f s", a.seconds)
}

func (a answer) decided() bool { return a.verdict == "Ok" || strings.HasPrefix(a.verdict, "Illegal") }

// ask runs this program for one history and one tool, and ends it when it takes too long.
func (o options) ask(name, tool string) (answer, error) {
	self, err := os.Executable()
	if err != nil {
		return answer{}, err
	}
	limit := 4*o.timeout + 10*time.Second
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	c := exec.CommandContext(ctx, self, "-alone", name, "-tool", tool, "-operations", fmt.Sprint(o.operations),
		"-timeout", o.timeout.String(), "-memory", fmt.Sprint(o.memory), "-seed", fmt.Sprint(o.seed))
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			return answer{seconds: limit.Seconds(), verdict: "no answer"}, nil
		}
		return answer{}, fmt.Errorf("%s on %s: %w: %s", tool, name, err, errs.String())
	}
	var a answer
	if _, err := fmt.Sscan(out.String(), &a.seconds, &a.certificate, &a.megabytes, &a.verdict); err != nil {
		return a, fmt.Errorf("%s on %s says %q", tool, name, out.String())
	}
	return a, nil
}

func (o options) table(w io.Writer) error {
	fmt.Fprintf(w, "%s/%s, %d CPUs, %s; at most %v and %d MB\n\n", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0),
		runtime.Version(), o.timeout, o.memory)
	fmt.Fprint(w,
		"| history | operations | verdict | linsat | and certified | Porcupine | linsat, MB | Porcupine, MB "+
			"|\n|---|--:|---|--:|--:|--:|--:|--:|\n")
	var wrong []string
	for _, k := range works(o.operations) {
		if !o.only.MatchString(k.name) {
			continue
		}
		mine, err := o.ask(k.name, "linsat")
		if err != nil {
			return err
		}
		theirs, err := o.ask(k.name, "porcupine")
		if err != nil {
			return err
		}
		certified := ""
		if strings.HasPrefix(mine.verdict, "Illegal") {
			certified = fmt.Sprintf("%.3f s", mine.certificate)
		}
		if strings.HasPrefix(mine.verdict, "Illegal(") {
			certified = "no"
			wrong = append(wrong, k.name+" is not certified: "+mine.verdict)
		}
		if mine.decided() && theirs.decided() && !strings.HasPrefix(mine.verdict, theirs.verdict) {
			wrong = append(wrong, k.name+": "+mine.verdict+" and "+theirs.verdict)
		}
		fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %s | %d | %d |\n", k.name, k.size, mine.verdict, mine.time(),
			certified, theirs.time(), mine.megabytes, theirs.megabytes)
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s", strings.Join(wrong, "; "))
	}
	return nil
}

// Command jepsen writes tests as Jepsen stores them, of workloads of its suites, correct and with
// each fault that they look for, has linsat decide them, and prints a table. It fails where an
// answer is wrong.
//
//	go build -o /tmp/linsat ./cmd/linsat
//	go -C bench run ./jepsen -linsat /tmp/linsat -operations 1000,10000,100000
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	command := flag.String("linsat", "linsat", "the command")
	sizes := flag.String("operations", "1000,10000", "numbers of operations")
	infos := flag.String("info", "0,0.01,0.05,0.2", "shares of operations of unknown outcome")
	only := flag.String("workload", "", "the name of one workload (default: all)")
	keep := flag.String("keep", "", "the folder in which the tests are kept")
	limit := flag.Duration("timeout", 15*time.Second, "time limit for each test")
	flag.Parse()
	if err := table(*command, strings.Split(*sizes, ","), strings.Split(*infos, ","), *only, *keep,
		*limit); err != nil {
		fmt.Fprintln(os.Stderr, "jepsen:", err)
		os.Exit(1)
	}
}

// table prints a row for each workload and fault.
func table(command string, sizes, infos []string, only, keep string, limit time.Duration) error {
	dir := keep
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "jepsen"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	var wrong []string
	fmt.Println("workload\tfault\toperations\tinfo\tanswer\tseconds")
	for i := range workloads {
		w := &workloads[i]
		if only != "" && only != w.name {
			continue
		}
		for _, fault := range append([]string{""}, w.faults...) {
			for _, size := range sizes {
				for _, info := range infos {
					n, err := strconv.Atoi(size)
					if err != nil {
						return err
					}
					share, err := strconv.ParseFloat(info, 64)
					if err != nil {
						return err
					}
					store := filepath.Join(dir, fmt.Sprintf("%d-%s-%d-%s", i, strings.ReplaceAll(fault, " ", "-"), n,
						info))
					if err := write(store, w, fault, n, share); err != nil {
						return err
					}
					begin := time.Now()
					out, err := exec.Command(command, "solve", "--brief", "--timeout", limit.String(),
						filepath.Join(store, "history.edn")).Output()
					var exit *exec.ExitError
					if err != nil && !errors.As(err, &exit) {
						return err
					}
					answer := "linearizable"
					switch {
					case exit != nil && exit.ExitCode() == 1:
						answer = "not linearizable"
					case exit != nil && exit.ExitCode() == 2:
						return fmt.Errorf("%s %s: %s", w.name, fault, exit.Stderr)
					case exit != nil:
						answer = "unknown"
					}
					fmt.Printf("%s\t%s\t%d\t%s\t%s\t%.2f\n", w.name, fault, n, info, answer,
						time.Since(begin).Seconds())
					if answer != "unknown" && (answer == "linearizable") != (fault == "") {
						wrong = append(wrong, fmt.Sprintf("%s %s %d %s: %s", w.name, fault, n, info,
							bytes.TrimSpace(out)))
					}
				}
			}
		}
	}
	if len(wrong) > 0 {
		return errors.New("wrong answers:\n" + strings.Join(wrong, "\n"))
	}
	return nil
}

// write writes one test as Jepsen stores it.
func write(store string, w *workload, fault string, n int, infos float64) error {
	var text bytes.Buffer
	if err := simulate(&text, w, fault, n, infos, 1); err != nil {
		return err
	}
	if err := os.MkdirAll(store, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(store, "test.edn"), fmt.Appendf(nil, "{:name %q}\n", w.test),
		0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(store, "history.edn"), text.Bytes(), 0o644)
}

//go:build unix

package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// etcdProgram uses the model of etcd's tests, and is built in a copy of them.
//
//go:embed testdata/etcdfile/main.go
var etcdProgram string

// etcdHistory is what linsat gen etcd is asked for.
type etcdHistory struct {
	name string
	args []string
}

func etcdHistories() []etcdHistory {
	var all []etcdHistory
	add := func(operations int, unknown, violation string) {
		h := etcdHistory{fmt.Sprintf("%d operations, %s unknown", operations, map[string]string{"0": "none",
			"0.05": "5 %"}[unknown]),
			[]string{"--operations", fmt.Sprint(operations), "--pending", unknown}}
		if violation != "" {
			h.name += ", a " + violation + " read"
			h.args = append(h.args, "--violation", violation)
		}
		all = append(all, h)
	}
	add(2000, "0.05", "")
	add(2000, "0.05", "stale")
	add(10_000, "0", "")
	add(10_000, "0.05", "")
	add(60_000, "0", "")
	add(60_000, "0.05", "")
	add(60_000, "0.05", "stale")
	return all
}

// compareEtcdFiles decides generated histories of etcd, as reports of its robustness tests: with
// Porcupine and etcd's own model, with the same model and the drop-in, and with linsat's
// specification etcd. It returns on how many the verdicts differ.
func compareEtcdFiles(w io.Writer, root, dir string, l limits) (differ int, err error) {
	var programs [2]string
	for i, name := range []string{"as-it-is", "changed"} {
		if programs[i], err = buildEtcdProgram(root, filepath.Join(dir, name), i == 1); err != nil {
			return 0, err
		}
	}
	linsat := filepath.Join(dir, "linsat.bin")
	if out, err := command(root, "go", "build", "-o", linsat, "./cmd/linsat").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go build ./cmd/linsat: %w\n%s", err, tail(out))
	}
	fmt.Fprintf(w,
		"8 clients; medians of %d runs; at most %v and %d MB. linsat solve: the whole process, with reading.\n\n",
		l.runs, l.timeout, l.memory)
	fmt.Fprint(w,
		"| etcd | operations | verdict | Porcupine, etcd's model | drop-in, etcd's model | linsat solve | MB, of "+
			"each |\n|---|--:|---|--:|--:|--:|--:|\n")
	for k, h := range etcdHistories() {
		file, report := filepath.Join(dir, fmt.Sprintf("history-%d.json", k)),
			filepath.Join(dir, fmt.Sprintf("report-%d", k))
		args := append([]string{"gen", "etcd", "--processes", "8", "--seed", "3", "-o", file}, h.args...)
		if out, err := command(dir, linsat, args...).CombinedOutput(); err != nil {
			return differ, fmt.Errorf("linsat %s: %w\n%s", strings.Join(args, " "), err, tail(out))
		}
		if out, err := command(dir, programs[0], "-convert", file, "-to", report).CombinedOutput(); err != nil {
			return differ, fmt.Errorf("%s: %w\n%s", h.name, err, tail(out))
		}
		both, err := l.turns(programs, "-check", report, "-timeout", l.timeout.String())
		if err != nil {
			return differ, err
		}
		var solved []decision
		for n := 0; n < l.runs && (n == 0 || solved[n-1].decided()); n++ {
			d, err := l.solve(linsat, report)
			if err != nil {
				return differ, err
			}
			solved = append(solved, d)
		}
		all := [3]decision{both[0], both[1], typical(solved)}
		verdict := agreed(all[:]...)
		if strings.HasPrefix(verdict, different) {
			differ++
		}
		certified := ""
		if all[2].decided() {
			certified = ", not certified"
			if all[2].certified {
				certified = ", certified"
			}
		}
		fmt.Fprintf(w, "| %s | %d | %s | %v | %v | %v%s | %d, %d, %d |\n", h.name,
			max(all[0].operations, all[1].operations), verdict, all[0], all[1], all[2], certified, all[0].resident>>20,
			all[1].resident>>20, all[2].resident>>20)
	}
	fmt.Fprintln(w)
	return differ, nil
}

// solve asks the command linsat about a report.
func (l limits) solve(linsat, report string) (decision, error) {
	d, out, err := l.bounded(linsat, "solve", "--format", "json", "--witness", "0", "--timeout",
		l.timeout.String(), report)
	if err != nil || d.verdict != "" {
		return d, err
	}
	var said struct {
		Verdict    string
		Operations int
		Certified  bool
	}
	if err := json.Unmarshal([]byte(out), &said); err != nil {
		return d, fmt.Errorf("linsat solve %s: %w", report, err)
	}
	d.verdict = map[string]string{"linearizable": "Ok", "not linearizable": "Illegal"}[said.Verdict]
	if d.verdict == "" {
		d.verdict = "Unknown"
	}
	d.operations, d.certified = said.Operations, said.Certified
	return d, nil
}

// buildEtcdProgram puts the program into a copy of etcd's tests, which asks for an older Porcupine
// than ours is compared with.
func buildEtcdProgram(root, dir string, changed bool) (program string, err error) {
	if err := prepareEtcd(root, dir, false); err != nil {
		return "", err
	}
	at := filepath.Join(dir, "robustness", "etcdfile")
	if err := os.MkdirAll(at, 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(at, "main.go"), []byte(etcdProgram), 0o644); err != nil {
		return "", err
	}
	mod := "\nreplace " + peer + " => " + strings.ReplaceAll(peerModule, "@", " ") + "\n"
	if changed {
		if err := changeImports(dir); err != nil {
			return "", err
		}
		mod = replacements(root)
	}
	if err := edit(filepath.Join(dir, "go.mod"), func(text string) string { return text + mod }); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "etcdfile.bin")
	if out, err := command(dir, "go", "build", "-mod=mod", "-o", program,
		"./robustness/etcdfile").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: go build: %w\n%s", dir, err, tail(out))
	}
	return program, nil
}

//go:build unix

package main

import "strings"

// line is what is solved in one process: a generated history, or recordings.
type line struct {
	name  string
	gen   []string // arguments of `linsat gen`
	glob  []string // patterns below the folder of recordings
	solve []string // more arguments of `linsat solve`
}

// verdictOnly asks for no reasons.
var verdictOnly = []string{"--core", "none"}

// generated lists generated histories: those of distinct values at each size, and shapes that took
// long once.
func generated() []line {
	var all []line
	add := func(solve []string, text string, violations ...string) {
		for _, v := range append([]string{""}, violations...) {
			l := line{name: text, gen: append(strings.Fields(text), "--seed", "3"), solve: solve}
			if v != "" {
				l.gen, l.name = append(l.gen, "--violation", v), l.name+" --violation "+v
			}
			if len(solve) > 0 {
				l.name += ", " + strings.Join(solve, " ")
			}
			all = append(all, l)
		}
	}
	for _, n := range []string{"100", "10000", "100000"} {
		for _, spec := range []string{"register", "cas-register", "queue", "stack", "deque", "priority-queue", "set",
			"counter", "kv --keys 24"} {
			add(nil, spec+" --operations "+n+" --processes 16", "swap")
		}
	}
	for _, spec := range []string{"queue", "stack", "set", "priority-queue"} {
		add(verdictOnly, spec+" --operations 1000000 --processes 16", "swap")
	}
	add(nil, "queue --operations 20000 --processes 16 --values 4", "swap", "lost")
	add(nil, "stack --operations 1000 --processes 16 --values 4", "duplicate")
	add(nil, "stack --operations 20000 --processes 16 --values 4", "duplicate")
	add(nil, "deque --operations 2000 --processes 8 --values 5", "swap", "duplicate")
	add(nil, "counter --operations 10000 --processes 64", "swap")
	add(nil, "register --operations 10000 --processes 16 --values 5", "stale")
	add(nil, "cas-register --operations 10000 --processes 16 --values 5 --pending 0.01", "stale")
	add(nil, "kv --operations 20000 --processes 16 --pending 0.02", "unwritten", "swap")
	add([]string{"--quasi", "2"}, "queue --operations 20000 --processes 8 --values 8 --relax 2", "swap")
	add([]string{"--quasi", "2"}, "stack --operations 1000 --processes 8 --relax 2", "swap")
	return all
}

// recorded lists recordings, many in one process.
func recorded() []line {
	return []line{
		{name: "102 logs of etcd", glob: []string{"porcupine/jepsen/*.log"}, solve: []string{"--spec", "cas-register"}},
		{name: "key-value stores of Porcupine", glob: []string{"porcupine/kv/*.txt"}, solve: []string{"--spec", "kv"}},
		{name: "key-value stores of Porcupine, verdict only", glob: []string{"porcupine/kv/*.txt"},
			solve: append([]string{"--spec", "kv"}, verdictOnly...)},
		{name: "cases of fastlin", glob: []string{"fastlin/*/*.log"}},
		{name: "cases of Violin", glob: []string{"violin/simple/*.log"}},
	}
}

//go:build unix

package main

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
)

// work is one line of the comparison.
type work struct {
	name  string
	scope model.Partitioning
	load  func() ([]question, error)
	// skip is why Porcupine is not run, "" if it is.
	skip string
	// The project's bar: how many times as fast as Porcupine, or the longest time. 0: none.
	ratio  float64
	within time.Duration
	large  bool // takes long, or much memory: asked for with -large
	flows  bool // fastlin takes it
	cliff  bool // belongs to the tables of -cliffs
	spread bool // several histories of one kind: what counts is the median over them, not their sum
	// convince runs the whole program on every history as well, and asks for a certified answer
	// within resident bytes of memory.
	convince bool
	resident int64
}

// noModel and tooLarge are the reasons to leave out Porcupine.
const (
	noModel  = "no model"
	tooLarge = "out of memory or time at this size"
)

// works lists all works; corpora is the folder of recorded histories, "" for none. Histories are
// generated from fixed seeds.
func works(corpora string) []work {
	var all []work
	add := func(w work) { all = append(all, w) }
	if corpora != "" {
		dir := filepath.Join(corpora, "porcupine")
		add(work{name: "etcd, 102 logs", scope: model.ByKey, load: func() ([]question, error) {
			return etcd(dir)
		}, ratio: 20})
		for _, n := range []string{"c10-ok", "c10-bad", "c50-ok", "c50-bad"} {
			w := work{name: "kv " + n, scope: model.ByKey, load: func() ([]question, error) {
				return recordedKV(dir, n)
			}}
			switch n {
			case "c50-ok":
				w.ratio = 20
			case "c10-ok", "c10-bad":
				w.cliff = true
			}
			add(w)
		}
		for _, n := range []string{"c10-ok", "c10-bad"} {
			add(work{name: "kv " + n + " --partition=none", scope: model.Unpartitioned,
				load: func() ([]question, error) { return recordedKV(dir, n) }, ratio: 200})
		}
		for _, n := range []string{"c50-ok", "c50-bad"} {
			add(work{name: "kv " + n + " --partition=none", scope: model.Unpartitioned,
				load: func() ([]question, error) { return recordedKV(dir, n) }, within: 2 * time.Second})
		}
	}
	for _, ops := range []int{1000, 10_000, 100_000, 1_000_000} {
		w := work{name: "register, distinct, 16 processes, " + thousands(ops), load: family("long",
			gen.FamilyOptions{Spec: "register", Size: ops / 1000, Processes: 16, Seed: 1}), large: ops > 100_000}
		switch {
		case ops == 100_000:
			w.skip, w.within = tooLarge, 60*time.Millisecond
		case ops > 100_000:
			w.skip, w.within = tooLarge, 600*time.Millisecond
		}
		add(w)
	}
	for _, s := range []string{"queue", "stack"} {
		for _, processes := range []int{4, 16} {
			for _, ops := range []int{100_000, 1_000_000} {
				for _, violated := range []bool{false, true} {
					add(work{name: fmt.Sprintf("%s, distinct, %d processes, %s, %s", s, processes, thousands(ops),
						yesNo(!violated)), skip: tooLarge, flows: true, large: ops > 100_000, cliff: violated,
						load: family("long", gen.FamilyOptions{Spec: s, Size: ops / 1000, Processes: processes, Seed: 1,
							Violated: violated})})
				}
			}
		}
	}
	for _, ops := range []int{100_000, 1_000_000} {
		add(work{name: fmt.Sprintf("set, keys inserted once, 16 processes, %s", thousands(ops)), skip: noModel,
			flows: true, large: ops > 100_000, load: onceInserted(ops)})
	}
	for _, s := range []string{"set", "kv", "priority-queue"} {
		for _, ops := range []int{100_000, 1_000_000} {
			w := work{name: fmt.Sprintf("%s, 16 processes, %s", s, thousands(ops)), skip: noModel, large: ops > 100_000,
				load: generated(gen.Options{Spec: s, Operations: ops, Processes: 16, Keys: 24, Seed: 1})}
			if s == "kv" {
				w.skip = ""
				if ops > 100_000 {
					w.skip = tooLarge
				}
			} else {
				w.load = generated(gen.Options{Spec: s, Operations: ops, Processes: 16, Seed: 1})
			}
			if ops > 100_000 {
				w.within = 600 * time.Millisecond
				if s == "priority-queue" {
					w.within = 1200 * time.Millisecond
				}
			}
			add(w)
		}
	}
	for _, rate := range []float64{0.01, 0.03} {
		for _, processes := range []int{5, 10} {
			for _, values := range []int{5, 100} {
				for _, violation := range []gen.Violation{gen.NoViolation, gen.NeverWritten, gen.Stale} {
					if violation == gen.Stale && values < 100 {
						continue // nearly always explained by some operation that never returned
					}
					within := 150 * time.Millisecond
					if rate > 0.01 {
						within = time.Second
					}
					kind := map[gen.Violation]string{gen.NoViolation: "yes", gen.NeverWritten: "a value never written",
						gen.Stale: "a value of before"}[violation]
					add(work{name: fmt.Sprintf("cas-register, 10k, %d processes, %d values, %g %% never returned, %s",
						processes, values, 100*rate, kind), within: within, spread: true, convince: true,
						resident: 300e6,
						load: seeds(5, gen.Options{Spec: "cas-register", Operations: 10_000, Processes: processes,
							Values: values, PendingRate: rate, Violation: violation})})
				}
			}
		}
	}
	for _, s := range []string{"queue", "stack"} {
		for _, ops := range []int{50, 400} {
			w := work{name: fmt.Sprintf("%s, repeated values, 16 processes, %d", s, ops),
				load: generated(gen.Options{Spec: s, Operations: ops, Processes: 16, Values: 5, Seed: 1})}
			if s == "queue" {
				w.within = time.Second
			}
			add(w)
		}
	}
	for _, f := range []struct {
		name, spec  string
		small, size int
	}{{"burst", "queue", 8, 128}, {"burst", "stack", 8, 128}, {"long-writes", "register", 16, 64},
		{"pending-heavy", "register", 6, 64}, {"pending-heavy", "queue", 6, 64}} {
		for _, size := range []int{f.small, f.size} {
			for _, violated := range []bool{false, true} {
				w := work{name: fmt.Sprintf("%s %d, %s, %s", f.name, size, f.spec, yesNo(!violated)),
					load: family(f.name, gen.FamilyOptions{Spec: f.spec, Size: size, Violated: violated, Seed: 1})}
				if size == f.size {
					w.within = 100 * time.Millisecond
				}
				add(w)
			}
		}
	}
	return all
}

func thousands(n int) string {
	if n >= 1_000_000 {
		return fmt.Sprintf("%dM", n/1_000_000)
	}
	return fmt.Sprintf("%dk", n/1000)
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func verdict(yes bool) engine.Verdict {
	if yes {
		return engine.Linearizable
	}
	return engine.NotLinearizable
}

// known turns what the generator knows into a verdict.
func known(k gen.Known) engine.Verdict {
	return map[gen.Known]engine.Verdict{gen.Yes: engine.Linearizable, gen.No: engine.NotLinearizable}[k]
}

func family(name string, o gen.FamilyOptions) func() ([]question, error) {
	return func() ([]question, error) {
		for _, f := range gen.Families() {
			if f.Name == name {
				c, err := f.Make(o)
				if err != nil {
					return nil, err
				}
				return []question{{name, c.History, known(c.Known)}}, nil
			}
		}
		return nil, fmt.Errorf("no family %s", name)
	}
}

func generated(o gen.Options) func() ([]question, error) {
	return func() ([]question, error) {
		c, err := gen.Generate(o)
		if err != nil {
			return nil, err
		}
		return []question{{o.Spec, c.History, known(c.Known)}}, nil
	}
}

// seeds makes n histories of one kind.
func seeds(n int, o gen.Options) func() ([]question, error) {
	return func() ([]question, error) {
		var all []question
		for seed := range n {
			o.Seed = uint64(seed + 1)
			q, err := generated(o)()
			if err != nil {
				return nil, err
			}
			q[0].name = fmt.Sprintf("%s, seed %d", q[0].name, o.Seed)
			all = append(all, q...)
		}
		return all, nil
	}
}

// onceInserted makes a set of whose elements each is inserted once, found once and removed once, by
// 16 processes, 8 of them at work at any moment: what fastlin's monitor of sets takes.
func onceInserted(ops int) func() ([]question, error) {
	return func() ([]question, error) {
		const processes, apart = 16, 10
		const reach = apart * processes / 2
		b, r := history.NewBuilder(), rand.New(rand.NewPCG(1, 1))
		b.SetSpec("set")
		add, contains, remove := b.Values.String("insert"), b.Values.String("contains"), b.Values.String("remove")
		fresh := int64(0)
		var inside [2][]history.Value // to be found, to be removed
		take := func(from int) history.Value {
			list := inside[from]
			i := r.IntN(len(list))
			v := list[i]
			list[i] = list[len(list)-1]
			inside[from] = list[:len(list)-1]
			return v
		}
		for i := range ops {
			at := int64(reach + i*apart)
			rec := history.Record{Process: b.ProcessInt(int64(i % processes)), Key: history.NoKey, Result: history.True,
				Call: at - 1 - r.Int64N(reach-1), Return: at + 1 + r.Int64N(reach-1)}
			switch kind := r.IntN(3); {
			case kind == 1 && len(inside[0]) > 0:
				rec.F, rec.Arg = contains, take(0)
				inside[1] = append(inside[1], rec.Arg)
			case kind == 2 && len(inside[1]) > 0:
				rec.F, rec.Arg = remove, take(1)
			default:
				fresh++
				rec.F, rec.Arg = add, b.Values.Int(fresh)
				inside[0] = append(inside[0], rec.Arg)
			}
			if _, err := b.Add(rec); err != nil {
				return nil, err
			}
		}
		h, err := b.Finish()
		return []question{{"set", h, engine.Linearizable}}, err
	}
}

func recordedKV(dir, name string) ([]question, error) {
	h, err := history.ReadFile(filepath.Join(dir, "kv", name+".txt"), history.ReadOptions{})
	if err != nil {
		return nil, err
	}
	h.Spec = "kv"
	return []question{{name, h, verdict(strings.HasSuffix(name, "-ok"))}}, nil
}

// etcd reads the logs and what is known of them.
func etcd(dir string) ([]question, error) {
	f, err := os.Open(filepath.Join(dir, "verdicts.csv"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	var all []question
	for _, line := range lines {
		if !strings.HasPrefix(line[0], "jepsen/") {
			continue
		}
		h, err := history.ReadFile(filepath.Join(dir, line[0]), history.ReadOptions{})
		if err != nil {
			return nil, err
		}
		h.Spec = "cas-register"
		all = append(all, question{line[0], h, verdict(line[1] == "true")})
	}
	return all, nil
}

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/rows"
	"github.com/linsat/linsat/internal/words"
	"github.com/spf13/pflag"
)

// Many histories on many machines: --shard takes a part of them, --rows keeps the answers, and does
// not ask again what has one. merge.go puts the answers together.

// howToAnswer are the flags that change how long an answer takes and whether there is one, but not
// what it may be.
var howToAnswer = []string{"engine", "solver", "core", "first", "timeout", "memory", "cache", "steps"}

// question are the flags that an answer depends on.
var question = []string{"spec", "initial", "input-format", "columns", "keyed", "nil-reads", "order", "uncertainty",
	"absent", "strict", "partition", "quasi", "quasi-meaning", "quasi-causal", "drain", "relax"}

// divide keeps the files of --shard, and opens the file of --rows.
func (s *solver) divide(files []string) ([]string, error) {
	if s.shard == "" && s.rowsFile == "" {
		return files, nil
	}
	var shard rows.Shard
	if s.shard != "" {
		var err error
		if shard, err = rows.ParseShard(s.shard); err != nil {
			return nil, cli.Hint(fmt.Errorf("--shard: %w", err), "--shard takes i/n, from 1/n to n/n")
		}
	}
	s.hashes = map[string]string{}
	var mine []string
	for _, file := range files {
		if file == "-" {
			return nil, cli.Hint(errors.New("--shard and --rows need files, not standard input"),
				"name the files, or directories that hold them")
		}
		hash, err := rows.Hash(file)
		if err != nil {
			// the reader will say what is wrong; its name decides who says it
			hash = rows.HashName(file)
		} else {
			s.hashes[file] = hash
		}
		if shard.Holds(hash) {
			mine = append(mine, file)
		}
	}
	if len(mine) == 0 && len(files) > 0 {
		escape.Fprintf(s.notes, "linsat: none of the %d histories belongs to shard %s\n", len(files), shard)
	}
	if s.rowsFile == "" {
		return mine, nil
	}
	asked, err := s.asked()
	if err != nil {
		return nil, err
	}
	s.limits = valuesOf(s.flags, howToAnswer)
	run := rows.Run{Linsat: version, Shard: shard.String(), Files: len(mine), Asked: asked, Limits: s.limits}
	if s.rows, err = rows.Open(s.rowsFile, run); err != nil {
		return nil, cli.Hint(err, "name another file with --rows")
	}
	known := 0
	for _, file := range mine {
		if _, ok := s.answered(file); ok {
			known++
		}
	}
	if known > 0 {
		escape.Fprintf(s.notes, "linsat: %d of %d histories have their answer in %s\n", known, len(mine), s.rowsFile)
	}
	return mine, nil
}

// answered returns the answer that --rows holds about a file; false if there is none.
func (s *solver) answered(file string) (*render.Object, bool) {
	hash := s.hashes[file]
	if s.rows == nil || hash == "" {
		return nil, false
	}
	return s.rows.Known(file, hash, s.limits)
}

// repeat reports an answer of --rows: in text on one line.
func (s *solver) repeat(o *render.Object) error {
	s.tally.Add(o)
	if s.unsaid(o) {
		return nil
	}
	report := s.report
	if report == nil {
		var err error
		if report, err = render.NewReport("text", s.text, words.Style{Color: s.screen.Color}, version); err != nil {
			return err
		}
	}
	return report.Add(o)
}

// record keeps an answer, unless an interrupt left it open.
func (s *solver) record(o *render.Object) error {
	if s.rows == nil || s.interrupted && o.Verdict == engine.Unknown.String() {
		return nil
	}
	if o.SHA256 == "" {
		o.SHA256 = s.hashes[o.File]
	}
	return s.rows.Add(o)
}

// asked returns the flags of the question that were given. A specification in a file counts by its
// content.
func (s *solver) asked() (map[string]string, error) {
	asked := valuesOf(s.flags, question)
	if name, ok := asked["spec"]; ok && filepath.Ext(name) != "" {
		if _, err := os.Stat(name); err == nil {
			hash, err := rows.Hash(name)
			if err != nil {
				return nil, err
			}
			asked["spec"] = filepath.Base(name) + " (sha256 " + hash + ")"
		}
	}
	return asked, nil
}

// valuesOf returns those of the named flags that were given.
func valuesOf(f *pflag.FlagSet, names []string) map[string]string {
	values := map[string]string{}
	for _, name := range names {
		if f.Changed(name) {
			values[name] = f.Lookup(name).Value.String()
		}
	}
	return values
}

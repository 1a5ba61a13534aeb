package rows

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/internal/render"
)

// Merged is what several files of rows say together.
type Merged struct {
	Objects []*render.Object // one for each history, by the names of the files
	Missing []string         // what is not there, in words
}

// Merger puts files of rows together.
type Merger struct {
	rows  map[identity]Row
	found map[identity]string // the file that it comes from
	runs  []*Run
	first string // the first file with a header
}

// twoAnswers is what a contradiction between rows means.
const twoAnswers = "answers to one question about one history contradict each other: a bug in linsat, or files of " +
	"two releases"

// Add adds what a file of rows holds. All files must answer the same question.
func (m *Merger) Add(name string, all []Row, runs []*Run) error {
	if m.rows == nil {
		m.rows, m.found = map[identity]Row{}, map[identity]string{}
	}
	for _, run := range runs {
		switch {
		case len(m.runs) == 0:
			m.first = name
		case !maps.Equal(m.runs[0].Asked, run.Asked):
			return fmt.Errorf("%s answers another question (%s) than %s (%s)", name, Question(run.Asked), m.first,
				Question(m.runs[0].Asked))
		case (m.runs[0].Shard == "") != (run.Shard == "") || total(m.runs[0].Shard) != total(run.Shard):
			return fmt.Errorf("%s is %s, and %s is %s: histories were divided in another way", name,
				shardName(run.Shard), m.first, shardName(m.runs[0].Shard))
		}
		m.runs = append(m.runs, run)
	}
	for _, r := range all {
		id := identity{r.File, r.SHA256}
		old, ok := m.rows[id]
		switch {
		case ok && old.Verdict == render.Disagreement:
			continue
		case ok && old.Decided() && r.Decided() && old.Verdict != r.Verdict:
			r.Object = render.ErrorObject(r.File, render.Disagreement, fmt.Sprintf("%s says %s, and %s says %s",
				m.found[id], old.Verdict, name, r.Verdict), twoAnswers)
			r.SHA256 = id.hash
		case ok && old.Decided() && r.Verdict != render.Disagreement:
			continue
		}
		m.rows[id], m.found[id] = r, name // of what has no verdict, the last says how it is now
	}
	return nil
}

// Merge returns what all files say together.
func (m *Merger) Merge() Merged {
	var out Merged
	perShard := map[string]int{}
	byHash := map[string]*render.Object{}
	ids := slices.Collect(maps.Keys(m.rows))
	sort.Slice(ids, func(i, k int) bool {
		a, b := ids[i], ids[k]
		return a.file < b.file || a.file == b.file && a.hash < b.hash
	})
	for _, id := range ids {
		r := m.rows[id]
		if r.Run != nil {
			perShard[r.Run.Shard]++
		}
		o := r.Object
		if twin := byHash[id.hash]; twin != nil && id.hash != "" && r.Decided() && (Row{Object: twin}).Decided() &&
			twin.Verdict != o.Verdict {
			o = render.ErrorObject(id.file, render.Disagreement,
				fmt.Sprintf("it is %s, and %s, which has the same content, is %s", o.Verdict, twin.File, twin.Verdict),
				twoAnswers)
		} else if id.hash != "" {
			byHash[id.hash] = o
		}
		out.Objects = append(out.Objects, o)
	}
	out.Missing = m.missing(perShard)
	return out
}

// missing says which shards are not there, and which are not finished.
func (m *Merger) missing(answered map[string]int) []string {
	files := map[string]int{} // of the last run of each shard
	of := 0
	for _, run := range m.runs {
		files[run.Shard] = run.Files
		of = max(of, total(run.Shard))
	}
	var out []string
	for i := 1; i <= of; i++ {
		if shard := (Shard{i, of}).String(); !has(files, shard) {
			out = append(out, fmt.Sprintf("shard %s is not there", shard))
		}
	}
	for _, shard := range slices.Sorted(maps.Keys(files)) {
		if n, want := answered[shard], files[shard]; n < want {
			out = append(out, fmt.Sprintf("%s has answers about %d of %d histories", shardName(shard), n, want))
		}
	}
	return out
}

func has(m map[string]int, key string) bool { _, ok := m[key]; return ok }

// total is the number of shards in i/n, 0 if there is one alone.
func total(shard string) int {
	s, err := ParseShard(shard)
	if err != nil {
		return 0
	}
	return s.Of
}

func shardName(shard string) string {
	if shard == "" {
		return "the run over all histories"
	}
	return "shard " + shard
}

func orAll(shard string) string {
	if shard == "" {
		return "all"
	}
	return shard
}

// Question writes the flags of a question as on the command line.
func Question(asked map[string]string) string {
	if len(asked) == 0 {
		return "no flags"
	}
	var flags []string
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		flags = append(flags, "--"+name+" "+asked[name])
	}
	return strings.Join(flags, " ")
}

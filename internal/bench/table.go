package bench

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sort"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
)

// Summary sums up what one contender did. Times are those of the questions that it took, undecided
// ones included, each by the median of its runs.
type Summary struct {
	Name        string        `json:"engine"`
	Yes         int           `json:"linearizable"`
	No          int           `json:"not_linearizable"`
	Unsupported int           `json:"unsupported"`
	Timeouts    int           `json:"timeouts"`
	Undecided   int           `json:"undecided"` // for other reasons
	Certified   int           `json:"certified"` // verdicts
	Median      time.Duration `json:"median_ns"`
	P90         time.Duration `json:"p90_ns"`
	Max         time.Duration `json:"max_ns"`
	Total       time.Duration `json:"total_ns"`
	PeakBytes   int64         `json:"peak_bytes"` // the most that any run needed
	Steps       int64         `json:"steps"`      // over all questions, one run each
	Clauses     int64         `json:"clauses"`
	Vars        int64         `json:"variables"`
	Core        int           `json:"core"` // the median number of operations
	Cores       Cores         `json:"cores"`
}

// Cores sums up the reasons of violations, where they were asked for.
type Cores struct {
	Certified int           `json:"certified"` // violations
	Found     int           `json:"found"`
	Minimal   int           `json:"minimal"`
	Facts     int           `json:"facts"` // median
	MostFacts int           `json:"most_facts"`
	Median    time.Duration `json:"median_ns"` // to decide a violation and to explain it
	Max       time.Duration `json:"max_ns"`
}

// coresOf sums up the rows of violations.
func coresOf(rows []Row) (c Cores) {
	var facts []int64
	var times []time.Duration
	for i := range rows {
		row := &rows[i]
		if row.Verdict != engine.NotLinearizable.String() {
			continue
		}
		times = append(times, row.Median())
		if row.Certified {
			c.Certified++
		}
		if row.Facts > 0 {
			facts = append(facts, int64(row.Facts))
		}
		if row.Minimal {
			c.Minimal++
		}
	}
	slices.Sort(facts)
	slices.Sort(times)
	c.Found, c.Facts, c.MostFacts = len(facts), int(quantile(facts, 0.5)), int(quantile(facts, 1))
	c.Median, c.Max = quantile(times, 0.5), quantile(times, 1)
	return c
}

// Decided is the number of verdicts.
func (s *Summary) Decided() int { return s.Yes + s.No }

// Group sums up the questions of one kind: by specification, size, verdict or factor.
type Group struct {
	Name      string    `json:"group"`
	Questions int       `json:"questions"`
	Engines   []Summary `json:"engines"`
}

// Report is all that a bench prints.
type Report struct {
	Histories     int            `json:"histories"`
	Unread        int            `json:"unread,omitempty"` // histories that could not be read
	Questions     int            `json:"questions"`
	Engines       []Summary      `json:"engines"`
	Groups        []Group        `json:"groups,omitempty"`
	Compared      int            `json:"compared"`        // questions that two contenders decided
	Known         int            `json:"known,omitempty"` // decided, with a known verdict
	Disagreements []Disagreement `json:"disagreements"`
	Changes       *Changes       `json:"changes,omitempty"` // since other rows
	Machine       Machine        `json:"machine"`

	quasi bool // some question has a factor
	other bool // some question is another one of consistency
}

// Traits are what questions can be grouped by.
var Traits = []string{"spec", "size", "verdict", "quasi"}

// trait describes the rows about one question.
func trait(rows []Row, by string) string {
	switch first := &rows[0]; by {
	case "spec":
		return first.Spec
	case "size":
		for most := 10; ; most *= 10 {
			for _, step := range [...]int{most, 2 * most, 5 * most} {
				if first.Operations <= step {
					return fmt.Sprintf("up to %d operations", step)
				}
			}
		}
	case "verdict":
		for i := range rows {
			if rows[i].Decided() {
				return rows[i].Verdict
			}
		}
		return engine.Unknown.String()
	default:
		return cmp.Or(strings.TrimSpace(first.flags()), "plain")
	}
}

// NewReport sums up rows, contenders in the order of their first rows, and besides each group of
// questions that agree in the given Traits.
func NewReport(rows []Row, by ...string) Report {
	r := Report{Disagreements: []Disagreement{}, Engines: summaries(rows), Machine: thisMachine()}
	if len(rows) > 0 {
		r.Machine = rows[0].Machine
	}
	if d := Disagreements(rows); d != nil {
		r.Disagreements = d
	}
	files := map[string]bool{}
	groups := map[string][]Row{}
	count := map[string]int{}
	for _, group := range ByQuestion(rows) {
		files[group[0].File] = true
		r.quasi, r.other = r.quasi || group[0].Quasi != "", r.other || group[0].Consistency != ""
		r.Questions++
		decided := 0
		for i := range group {
			if group[i].Decided() {
				decided++
			}
		}
		if decided > 1 {
			r.Compared++
		}
		if decided > 0 && group[0].Known != "" {
			r.Known++
		}
		var name []string
		for _, t := range by {
			name = append(name, trait(group, t))
		}
		key := strings.Join(name, ", ")
		groups[key], count[key] = append(groups[key], group...), count[key]+1
	}
	r.Histories = len(files)
	if len(by) > 0 {
		for key, mine := range groups {
			r.Groups = append(r.Groups, Group{key, count[key], summaries(mine)})
		}
		sort.Slice(r.Groups, func(i, j int) bool { return padded(r.Groups[i].Name) < padded(r.Groups[j].Name) })
	}
	return r
}

var digits = regexp.MustCompile(`[0-9]+`)

// padded returns a text that is sorted by the numbers in it.
func padded(text string) string {
	return digits.ReplaceAllStringFunc(text, func(n string) string {
		return strings.Repeat("0", max(0, 12-len(n))) + n
	})
}

func summaries(rows []Row) []Summary {
	all := []Summary{}
	for _, mine := range ByContender(rows) {
		all = append(all, summarize(mine))
	}
	return all
}

func summarize(rows []Row) Summary {
	s := Summary{Name: rows[0].Name()}
	var times []time.Duration
	var cores []int64
	for i := range rows {
		row := &rows[i]
		if row.Unsupported() {
			s.Unsupported++
			continue
		}
		switch {
		case row.Verdict == engine.Linearizable.String():
			s.Yes++
		case row.Verdict == engine.NotLinearizable.String():
			s.No++
		case row.Cause == engine.Timeout.String():
			s.Timeouts++
		default:
			s.Undecided++
		}
		if row.Decided() && row.Certified {
			s.Certified++
		}
		if row.Core > 0 {
			cores = append(cores, int64(row.Core))
		}
		times = append(times, row.Median())
		s.Total += row.Median()
		s.PeakBytes = max(s.PeakBytes, row.PeakBytes)
		s.Steps += row.Effort.Steps
		s.Clauses += row.Effort.Clauses
		s.Vars += row.Effort.Vars
	}
	slices.Sort(times)
	slices.Sort(cores)
	s.Median, s.P90, s.Max = quantile(times, 0.5), quantile(times, 0.9), quantile(times, 1)
	s.Core, s.Cores = int(quantile(cores, 0.5)), coresOf(rows)
	return s
}

// column is one column of the table, left out where no contender has anything to show in it.
type column struct {
	name string
	show func(*Summary) string // "" for nothing
}

func number(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

var columns = []column{
	{"engine", func(s *Summary) string { return s.Name }},
	{"linearizable", func(s *Summary) string { return fmt.Sprint(s.Yes) }},
	{"violations", func(s *Summary) string { return fmt.Sprint(s.No) }},
	{"unsupported", func(s *Summary) string { return fmt.Sprint(s.Unsupported) }},
	{"timeouts", func(s *Summary) string { return fmt.Sprint(s.Timeouts) }},
	{"undecided", func(s *Summary) string { return fmt.Sprint(s.Undecided) }},
	{"certified", func(s *Summary) string { return number(int64(s.Certified)) }},
	{"median", func(s *Summary) string { return short(s.Median) }},
	{"p90", func(s *Summary) string { return short(s.P90) }},
	{"max", func(s *Summary) string { return short(s.Max) }},
	{"total", func(s *Summary) string { return short(s.Total) }},
	{"peak heap", func(s *Summary) string { return fmt.Sprintf("%.1f MB", float64(s.PeakBytes)/1e6) }},
	{"steps", func(s *Summary) string { return number(s.Steps) }},
	{"variables", func(s *Summary) string { return number(s.Vars) }},
	{"clauses", func(s *Summary) string { return number(s.Clauses) }},
	{"core", func(s *Summary) string { return number(int64(s.Core)) }},
}

// Text prints the report as tables and reports whether the verdicts agree.
func (r Report) Text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	shown := slices.DeleteFunc(slices.Clone(columns), func(c column) bool {
		return len(r.Engines) > 0 && !slices.ContainsFunc(r.Engines, func(s Summary) bool { return c.show(&s) != "" })
	})
	for _, c := range shown {
		switch {
		case c.name == "linearizable" && r.other:
			c.name = "yes"
		case c.name == "violations" && r.other:
			c.name = "no"
		case c.name == "linearizable" && r.quasi:
			c.name = "(quasi-)linearizable"
		}
		fmt.Fprint(t, c.name, "\t")
	}
	fmt.Fprintln(t)
	for i := range r.Engines {
		for _, c := range shown {
			fmt.Fprint(t, cmp.Or(c.show(&r.Engines[i]), "–"), "\t")
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := r.groups(w); err != nil {
		return err
	}
	if r.Changes != nil {
		if err := r.Changes.Text(w); err != nil {
			return err
		}
	}
	for _, d := range r.Disagreements {
		if _, err := fmt.Fprintf(w, "DISAGREEMENT %s\n", escape.Text(fmt.Sprint(d))); err != nil {
			return err
		}
	}
	verdicts := "all verdicts agree"
	if n := len(r.Disagreements); n > 0 {
		verdicts = fmt.Sprintf("%d contradict each other", n)
	}
	asked := ""
	if r.Questions != r.Histories {
		asked = fmt.Sprintf("%d questions about ", r.Questions)
	}
	known := ""
	if r.Known > 0 {
		known = fmt.Sprintf(", %d compared with what is known", r.Known)
	}
	if r.Unread > 0 {
		known += fmt.Sprintf(", %d could not be read", r.Unread)
	}
	if r.uncertified() {
		if _, err := fmt.Fprintln(w, "no violation is certified without its core: --core one asks for them"); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%s%d histories, %d decided by more than one%s: %s; %s/%s, %d CPUs, %s, commit %s\n",
		asked, r.Histories, r.Compared, known, verdicts,
		r.Machine.OS, r.Machine.Arch, r.Machine.CPUs, r.Machine.Go, cmp.Or(r.Machine.Commit, "unknown"))
	return err
}

// uncertified reports whether there are violations, and no core of any.
func (r Report) uncertified() bool {
	violations := 0
	for _, s := range r.Engines {
		if s.Cores.Certified+s.Cores.Found > 0 {
			return false
		}
		violations += s.No
	}
	return violations > 0
}

// groups prints a line for each group: how many questions each contender decided and the median of
// its times, and which was fastest.
func (r Report) groups(w io.Writer) error {
	if len(r.Groups) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "group\tquestions\t")
	for _, s := range r.Engines {
		fmt.Fprint(t, s.Name, "\t")
	}
	fmt.Fprintln(t, "best")
	for _, g := range r.Groups {
		fmt.Fprintf(t, "%s\t%d\t", escape.Text(g.Name), g.Questions)
		for _, s := range r.Engines {
			k := slices.IndexFunc(g.Engines, func(x Summary) bool { return x.Name == s.Name })
			if k < 0 || g.Engines[k].Unsupported == g.Questions {
				fmt.Fprint(t, "–\t")
				continue
			}
			fmt.Fprintf(t, "%d in %s\t", g.Engines[k].Decided(), short(g.Engines[k].Median))
		}
		fmt.Fprintln(t, g.best())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := r.cores(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// cores prints a line for each group with violations that a contender gave reasons for.
func (r Report) cores(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := "\nviolations of\tby\tcertified\tcores\tminimal\tfacts\tat most\tmedian\tmax\n"
	for _, g := range r.Groups {
		for _, s := range g.Engines {
			if s.Cores.Found == 0 {
				continue
			}
			c := s.Cores
			fmt.Fprintf(t, "%s%s\t%s\t%d of %d\t%d\t%d\t%d\t%d\t%s\t%s\n", head, escape.Text(g.Name), s.Name,
				c.Certified, s.No, c.Found, c.Minimal, c.Facts, c.MostFacts, short(c.Median), short(c.Max))
			head = ""
		}
	}
	return t.Flush()
}

// best names the contender that decided most, of several the one with the least median, and how
// many more it decided than the next, or by how much its median is below; "" for a single
// contender, or if none decided anything.
func (g *Group) best() string {
	ranked := slices.DeleteFunc(slices.Clone(g.Engines), func(s Summary) bool { return s.Unsupported == g.Questions })
	compare := func(a, b Summary) int {
		return cmp.Or(cmp.Compare(b.Decided(), a.Decided()), cmp.Compare(a.Median, b.Median))
	}
	sort.SliceStable(ranked, func(i, j int) bool { return compare(ranked[i], ranked[j]) < 0 })
	if len(ranked) < 2 || ranked[0].Decided() == 0 {
		return ""
	}
	if more := ranked[0].Decided() - ranked[1].Decided(); more > 0 {
		return fmt.Sprintf("%s, %d more than %s", ranked[0].Name, more, ranked[1].Name)
	}
	return fmt.Sprintf("%s, %.1f× %s", ranked[0].Name, float64(ranked[1].Median)/float64(max(ranked[0].Median, 1)),
		ranked[1].Name)
}

// JSON prints the report as one object.
func (r Report) JSON(w io.Writer) error { return json.NewEncoder(w).Encode(r) }

// short rounds to three figures.
func short(d time.Duration) string {
	unit := time.Nanosecond
	for d >= 1000*unit {
		unit *= 10
	}
	return d.Round(unit).String()
}

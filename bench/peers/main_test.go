//go:build unix

package main

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
)

// TestOneRun lets both decide two small works.
func TestOneRun(t *testing.T) {
	var out strings.Builder
	o := options{runs: 2, timeout: time.Minute, dir: t.TempDir()}
	if err := o.start(&out, "^burst 8, stack"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`\| burst 8, stack, yes \| 16 \| linearizable \| `,
		`\| burst 8, stack, no \| 16 \| not linearizable \| `} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}

// TestWrongVerdictsAreFound asks about a history that is claimed to be something else.
func TestWrongVerdictsAreFound(t *testing.T) {
	lie := work{name: "lie", load: func() ([]question, error) {
		q, err := family("burst", gen.FamilyOptions{Size: 3})()
		q[0].want = engine.NotLinearizable
		return q, err
	}}
	var out strings.Builder
	wrong, err := options{runs: 1, timeout: time.Minute}.line(&out, lie)
	if err != nil || wrong != "WRONG: linsat says linearizable of burst, which is not linearizable" {
		t.Errorf("%q, %v", wrong, err)
	}
	qs := []question{{"a", nil, engine.Unknown}}
	yes, no := []engine.Verdict{engine.Linearizable}, []engine.Verdict{engine.NotLinearizable}
	if agree(qs, "x", yes, no) == "" || agree(qs, "x", yes, yes) != "" ||
		agree(qs, "x", yes, []engine.Verdict{engine.Unknown}) != "" {
		t.Error("verdicts are not compared with each other")
	}
}

func TestBars(t *testing.T) {
	ms := func(wall, cpu time.Duration) *taken {
		return &taken{wall: []time.Duration{wall * time.Millisecond}, cpu: []time.Duration{cpu * time.Millisecond}}
	}
	late := ms(10, 10)
	late.gaveUp = 1
	ratio, within := work{ratio: 20}, work{within: 100 * time.Millisecond}
	for _, c := range []struct {
		k    work
		t    *taken
		f    factors
		want string
	}{
		{ratio, ms(1, 1), factors{wall: 30, cpu: 21}, "kept"},
		{ratio, ms(1, 1), factors{wall: 30, cpu: 10}, "missed, by a factor of 2"},
		{ratio, ms(1, 1), factors{wall: 30, cpu: 10, atLeast: true}, "not shown: Porcupine gave up too early"},
		{ratio, late, factors{}, "missed: no answer"},
		{within, ms(99, 99), factors{}, "kept"},
		{within, ms(300, 50), factors{}, "kept in user time only"},
		{within, ms(300, 200), factors{}, "missed, by a factor of 3"},
		{within, late, factors{}, "missed: no answer"},
		{work{}, late, factors{}, ""},
	} {
		if _, met := c.k.judge(c.t, c.f); met != c.want {
			t.Errorf("%q, want %q", met, c.want)
		}
	}
}

func TestFastlinFormat(t *testing.T) {
	q, err := family("burst", gen.FamilyOptions{Size: 2, Seed: 1})()
	if err != nil {
		t.Fatal(err)
	}
	text, err := fastlinText(q[0].h)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if err != nil || lines[0] != "# queue" || len(lines) != 5 || !strings.HasPrefix(lines[1], "enq 1 ") ||
		!strings.HasPrefix(lines[4], "deq ") {
		t.Errorf("%v\n%s", err, text)
	}
	q, err = family("pending-heavy", gen.FamilyOptions{Size: 2})()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fastlinText(q[0].h); err == nil {
		t.Error("what never returned cannot be said to fastlin")
	}
}

// TestResidentSizeIsTheChilds: not that of this process, which is larger.
func TestResidentSizeIsTheChilds(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("no /proc here")
	}
	ballast := make([]byte, 256<<20)
	for i := 0; i < len(ballast); i += 4096 {
		ballast[i] = 1
	}
	p, err := execute(time.Minute, "sleep", "0.3")
	if err != nil || p.resident <= 0 || p.resident > 64<<20 {
		t.Errorf("%d bytes, %v", p.resident, err)
	}
	runtime.KeepAlive(ballast)
}

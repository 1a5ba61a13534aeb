//go:build !wasip1 && !js

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/shimrun"
	"github.com/linsat/linsat/internal/words"
	"github.com/vbauerster/mpb/v8/cwriter"
)

// watch shows on a terminal what becomes of a file that takes long: a bar while it is read or its
// partitions are judged, and otherwise how long it has taken. Elsewhere it says so in a line once a
// minute.
type watch struct {
	engine.Progress
	read    atomic.Int64 // bytes
	reading bool         // it is read, not checked
	quit    chan struct{}
	gone    chan struct{}
}

// watch starts to watch how a file is read, or else checked; nil under --quiet.
func (s *solver) watch(file string, reading bool) *watch {
	if s.screen.Quiet {
		return nil
	}
	name := escape.Text(filepath.Base(file))
	if s.several > 1 {
		name = fmt.Sprintf("[%d/%d] %s", s.number, s.several, name)
	}
	p := &watch{reading: reading, quit: make(chan struct{}), gone: make(chan struct{})}
	if f := terminalOf(s.notes); f != nil {
		go p.show(f, file, name, max(showNextAfter, showAfter-time.Since(s.start)))
		return p
	}
	if s.told.Before(s.start) {
		s.told = s.start
	}
	go p.tell(s, file, name, tellEvery)
	return p
}

// tell says in a line of its own, so often in all files together, how far the phases are.
func (p *watch) tell(s *solver, file, name string, every time.Duration) {
	defer close(p.gone)
	began := time.Now()
	timer := time.NewTimer(time.Until(s.told.Add(every)))
	defer timer.Stop()
	for {
		select {
		case <-p.quit:
			return
		case <-timer.C:
		}
		fmt.Fprintf(s.notes, "linsat: %s: %s\n", name, p.phase(sizeOf(file)).line(p.done(), p.Steps(),
			time.Since(began)))
		s.told = time.Now()
		timer.Reset(every)
	}
}

// sizeOf is how many bytes a regular file has, 0 for others.
func sizeOf(file string) int64 {
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		return info.Size()
	}
	return 0
}

// terminalOf returns the terminal that is written to, nil if it is none that can draw over itself.
func terminalOf(w io.Writer) *os.File {
	f, ok := w.(*os.File)
	if !ok || !cli.IsTerminal(f) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return f
}

// bytes is told how much was read.
func (p *watch) bytes(n int64) { p.read.Store(n) }

// stop clears the screen of the progress.
func (p *watch) stop() {
	if p != nil {
		close(p.quit)
		<-p.gone
	}
}

// phase is what is shown at a time; another phase has a bar of its own.
type phase struct {
	what  string
	total int64 // 0 if it is not known
	bytes bool
}

func (p *watch) phase(size int64) phase {
	switch {
	case p.reading && size > 0 && p.read.Load() >= size:
		return phase{what: "read; ordering the operations"}
	case p.reading:
		return phase{"reading", size, true}
	}
	if p.Phase() == engine.Explaining {
		return phase{what: "a violation; looking for the reasons"}
	}
	if _, all := p.Partitions(); all > 1 {
		return phase{what: "judging partitions", total: all}
	}
	return phase{what: "judging"}
}

func (p *watch) done() int64 {
	if p.reading {
		return p.read.Load()
	}
	done, _ := p.Partitions()
	return done
}

// show shows how far the phases are.
func (p *watch) show(out *os.File, file, name string, after time.Duration) {
	defer close(p.gone)
	since := time.Now()
	size := sizeOf(file)
	var shown phase
	d := &drawing{screen: cwriter.New(out)}
	d.draw(p.quit, after, func() string {
		now := p.phase(size)
		if shown.what != "" && now != shown {
			since = time.Now().Add(-showEvery) // it may have begun before the last look
		}
		shown = now
		return name + ": " + now.line(p.done(), p.Steps(), time.Since(since))
	})
}

// drawing is a line of a terminal that is drawn again and again.
type drawing struct {
	mu     sync.Mutex
	screen *cwriter.Writer
}

// draw draws the line over itself, after some time and until quit, and then clears it. It draws
// nothing while the line is empty.
func (d *drawing) draw(quit <-chan struct{}, after time.Duration, line func() string) {
	select {
	case <-quit:
		return
	case <-time.After(after):
	}
	tick := time.NewTicker(showEvery)
	defer tick.Stop()
	for {
		if !d.once(line()) {
			return
		}
		select {
		case <-quit:
			d.mu.Lock()
			defer d.mu.Unlock()
			_ = d.screen.Flush(0) // clears the line
			return
		case <-tick.C:
		}
	}
}

// once draws a text, and reports whether that can be done.
func (d *drawing) once(text string) bool {
	if text == "" {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	width, _, err := d.screen.GetTermSize()
	switch {
	case err != nil || width <= 0: // a terminal that does not say
		width = usualWidth
	case width < cli.LeastWidth:
		width = cli.LeastWidth
	}
	fmt.Fprintln(d.screen, cli.Cut(text, width-1))
	return d.screen.Flush(1) == nil
}

// above is output that appears above the line of a drawing. Each write should end a line.
type above struct {
	d *drawing
	io.Writer
}

func (a above) Write(text []byte) (int, error) {
	a.d.mu.Lock()
	defer a.d.mu.Unlock()
	_ = a.d.screen.Flush(0)
	return a.Writer.Write(text)
}

// line says how far a phase is: a bar, rate and estimate if it is known how much there is to do.
func (now phase) line(done, steps int64, took time.Duration) string {
	elapsed := words.Duration(took.Round(100 * time.Millisecond))
	rate := float64(done) / took.Seconds()
	switch {
	case now.total > 0 && now.bytes:
		return fmt.Sprintf("%s %s %s of %s, %s/s%s", now.what, now.bar(done), megabytes(done), megabytes(now.total),
			megabytes(int64(rate)), now.left(done, rate))
	case now.total > 0:
		return fmt.Sprintf("%s %s %d of %d, %.0f/s%s", now.what, now.bar(done), done, now.total, rate,
			now.left(done, rate))
	case now.bytes:
		return fmt.Sprintf("%s, %s, %s", now.what, elapsed, megabytes(done))
	case steps > 0:
		return fmt.Sprintf("%s, %s, %d steps, %.0f/s", now.what, elapsed, steps, float64(steps)/took.Seconds())
	}
	return now.what + ", " + elapsed
}

// bar draws which part is done.
func (now phase) bar(done int64) string {
	full := int(barWidth * min(done, now.total) / now.total)
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", barWidth-full) + "]"
}

// left estimates the time that is left, if anything was done.
func (now phase) left(done int64, rate float64) string {
	if done == 0 || done >= now.total {
		return ""
	}
	return fmt.Sprintf(", %v left",
		max(time.Second, time.Duration(float64(now.total-done)/rate*float64(time.Second)).Round(time.Second)))
}

// watchTests shows what linsat test does now, as the file says, until stop is called. What is
// written meanwhile goes through over.
func watchTests(notes io.Writer, file string) (over func(io.Writer) io.Writer, stop func()) {
	f := terminalOf(notes)
	if f == nil {
		return func(w io.Writer) io.Writer { return w }, func() {}
	}
	quit, gone := make(chan struct{}), make(chan struct{})
	began := time.Now()
	d := &drawing{screen: cwriter.New(f)}
	go func() {
		defer close(gone)
		d.draw(quit, showAfter, func() string {
			var now shimrun.Now
			text, err := os.ReadFile(file)
			if err != nil {
				return "building and exploring, " + words.Duration(time.Since(began).Round(100*time.Millisecond))
			}
			if json.Unmarshal(text, &now) != nil {
				return "" // it is being written
			}
			line := fmt.Sprintf("%s: %s, %d schedules, %.0f/s", escape.Text(now.Test), now.Strategy, now.Executions,
				float64(now.Executions)/now.Seconds)
			if now.Share > 0 {
				line += fmt.Sprintf(", about %.2g %% of those known so far", 100*now.Share)
			}
			if now.Limit > 0 {
				line += fmt.Sprintf(", %.0f of at most %.0f s", now.Seconds, now.Limit)
			}
			return line
		})
	}()
	return func(w io.Writer) io.Writer { return above{d, w} }, sync.OnceFunc(func() {
		close(quit)
		<-gone
	})
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

//go:build !wasip1 && !js

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/words"
	"github.com/vbauerster/mpb/v8/cwriter"
)

// watch shows on a terminal what becomes of a file that takes long: a bar while it is read or its
// partitions are judged, and otherwise how long it has taken. It shows nothing elsewhere.
type watch struct {
	engine.Progress
	read    atomic.Int64 // bytes
	reading bool         // it is read, not checked
	quit    chan struct{}
	gone    chan struct{}
}

// watch starts to watch how a file is read, or else checked; nil if remarks do not go to a
// terminal.
func (s *solver) watch(file string, reading bool) *watch {
	f, ok := s.notes.(*os.File)
	if !ok || !isTerminal(f) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	name := escape.Text(filepath.Base(file))
	if s.several > 1 {
		name = fmt.Sprintf("[%d/%d] %s", s.number, s.several, name)
	}
	p := &watch{reading: reading, quit: make(chan struct{}), gone: make(chan struct{})}
	go p.show(f, file, name, max(showNextAfter, showAfter-time.Since(s.start)))
	return p
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
		return phase{what: "not linearizable; looking for the reasons"}
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

// show draws one line again and again, over itself.
func (p *watch) show(out *os.File, file, name string, after time.Duration) {
	defer close(p.gone)
	since := time.Now()
	var size int64
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	select {
	case <-p.quit:
		return
	case <-time.After(after):
	}
	screen := cwriter.New(out)
	shown := p.phase(size)
	tick := time.NewTicker(showEvery)
	defer tick.Stop()
	for {
		now := p.phase(size)
		if now != shown {
			since, shown = time.Now().Add(-showEvery), now // it may have begun before the last look
		}
		line := name + ": " + now.line(p.done(), p.Steps(), time.Since(since))
		width, _, err := screen.GetTermSize()
		if err != nil || width < leastWidth {
			width = leastWidth
		}
		fmt.Fprintln(screen, cut(line, width-1))
		if screen.Flush(1) != nil {
			return
		}
		select {
		case <-p.quit:
			_ = screen.Flush(0) // clears the line
			return
		case <-tick.C:
		}
	}
}

// line says how far a phase is: a bar, rate and estimate if it is known how much there is to do.
func (now phase) line(done, steps int64, took time.Duration) string {
	elapsed := words.Duration(took.Round(100 * time.Millisecond))
	rate := float64(done) / took.Seconds()
	switch {
	case now.total > 0 && now.bytes:
		return fmt.Sprintf("%s %s %s of %s, %s/s%s", now.what, now.bar(done), megabytes(done), megabytes(now.total), megabytes(int64(rate)), now.left(done, rate))
	case now.total > 0:
		return fmt.Sprintf("%s %s %d of %d, %.0f/s%s", now.what, now.bar(done), done, now.total, rate, now.left(done, rate))
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
	return fmt.Sprintf(", %v left", max(time.Second, time.Duration(float64(now.total-done)/rate*float64(time.Second)).Round(time.Second)))
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

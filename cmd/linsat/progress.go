//go:build !wasip1 && !js

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/words"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
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

func (p *watch) show(out *os.File, file, name string, after time.Duration) {
	defer close(p.gone)
	began := time.Now()
	var size int64
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	select {
	case <-p.quit:
		return
	case <-time.After(after):
	}
	screen := mpb.New(mpb.WithOutput(out), mpb.WithAutoRefresh(), mpb.WithRefreshRate(showEvery))
	var bar *mpb.Bar
	var shown phase
	tick := time.NewTicker(showEvery)
	defer tick.Stop()
	for {
		if now := p.phase(size); bar == nil || now != shown {
			since := time.Now()
			if bar == nil {
				since = began
			} else {
				bar.Abort(true)
			}
			bar, shown = p.bar(screen, name, now, since), now
		}
		bar.SetCurrent(p.done())
		select {
		case <-p.quit:
			bar.Abort(true)
			screen.Wait()
			return
		case <-tick.C:
		}
	}
}

// bar adds the bar of a phase that began at a time.
func (p *watch) bar(screen *mpb.Progress, name string, now phase, since time.Time) *mpb.Bar {
	title := decor.Name(name + ": " + now.what)
	elapsed := decor.Any(func(decor.Statistics) string { return words.Duration(time.Since(since).Round(100 * time.Millisecond)) })
	if now.total == 0 {
		about := decor.Any(func(decor.Statistics) string {
			switch {
			case now.bytes:
				return fmt.Sprintf(", % .1f", decor.SizeB1000(p.read.Load()))
			case p.Steps() > 0:
				return fmt.Sprintf(", %d steps, %.0f/s", p.Steps(), float64(p.Steps())/time.Since(since).Seconds())
			}
			return ""
		})
		// one more than is reached, so that it does not count as complete
		return screen.New(0, mpb.NopStyle(), mpb.PrependDecorators(title, decor.Name(", "), elapsed, about))
	}
	counters, speed := decor.Any(func(s decor.Statistics) string { return fmt.Sprintf(" %d of %d", s.Current, now.total) }), decor.NewAverageSpeed(0, " %.0f/s", since)
	if now.bytes {
		counters = decor.Any(func(s decor.Statistics) string {
			return fmt.Sprintf(" % .1f of % .1f", decor.SizeB1000(s.Current), decor.SizeB1000(now.total))
		})
		speed = decor.NewAverageSpeed(decor.SizeB1000(0), " % .1f", since)
	}
	// one more than there is: a bar that is complete ends by itself
	return screen.New(now.total+1, mpb.BarStyle(), mpb.PrependDecorators(title, decor.Name(" ")), mpb.BarWidth(barWidth),
		mpb.AppendDecorators(counters, decor.Name(","), speed, decor.Name(", "), decor.NewAverageETA(decor.ET_STYLE_GO, since, nil), decor.Name(" left")))
}

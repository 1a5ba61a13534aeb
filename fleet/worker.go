package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/linsat/linsat/internal/render"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Worker takes histories from the queue and has them checked, each by a process of its own: what a
// history does to that process does not reach the worker.
type Worker struct {
	Program  string        // linsat
	Slots    int           // how many histories at a time, at least 1
	AckWait  time.Duration // after which a history of a silent worker is given to another one
	Attempts int           // how often a history is tried until it is set aside
	Drain    bool          // end when the queue is empty

	Log func(format string, args ...any) // nil: nowhere
}

// Work takes histories until ctx is done, or, under Drain, until none is left. What it is at then
// goes back to the queue at once.
func (w *Worker) Work(ctx context.Context, js jetstream.JetStream) error {
	switch {
	case js == nil:
		return errNoQueue
	case w == nil || w.Program == "" || w.Slots < 1:
		return errors.New("a worker needs a program, and a slot for a history")
	}
	consumer, store, err := w.open(ctx, js)
	if err != nil {
		return err
	}
	var slots sync.WaitGroup
	errs := make(chan error, w.Slots)
	for range w.Slots {
		slots.Add(1)
		go func() {
			defer slots.Done()
			errs <- w.slot(ctx, js, consumer, store)
		}()
	}
	slots.Wait()
	close(errs)
	var all error
	for err := range errs {
		all = errors.Join(all, err)
	}
	return all
}

func (w *Worker) log(format string, args ...any) {
	if w.Log != nil {
		w.Log(format, args...)
	}
}

// open finds the queue and the contents.
func (w *Worker) open(ctx context.Context, js jetstream.JetStream) (consumer jetstream.Consumer,
	store jetstream.ObjectStore, err error) {
	err = asked(ctx, requestWait, func(ctx context.Context) (err error) {
		consumer, err = js.CreateOrUpdateConsumer(ctx, workStream, jetstream.ConsumerConfig{Durable: "workers",
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: w.AckWait, MaxDeliver: -1, MaxAckPending: -1})
		if err == nil {
			store, err = js.ObjectStore(ctx, histories)
		}
		return err
	})
	return consumer, store, err
}

func (w *Worker) slot(ctx context.Context, js jetstream.JetStream, consumer jetstream.Consumer,
	store jetstream.ObjectStore) error {
	for empty := 0; ctx.Err() == nil; {
		batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(fetchWait))
		if errors.Is(err, nats.ErrConnectionClosed) {
			return err
		}
		if err != nil {
			w.log("%v", err)
			paused(ctx)
			continue
		}
		got := false
		for m := range batch.Messages() {
			got = true
			if err := w.handle(ctx, js, store, m); err != nil {
				// the history is still in the queue, and is given to a worker again
				w.log("%v", err)
			}
		}
		if err := batch.Error(); err != nil && ctx.Err() == nil && !errors.Is(err, nats.ErrTimeout) {
			w.log("%v", err)
		}
		if empty++; got {
			empty = 0
		}
		if got || ctx.Err() != nil || !w.Drain && empty < mostEmpty {
			continue
		}
		info, err := consumer.Info(ctx)
		switch {
		case err != nil:
		case w.Drain && info.NumPending == 0 && info.NumAckPending == 0:
			return nil
		case info.NumPending > 0 && empty >= mostEmpty: // a new leader may not know the slot
			empty = 0
			if again, _, err := w.open(ctx, js); err == nil {
				consumer = again
			}
		}
	}
	return nil
}

// handle answers one message.
func (w *Worker) handle(ctx context.Context, js jetstream.JetStream, store jetstream.ObjectStore,
	m jetstream.Msg) error {
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	var j job
	if err := json.Unmarshal(m.Data(), &j); err != nil || m.Subject() != workSubject+j.id() {
		return errors.Join(err, fmt.Errorf("message %d of the queue is no history", meta.Sequence.Stream),
			m.TermWithReason("no history"))
	}
	id := j.id()
	answer, err := stored(ctx, js, resultStream, resultSubject+id)
	if err != nil {
		return err
	}
	if answer != nil { // its worker died between answer and acknowledgement
		return m.DoubleAck(ctx)
	}
	if err := j.check(); err != nil {
		return w.setAside(ctx, js, m, j, err.Error(), meta.NumDelivered)
	}
	if meta.NumDelivered > uint64(w.Attempts) {
		return w.setAside(ctx, js, m, j, "its worker ended without an answer", meta.NumDelivered-1)
	}
	stop := w.keepAlive(m)
	o, err := w.check(ctx, store, j)
	if err == nil {
		if err = keep(ctx, js, resultSubject+id, o); err != nil {
			err = fmt.Errorf("its answer could not be stored: %w", err)
		}
	}
	stop()
	switch {
	case ctx.Err() != nil:
		return m.Nak()
	case err != nil && meta.NumDelivered >= uint64(w.Attempts):
		return w.setAside(ctx, js, m, j, err.Error(), meta.NumDelivered)
	case err != nil:
		w.log("%s: attempt %d: %v", j.File, meta.NumDelivered, err)
		return m.NakWithDelay(retryAfter)
	}
	return m.DoubleAck(ctx)
}

// keepAlive tells the queue that the history is being checked, until the function is called.
func (w *Worker) keepAlive(m jetstream.Msg) (stop func()) {
	quit := make(chan struct{})
	var gone sync.WaitGroup
	gone.Add(1)
	go func() {
		defer gone.Done()
		tick := time.NewTicker(w.AckWait / signsOfLife)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				if err := m.InProgress(); err != nil {
					w.log("%v", err)
				}
			}
		}
	}()
	return func() {
		close(quit)
		gone.Wait()
	}
}

// setAside takes a history out of the queue that cannot be answered.
func (w *Worker) setAside(ctx context.Context, js jetstream.JetStream, m jetstream.Msg, j job, cause string,
	attempts uint64) error {
	w.log("%s is set aside: %s", j.File, cause)
	if err := keep(ctx, js, poisonSubject+j.id(), Poison{j.File, j.SHA256, j.Args, cause, attempts}); err != nil {
		return err
	}
	return m.DoubleAck(ctx)
}

// check has a history checked by a process, in an empty folder. An error says that the process gave
// no answer.
func (w *Worker) check(ctx context.Context, store jetstream.ObjectStore, j job) (*render.Object, error) {
	dir, err := os.MkdirTemp("", "linsat-work-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	content := func(sha256, name string) (file string, err error) {
		var data []byte
		err = asked(ctx, contentWait, func(ctx context.Context) (err error) {
			data, err = store.GetBytes(ctx, sha256)
			return err
		})
		if err != nil {
			return "", fmt.Errorf("its content is not there: %w", err)
		}
		file = filepath.Join(dir, name)
		return file, os.WriteFile(file, data, 0o600)
	}
	file, err := content(j.SHA256, "history")
	if err != nil {
		return nil, err
	}
	args := append([]string{"solve", "--format", "json", file}, j.Args...)
	if j.Spec != nil {
		spec, err := content(j.Spec.SHA256, "specification"+j.Spec.Kind)
		if err != nil {
			return nil, err
		}
		args = append(args, "--spec="+spec, "--isolate")
	}
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		return nil, err
	}
	program, err := filepath.Abs(w.Program)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, program, args...)
	c.Dir = empty
	c.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, TokenVariable+"=") })
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	diesWithUs(c)
	err = c.Run()
	o := &render.Object{}
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	if json.Unmarshal(lines[0], o) != nil || len(lines) != 1 || o.Version != render.Version || o.Verdict == "" {
		text := strings.TrimSpace(said.String())
		if len(text) > mostSaid {
			text = text[len(text)-mostSaid:]
		}
		return nil, fmt.Errorf("linsat gave no answer (%v): %s", c.ProcessState, text)
	}
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return nil, err
	}
	if o.Verdict == render.Disagreement { // what it saved is gone with the folder
		o.Hint = "this is a bug in linsat; please report it with the history"
	}
	o.File, o.SHA256, o.Cause = j.File, j.SHA256, strings.ReplaceAll(o.Cause, file, j.File)
	return o, nil
}

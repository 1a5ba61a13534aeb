package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/rows"
	"github.com/nats-io/nats.go/jetstream"
)

// Ticket is a history whose answer is awaited.
type Ticket struct {
	File, SHA256 string
	ID           string // of its content and the question: files of the same content share it
	Queued       bool   // by this call; otherwise it was queued, answered or set aside before
}

// Submit queues the files with a question, flags of linsat solve that name no file but a
// specification, and returns when they are stored. What is queued or has an answer already is not
// queued again. Under retry, what was set aside is.
func Submit(ctx context.Context, js jetstream.JetStream, files, args []string, retry bool) ([]Ticket, error) {
	if js == nil {
		return nil, errNoQueue
	}
	asks, specification, err := asksOf(args)
	if err != nil {
		return nil, err
	}
	var store jetstream.ObjectStore
	var poison jetstream.Stream
	err = asked(ctx, requestWait, func(ctx context.Context) (err error) {
		if store, err = js.ObjectStore(ctx, histories); err == nil {
			poison, err = js.Stream(ctx, poisonStream)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if asks.Spec != nil {
		err := asked(ctx, contentWait, func(ctx context.Context) error {
			return put(ctx, store, asks.Spec.SHA256, specification)
		})
		if err != nil {
			return nil, err
		}
	}
	var tickets []Ticket
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return tickets, err
		}
		j := job{File: file, SHA256: rows.HashName(string(content)), question: asks}
		t := Ticket{File: file, SHA256: j.SHA256, ID: j.id()}
		if retry {
			err := asked(ctx, requestWait, func(ctx context.Context) error {
				return poison.Purge(ctx, jetstream.WithPurgeSubject(poisonSubject+t.ID))
			})
			if err != nil {
				return tickets, err
			}
		}
		known, _, err := outcome(ctx, js, t.ID)
		if err != nil {
			return tickets, err
		}
		if known == nil {
			err := asked(ctx, contentWait, func(ctx context.Context) error {
				return put(ctx, store, j.SHA256, content)
			})
			if err != nil {
				return tickets, fmt.Errorf("%s: %w", file, err)
			}
			err = keep(ctx, js, workSubject+t.ID, j)
			if err != nil && !alreadyQueued(err) {
				return tickets, fmt.Errorf("%s: %w", file, err)
			}
			t.Queued = err == nil
		}
		tickets = append(tickets, t)
	}
	return tickets, nil
}

// alreadyQueued reports whether the queue refused a message because it has one of that subject.
func alreadyQueued(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject")
}

// Collect calls each with the answer to every ticket, once, as they come. What was set aside is an
// answer with the verdict "error".
func Collect(ctx context.Context, js jetstream.JetStream, tickets []Ticket, each func(*render.Object) error) error {
	if js == nil {
		return errNoQueue
	}
	if each == nil {
		return errors.New("there is nothing to call with the answers")
	}
	open := map[string][]Ticket{}
	for _, t := range tickets {
		open[t.ID] = append(open[t.ID], t)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	found := make(chan jetstream.Msg)
	for _, stream := range []string{resultStream, poisonStream} {
		var c jetstream.Consumer
		err := asked(ctx, requestWait, func(ctx context.Context) (err error) {
			c, err = js.OrderedConsumer(ctx, stream, jetstream.OrderedConsumerConfig{})
			return err
		})
		if err != nil {
			return err
		}
		following, err := c.Consume(func(m jetstream.Msg) {
			select {
			case found <- m:
			case <-ctx.Done():
			}
		})
		if err != nil {
			return err
		}
		defer following.Stop()
	}
	tell := func(id string, data []byte, poisoned bool) error {
		if len(open[id]) == 0 {
			return nil
		}
		data, err := whole(ctx, js, data)
		if err != nil {
			return err
		}
		for _, t := range open[id] {
			o, err := answer(data, poisoned, t)
			if err != nil {
				return err
			}
			if err := each(o); err != nil {
				return err
			}
		}
		delete(open, id)
		return nil
	}
	for len(open) > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case m := <-found:
			id, poisoned := strings.CutPrefix(m.Subject(), poisonSubject)
			if err := tell(strings.TrimPrefix(id, resultSubject), m.Data(), poisoned); err != nil {
				return err
			}
		case <-time.After(quietWait):
			// what a change of the leader kept from the consumers is in the streams
			for id := range open {
				data, poisoned, err := outcome(ctx, js, id)
				if err != nil || data == nil {
					continue // asked again at the next quiet time
				}
				if err := tell(id, data, poisoned); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// answer reads an answer, or why there is none, as one about the file of a ticket.
func answer(data []byte, poisoned bool, t Ticket) (*render.Object, error) {
	if poisoned {
		var p Poison
		if err := json.Unmarshal(data, &p); err != nil {
			return nil, err
		}
		o := render.ErrorObject(t.File, render.Failed, fmt.Sprintf("set aside after %d attempts: %s", p.Attempts,
			p.Cause), "submit it again with --retry")
		o.SHA256 = t.SHA256
		return o, nil
	}
	o := &render.Object{}
	if err := json.Unmarshal(data, o); err != nil {
		return nil, err
	}
	o.File = t.File
	return o, nil
}

package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/linsat/linsat/internal/rows"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	histories    = "linsat-histories"
	workStream   = "LINSAT_WORK"
	resultStream = "LINSAT_RESULTS"
	poisonStream = "LINSAT_POISON"

	workSubject   = "linsat.work."
	resultSubject = "linsat.result."
	poisonSubject = "linsat.poison."
)

// job is a message of the queue.
type job struct {
	File   string `json:"file"` // a name for people: the content is in the store
	SHA256 string `json:"sha256"`
	question
}

// id names a pair of content and question.
func (j job) id() string {
	text := j.SHA256 + "\x00" + strings.Join(j.Args, "\x00")
	if j.Spec != nil {
		text += "\x00\x00" + j.Spec.Kind + "\x00" + j.Spec.SHA256
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Poison is a history that was set aside.
type Poison struct {
	File     string   `json:"file"`
	SHA256   string   `json:"sha256"`
	Args     []string `json:"args,omitempty"` // of linsat solve, without a specification in a file
	Cause    string   `json:"cause"`
	Attempts uint64   `json:"attempts"`
}

var errNoQueue = errors.New("there is no JetStream with the queue")

// Setup makes the streams, where they are not there yet, with so many replicas.
func Setup(ctx context.Context, js jetstream.JetStream, replicas int) error {
	if js == nil {
		return errNoQueue
	}
	for _, c := range []jetstream.StreamConfig{
		{Name: workStream, Subjects: []string{workSubject + "*"}, Retention: jetstream.WorkQueuePolicy,
			Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1},
		{Name: resultStream, Subjects: []string{resultSubject + "*"}, MaxMsgsPerSubject: 1},
		{Name: poisonStream, Subjects: []string{poisonSubject + "*"}, MaxMsgsPerSubject: 1},
	} {
		c.Replicas, c.Storage = replicas, jetstream.FileStorage
		err := asked(ctx, startWait, func(ctx context.Context) error {
			_, err := js.CreateOrUpdateStream(ctx, c)
			return err
		})
		if err != nil {
			return fmt.Errorf("stream %s: %w", c.Name, err)
		}
	}
	err := asked(ctx, startWait, func(ctx context.Context) error {
		_, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: histories, Replicas: replicas,
			Storage: jetstream.FileStorage})
		return err
	})
	if err != nil {
		return fmt.Errorf("object store %s: %w", histories, err)
	}
	return nil
}

// asked asks the servers something that may be asked again, and does so while ctx lasts, as often
// as no answer comes within the time: a server that stops takes requests with it, and a context's
// own deadline is the only one that a request has.
func asked(ctx context.Context, within time.Duration, request func(context.Context) error) error {
	for {
		one, stop := context.WithTimeout(ctx, within)
		err := request(one)
		stop()
		if !passing(err) || !paused(ctx) {
			return err
		}
	}
}

// passing reports whether an error says no more than that there is no answer now.
func passing(err error) bool {
	for _, e := range []error{context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders,
		jetstream.ErrNoStreamResponse} {
		if errors.Is(err, e) {
			return true
		}
	}
	var api *jetstream.APIError
	return errors.As(err, &api) && api.Code == http.StatusServiceUnavailable && !alreadyQueued(err)
}

// paused waits before something is tried again, and reports whether it should be.
func paused(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(retryAfter):
		return true
	}
}

// stored returns the message of a subject, nil if there is none.
func stored(ctx context.Context, js jetstream.JetStream, stream, subject string) ([]byte, error) {
	var m *jetstream.RawStreamMsg
	err := asked(ctx, requestWait, func(ctx context.Context) error {
		s, err := js.Stream(ctx, stream)
		if err == nil {
			m, err = s.GetLastMsgForSubject(ctx, subject)
		}
		return err
	})
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return m.Data, nil
}

// outcome returns what is stored about an id: its answer, or why it was set aside; nil if neither.
func outcome(ctx context.Context, js jetstream.JetStream, id string) (data []byte, poisoned bool, err error) {
	data, err = stored(ctx, js, resultStream, resultSubject+id)
	if err != nil || data != nil {
		return data, false, err
	}
	data, err = stored(ctx, js, poisonStream, poisonSubject+id)
	return data, true, err
}

// pieces is the message in the place of one that is too large for a stream: its content is where
// the histories are, in pieces.
type pieces struct {
	Pieces string `json:"pieces"` // its hash
}

// keep stores a value under a subject, and returns when it is stored. A value whose confirmation is
// lost is stored again: each subject has one message.
func keep(ctx context.Context, js jetstream.JetStream, subject string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if most := min(mostInMessage, js.Conn().MaxPayload()/2); most > 0 && int64(len(data)) > most {
		name := rows.HashName(string(data))
		err := asked(ctx, contentWait, func(ctx context.Context) error {
			store, err := js.ObjectStore(ctx, histories)
			if err == nil {
				err = put(ctx, store, name, data)
			}
			return err
		})
		if err != nil {
			return err
		}
		return keep(ctx, js, subject, pieces{name})
	}
	return asked(ctx, requestWait, func(ctx context.Context) error {
		_, err := js.Publish(ctx, subject, data)
		return err
	})
}

// put stores a content under its hash, where it is not stored yet.
func put(ctx context.Context, store jetstream.ObjectStore, name string, content []byte) error {
	_, err := store.GetInfo(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		_, err = store.PutBytes(ctx, name, content)
	}
	return err
}

// whole returns what a message says, from its pieces if it was too large.
func whole(ctx context.Context, js jetstream.JetStream, data []byte) ([]byte, error) {
	var p pieces
	if json.Unmarshal(data, &p) != nil || p.Pieces == "" {
		return data, nil
	}
	err := asked(ctx, contentWait, func(ctx context.Context) error {
		store, err := js.ObjectStore(ctx, histories)
		if err == nil {
			data, err = store.GetBytes(ctx, p.Pieces)
		}
		return err
	})
	return data, err
}

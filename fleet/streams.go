package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

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
	File   string   `json:"file"` // a name for people: the content is in the store
	SHA256 string   `json:"sha256"`
	Args   []string `json:"args,omitempty"` // of linsat solve
}

// id names a pair of content and question.
func (j job) id() string {
	sum := sha256.Sum256([]byte(j.SHA256 + "\x00" + strings.Join(j.Args, "\x00")))
	return hex.EncodeToString(sum[:])
}

// Poison is a history that was set aside.
type Poison struct {
	File     string   `json:"file"`
	SHA256   string   `json:"sha256"`
	Args     []string `json:"args,omitempty"`
	Cause    string   `json:"cause"`
	Attempts uint64   `json:"attempts"`
}

// Setup makes the streams, where they are not there yet, with so many replicas.
func Setup(ctx context.Context, js jetstream.JetStream, replicas int) error {
	for _, c := range []jetstream.StreamConfig{
		{Name: workStream, Subjects: []string{workSubject + "*"}, Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1},
		{Name: resultStream, Subjects: []string{resultSubject + "*"}, MaxMsgsPerSubject: 1},
		{Name: poisonStream, Subjects: []string{poisonSubject + "*"}, MaxMsgsPerSubject: 1},
	} {
		c.Replicas, c.Storage = replicas, jetstream.FileStorage
		if _, err := js.CreateOrUpdateStream(ctx, c); err != nil {
			return fmt.Errorf("stream %s: %w", c.Name, err)
		}
	}
	if _, err := js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: histories, Replicas: replicas, Storage: jetstream.FileStorage}); err != nil {
		return fmt.Errorf("object store %s: %w", histories, err)
	}
	return nil
}

// stored returns the message of a subject, nil if there is none.
func stored(ctx context.Context, js jetstream.JetStream, stream, subject string) ([]byte, error) {
	s, err := js.Stream(ctx, stream)
	if err != nil {
		return nil, err
	}
	m, err := s.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return m.Data, nil
}

// keep stores a value under a subject, and returns when it is stored.
func keep(ctx context.Context, js jetstream.JetStream, subject string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = js.Publish(ctx, subject, data)
	return err
}

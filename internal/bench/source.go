package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// Source is a history that is read when its turn comes.
type Source struct {
	Name string
	// Known is the verdict that is known of it, as of linearizability; "" if none is.
	Known string
	// Read returns the history and the SHA-256 of its bytes, in hexadecimal digits.
	Read func() (*history.History, string, error)
}

// File is the history in a file of any format.
func File(name string) Source {
	return Source{Name: name, Read: func() (*history.History, string, error) {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, "", err
		}
		h, err := history.ReadFile(name, history.ReadOptions{})
		return h, digest(raw), err
	}}
}

// Generated is the history that gen.Generate makes of o; its bytes are those of WriteJSON.
func Generated(name string, o gen.Options) Source {
	return Source{Name: name, Read: func() (*history.History, string, error) {
		c, err := gen.Generate(o)
		if err != nil {
			return nil, "", err
		}
		var raw bytes.Buffer
		err = history.WriteJSON(&raw, c.History)
		return c.History, digest(raw.Bytes()), err
	}}
}

func digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Question is what is asked about a history. The zero value asks for linearizability.
type Question struct {
	Quasi   string `json:"quasi,omitempty"`   // a factor as quasi.Parse reads it
	Meaning string `json:"meaning,omitempty"` // of the factor: slots or classes
	// Consistency is a question of consistency, in the place of a factor.
	Consistency string `json:"consistency,omitempty"`
}

// flags are those of linsat solve that ask the question, after a space; "" for the zero value.
func (q Question) flags() string {
	if q.Consistency != "" {
		return " --consistency " + q.Consistency
	}
	if q.Quasi == "" {
		return ""
	}
	text := " --quasi " + q.Quasi
	if q.Meaning != quasi.Slots.String() {
		text += " --quasi-meaning " + q.Meaning
	}
	return text
}

// options ask the question of linsat.Check. As by default, what is left over is drained.
func (q Question) options(s model.Spec) ([]linsat.Option, error) {
	if q.Quasi == "" {
		return nil, nil
	}
	full, err := quasi.Parse(s.Info(), q.Quasi)
	if err != nil {
		return nil, err
	}
	full.Drain = true
	if err := full.Meaning.UnmarshalText([]byte(q.Meaning)); err != nil {
		return nil, err
	}
	return []linsat.Option{linsat.Quasi(full)}, nil
}

package rows

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
)

// besides are files that change the meaning of the history of a Jepsen test in their directory.
var besides = []string{"test.edn", "test.jepsen"}

// Hash returns the SHA-256 of what an answer about a file depends on, as hexadecimal digits: the
// file, or its parts, as stored, and the description of a Jepsen test beside it.
func Hash(file string) (string, error) {
	h := sha256.New()
	for _, part := range history.Parts(file) {
		if err := add(h, part); err != nil {
			return "", err
		}
	}
	switch strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".gz"), ".zst") {
	case "history.edn", "history.txt", "jepsen.log":
		for _, name := range besides {
			if err := add(h, filepath.Join(filepath.Dir(file), name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// HashName returns the hash of a name, in the place of that of a file that cannot be read.
func HashName(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])
}

func add(w io.Writer, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// Shard is one of several parts of a set of histories: number 1 to Of. The zero value is the whole.
type Shard struct{ Number, Of int }

// ParseShard reads i/n.
func ParseShard(text string) (Shard, error) {
	i, n, ok := strings.Cut(text, "/")
	number, err1 := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || number < 1 || number > of {
		return Shard{}, fmt.Errorf("%q is not a shard", text)
	}
	return Shard{number, of}, nil
}

func (s Shard) String() string {
	if s == (Shard{}) {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Number, s.Of)
}

// Holds reports whether a history with this hash belongs to the shard. Every hash belongs to one
// shard of a number of them.
func (s Shard) Holds(hash string) bool {
	if s == (Shard{}) {
		return true
	}
	start, err := hex.DecodeString(hash[:16])
	if err != nil {
		return false
	}
	return binary.BigEndian.Uint64(start)%uint64(s.Of) == uint64(s.Number-1)
}

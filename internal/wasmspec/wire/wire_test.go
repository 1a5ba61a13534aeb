package wire

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMessagesComeBack(t *testing.T) {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	messages := [][][]byte{{[]byte("load"), bytes.Repeat([]byte{0, 1}, 70_000)}, {[]byte(None)}, {{}, {}, []byte("x")}}
	for _, m := range messages {
		require.NoError(t, Write(w, m...))
	}
	r := bufio.NewReader(&b)
	for _, m := range messages {
		got, err := Read(r)
		require.NoError(t, err)
		assert.Equal(t, m, got)
	}
	_, err := Read(r)
	assert.Equal(t, io.EOF, err)
}

func TestDamagedMessagesAreRefused(t *testing.T) {
	for in, want := range map[string]string{
		"\x00":                 "a message has 0 parts",
		"usage: something":     "a message has 117 parts",
		"\x01":                 "ends too early",
		"\x01\x05abc":          "ends too early",
		"\x02\x01a":            "ends too early",
		"\x01\xff\xff\xff\x7f": "a part of a message has 268435455 bytes",
	} {
		_, err := Read(bufio.NewReader(strings.NewReader(in)))
		if assert.Error(t, err, "%q", in) {
			assert.Contains(t, err.Error(), want, "%q", in)
		}
	}
}

// FuzzRead reads any bytes; a message that is read is written back as it was, up to the length of
// numbers.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\x02\x02ok\x03abc"))
	f.Add([]byte("\x01\x04none"))
	f.Fuzz(func(t *testing.T, in []byte) {
		parts, err := Read(bufio.NewReader(bytes.NewReader(in)))
		if err != nil {
			return
		}
		var b bytes.Buffer
		require.NoError(t, Write(bufio.NewWriter(&b), parts...))
		require.LessOrEqual(t, b.Len(), len(in))
		again, err := Read(bufio.NewReader(&b))
		require.NoError(t, err)
		require.Equal(t, parts, again)
	})
}

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

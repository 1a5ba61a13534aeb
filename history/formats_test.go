package history

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFormatsDocument reads every example of docs/formats.md as the format it stands under, and a
// sample of each binary format.
func TestFormatsDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/formats.md")
	require.NoError(t, err)
	found := map[string]bool{}
	reads := func(name, text string) {
		h, err := Read(strings.NewReader(text), ReadOptions{})
		require.NoError(t, err, "%s", text)
		assert.Equal(t, name, h.Format)
		assert.NotEmpty(t, h.Ops)
		found[name] = true
	}
	for _, part := range strings.Split(string(text), "\n## ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		for _, example := range regexp.MustCompile("(?s)```[a-z]*\n(.*?)```").FindAllStringSubmatch(body, -1) {
			reads(name, example[1])
		}
	}
	for name, file := range map[string]string{"fressian": "register.fressian", "dbcop": "txns.bincode",
		"cobra": "txns-cobra.bin"} {
		sample, err := os.ReadFile("testdata/samples/" + file)
		require.NoError(t, err)
		reads(name, string(sample))
	}
	for _, name := range Formats() {
		assert.True(t, found[name], "no example of %s", name)
	}
}

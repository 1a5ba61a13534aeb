package history

import (
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFormatsDocument reads every example of docs/formats.md as the format it stands under.
func TestFormatsDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/formats.md")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, part := range strings.Split(string(text), "\n## ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		for _, example := range regexp.MustCompile("(?s)```[a-z]*\n(.*?)```").FindAllStringSubmatch(body, -1) {
			text := example[1]
			if name == "fressian" || name == "dbcop" { // shown in hexadecimal digits
				raw, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
				require.NoError(t, err)
				text = string(raw)
			}
			h, err := Read(strings.NewReader(text), ReadOptions{})
			require.NoError(t, err, "%s", example[1])
			assert.Equal(t, name, h.Format)
			assert.NotEmpty(t, h.Ops)
			found[name] = true
		}
	}
	for _, name := range Formats() {
		assert.True(t, found[name], "no example of %s", name)
	}
}

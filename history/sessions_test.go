package history

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSessionsRefused: what is no history of sessions is refused, with its place.
func TestSessionsRefused(t *testing.T) {
	whole, err := os.ReadFile("testdata/samples/txns.bincode")
	require.NoError(t, err)
	for _, row := range [][3]string{
		{"plume", "w(1,2,0,0)\nw(1,2,0)\n", `h:2: "w(1,2,0)" is no access of a transaction`},
		{"plume", "x(1,2,0,0)\n", `h:1: "x(1,2,0,0)" is no access of a transaction`},
		{"plume", "w(1,2,0,0.5)\n", `h:1: "w(1,2,0,0.5)" is no access of a transaction`},
		{"awdit", "w 1 2\nw 1\n", `h:2: "w 1" is no access of a transaction`},
		{"awdit", "w 1 y\n", `h:1: y is not an integer`},
		{"dbcop", string(whole[:len(whole)-1]), "h: the input ends inside a history of dbcop"},
		{"dbcop", string(whole) + "x", "h: there is something after the last session"},
		{"dbcop", string(whole[:len(whole)-1]) + "\a", "h: transaction 1.0 has the byte 7 where 0 or 1 belongs"},
	} {
		_, err := Read(strings.NewReader(row[1]), ReadOptions{Format: row[0], Name: "h"})
		require.Error(t, err, row[2])
		assert.Contains(t, err.Error(), row[2])
	}
}

// TestInitialTransaction: the first transaction is the initial state, with a warning, only where it
// can be nothing else that anybody would write.
func TestInitialTransaction(t *testing.T) {
	for text, initial := range map[string]string{
		"w(1,2,0,0)\nr(1,2,1,1)\n":               `{"1": 2}`,
		"w(1,2,0,0)\nr(1,0,1,1)\n":               `{"1": 0}`, // 0 is read, and nothing writes it
		"w(1,2,0,0)\nr(1,2,1,1)\nw(2,2,1,1)\n":   `{"1": 0, "2": 0}`,
		"w(1,2,0,0)\nr(1,2,1,1)\nw(1,3,0,2)\n":   `{"1": 0}`,
		"w(1,2,0,0)\nr(1,2,0,0)\nr(1,2,1,1)\n":   `{"1": 0}`,
		"w(1,2,0,-1)\nr(1,2,1,1)\n":              `{"1": 0}`,
		"w(1,2,0,0)\n":                           `{"1": 0}`,
		"w(1,2,0,0)\nw(1,4,0,0)\nr(1,4,1,1)\n\n": `{"1": 4}`,
	} {
		h, err := Read(strings.NewReader(text), ReadOptions{})
		require.NoError(t, err)
		assert.Equal(t, initial, h.Values.Format(h.Initial), text)
		assert.Equal(t, strings.Contains(initial, "0"), len(h.Warnings) == 0, text)
	}
	_, err := Read(strings.NewReader("w(1,2,0,0)\nr(1,2,1,1)\n"), ReadOptions{Uncertainty: 3})
	assert.ErrorContains(t, err, "no times to be uncertain of")
}

package history

import (
	"bytes"
	"os"
	"path/filepath"
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

// TestCobraLogs: the logs of a directory are the sessions of one history.
func TestCobraLogs(t *testing.T) {
	log, err := os.ReadFile("testdata/samples/txns-cobra.bin")
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name string, data []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	write("T1.log", log)
	other := bytes.Clone(log[:9+25]) // S 6, W
	other[8] = 6
	write("T2.log", other)
	write("T3.log", nil)
	write("notes.log", []byte("x"))
	files, err := Files(dir, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{dir}, files)
	assert.Equal(t, []string{filepath.Join(dir, "T1.log"), filepath.Join(dir, "T2.log")}, Parts(dir))
	h, err := ReadFile(dir, ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"T1", "T2"}, h.Processes)
	assert.Len(t, h.Ops, 4)
	assert.Equal(t, 2, h.Pending())
	assert.Len(t, h.Edges, 2)
	for i := range h.Ops {
		assert.Equal(t, h.Ops[i].Process == 1, h.ID(OpID(i)) == "6")
	}

	number := string(log[10:18])
	text := strings.ReplaceAll(string(log), number, "\x00\x00\x00\x00\xab\xdd\xef\xee")
	h, err = Read(strings.NewReader(text), ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, `[["r", 3, 5]]`, h.Values.Format(h.Ops[1].Result), "all writes have one number")

	write("T2.log", log) // the same numbers again
	_, err = ReadFile(dir, ReadOptions{})
	assert.ErrorContains(t, err, `id "7" is used twice`)
	for want, data := range map[string]string{
		"the input ends inside a log of Cobra": string(log[:20]),
		`the letter 'X' after transaction 7`:   string(log[:9]) + "X",
		`the letter 'S' after transaction 7`:   string(log[:9]) + string(log[:9]),
		"transaction 8 commits inside of 7":    string(log[:9]) + "C\x00\x00\x00\x00\x00\x00\x00\x08",
	} {
		_, err := Read(strings.NewReader(data), ReadOptions{Format: "cobra"})
		assert.ErrorContains(t, err, want)
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

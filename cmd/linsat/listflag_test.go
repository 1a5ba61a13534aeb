package main

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A flag of several words takes them with commas or one by one, in place of its default.
func TestFlagsOfSeveralWords(t *testing.T) {
	for _, row := range []struct{ args, want []string }{
		{nil, []string{"a", "b"}},
		{[]string{"--words", "c"}, []string{"c"}},
		{[]string{"--words=c,d", "--words", "e"}, []string{"c", "d", "e"}},
		{[]string{"--words="}, nil},
	} {
		var got []string
		c := &cobra.Command{RunE: func(*cobra.Command, []string) error { return nil }}
		c.Flags().Var(several(&got, "a", "b"), "words", "")
		assert.Contains(t, c.UsageString(), "(default [a,b])")
		c.SetArgs(row.args)
		if row.args == nil {
			c.SetArgs([]string{})
		}
		require.NoError(t, c.Execute())
		assert.Equal(t, row.want, got)
	}
}

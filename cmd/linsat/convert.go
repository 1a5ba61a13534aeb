package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func convertCommand() *cobra.Command {
	var out historyOutput
	s := &solver{}
	c := &cobra.Command{
		Use:   "convert FILE",
		Short: "rewrite a history of any format as linsat JSON or JSON Lines",
		Long:  `Reads a history of any format and writes it as linsat JSON or JSON Lines. docs/formats.md describes the formats.`,
		Example: `  linsat convert etcd_002.log > etcd_002.json
  linsat convert --to jsonl -o h.jsonl h.edn.gz
  linsat convert --merge thread-*.jsonl > h.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && !(s.merge && len(args) > 1) {
				return hinted{fmt.Errorf("convert takes one file, not %d", len(args)), "`linsat convert FILE`, or - for standard input"}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			write, err := out.writer(c)
			if err != nil {
				return err
			}
			s.streams(c)
			h, err := s.read(s.together(args)[0])
			if err != nil {
				return err
			}
			return write(h)
		},
	}
	s.reading(c)
	s.mergeFlag(c)
	out.flags(c)
	return c
}

package main

import (
	"fmt"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/spf13/cobra"
)

func convertCommand() *cobra.Command {
	var out historyOutput
	s := &solver{}
	c := &cobra.Command{
		Use:   "convert FILE",
		Short: "rewrite a history of any format as linsat JSON or JSON Lines",
		Long: `Reads a history of any format and writes it as linsat JSON or JSON Lines. docs/formats.md describes the formats.
Operations keep their numbers: where failed ones are left out, or the order changes, they become identifiers.`,
		Example: `  linsat convert etcd_002.log > etcd_002.json
  linsat convert --to jsonl -o h.jsonl h.edn.gz
  linsat convert --merge thread-*.jsonl > h.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && !(s.merge && len(args) > 1) {
				return cli.Hint(fmt.Errorf("convert takes one file, not %d", len(args)),
					"`linsat convert FILE`, or - for standard input")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			write, err := out.writer(c)
			if err != nil {
				return err
			}
			s.streams(c)
			file := s.together(args)[0]
			if s.merged == nil {
				if file, err = s.one("convert", file); err != nil {
					return err
				}
			}
			h, err := s.read(file)
			if err != nil {
				return err
			}
			keepNames(h)
			return write(h)
		},
	}
	s.reading(c)
	s.mergeFlag(c)
	out.flags(c)
	return c
}

// keepNames gives the operations their positions in the input as identifiers, if these change and
// the input names none.
func keepNames(h *history.History) {
	moved := false
	for i := range h.Origins {
		moved = moved || int(h.Origins[i].Position) != i
	}
	if h.IDs != nil || !moved {
		return
	}
	for i := range h.Origins {
		h.IDs = append(h.IDs, strconv.Itoa(int(h.Origins[i].Position)))
	}
}

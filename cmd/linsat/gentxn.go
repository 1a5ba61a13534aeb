package main

import (
	"fmt"
	"strings"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/gen/txns"
	"github.com/spf13/cobra"
)

func genTxnCommand() *cobra.Command {
	var o txns.Options
	var out historyOutput
	var fault string
	c := &cobra.Command{
		Use:   "txn",
		Short: "generate a history of transactions",
		Long: `Simulates sessions that run transactions on a store, and writes what they recorded. The store is one of --level:
  serializable        two-phase locking; a transaction that would have to wait fails
  snapshot-isolation  versions; of two that write one object at the same time the first commits
  parallel-snapshot   replicas that learn of commits later, each in an order that respects causes
  read-committed      each read shows what is committed then
With --fault the store shows an anomaly once. Equal seeds give equal histories.`,
		Example: `  linsat gen txn --level snapshot-isolation --operations 1000 --seed 7 > h.json
  linsat gen txn --fault write-skew --lists --to jsonl -o h.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Transactions == 0 || o.Sessions == 0 || o.Objects == 0 || o.Length == 0 {
				return cli.Hint(fmt.Errorf("--operations, --processes, --keys and --length must be at least 1"),
					"leave them out for the defaults")
			}
			o.Fault = txns.Fault(fault)
			write, err := out.writer(c)
			if err != nil {
				return err
			}
			g, err := txns.Generate(o)
			if err != nil {
				return cli.Hint(err, "levels are "+strings.Join(txns.Levels(), ", ")+"; anomalies are "+
					strings.Join(txns.Faults(), ", "))
			}
			if err := write(g.History); err != nil {
				return err
			}
			fmt.Fprintln(cli.NotesOf(c), accountTxns(g))
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&o.Level, "level", "serializable", "level of the store: "+strings.Join(txns.Levels(), ", "))
	f.StringVar(&fault, "fault", "", "inject an anomaly: "+strings.Join(txns.Faults(), ", "))
	f.IntVar(&o.Transactions, "operations", 1000, "number of transactions, without those of an anomaly")
	f.IntVar(&o.Sessions, "processes", 4, "number of sessions")
	f.IntVar(&o.Objects, "keys", 20, "number of objects")
	f.IntVar(&o.Length, "length", 4, "accesses of a transaction, at most")
	f.BoolVar(&o.Lists, "lists", false, "append to lists in place of writing registers")
	f.Float64Var(&o.ReadRate, "reads", 0.5, "share of accesses that read")
	f.Float64Var(&o.PendingRate, "pending", 0, "share of transactions of unknown outcome; half of them take effect")
	f.Float64Var(&o.AbortRate, "aborted", 0, "share of transactions that their session aborts")
	f.IntVar(&o.Values, "values", 0, "number of different values, 0 for every value used once")
	f.Uint64Var(&o.Seed, "seed", 1, "seed")
	out.flags(c)
	return c
}

// accountTxns describes what is known of a generated history.
func accountTxns(g *txns.Case) string {
	text := fmt.Sprintf("%d transactions", len(g.History.Ops)+g.History.Failed)
	if g.Level != nil {
		text += ", " + g.Level.String() + " by construction"
	}
	if g.Fails != nil {
		text += ", not " + g.Fails.String()
	}
	if g.Mutation != "" {
		text += ": " + g.Mutation
	}
	return text
}

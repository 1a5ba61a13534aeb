package transactions

import (
	"github.com/linsat/linsat/history"
)

func init() {
	for _, f := range [...]history.Format{
		// transactions without times: dbcop's history.bincode
		{Name: "dbcop", Read: readDbcop},
		// those of Cobra: logs of sessions
		{Name: "cobra", Read: readCobra},
		// those of PolySI, Plume and IsoVista: w(key,value,session,transaction)
		{Name: "plume", Read: readPlume},
		// those of AWDIT's tests: w key value, lines of - and = between transactions and sessions
		{Name: "awdit", Read: readAwdit},
	} {
		history.RegisterFormat(f)
	}
}

package history_test

import (
	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/history/internal/historytest"
)

func init() {
	history.List, history.OperationTexts, history.RequireRanks = historytest.List, historytest.OperationTexts,
		historytest.RequireRanks
}

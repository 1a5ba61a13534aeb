// Package transactions registers formats of transactions without times with package history: dbcop,
// cobra, plume and awdit.
//
//	import _ "github.com/linsat/linsat/history/transactions"
package transactions

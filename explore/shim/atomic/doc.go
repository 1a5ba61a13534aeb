// Package atomic has the API of sync/atomic. While an execution of package explore runs, each
// operation is an event of it; otherwise it is the operation of sync/atomic. `linsat test`
// exchanges the imports of code that it explores; nothing else needs this package.
package atomic

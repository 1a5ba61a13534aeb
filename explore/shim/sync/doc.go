// Package sync has the API of the package sync of the standard library. While an execution of
// package explore runs, what blocks there is modelled; otherwise it is that of the standard
// library. `linsat test` exchanges the imports of code that it explores; nothing else needs this
// package.
//
// What the runtime ends a program for, such as the unlock of an unlocked mutex, is a panic in an
// execution.
package sync

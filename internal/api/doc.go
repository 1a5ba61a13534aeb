// Package api lists the public surface of the module: every exported name of every package that can
// be imported from outside, with what it gives access to. A test compares the list with
// docs/api.txt, so that every change of the surface is seen in review, also one that is made in an
// internal package behind an alias.
package api

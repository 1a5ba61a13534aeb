// Package lex cuts inputs into lines and JSON values, with their lines, for package history and the
// packages of formats.
package lex

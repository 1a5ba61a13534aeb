// Package testenv reads the environment variables that steer the tests, one function each, so that
// a variable means the same in every package.
//
//	LINSAT_FULL=1              random comparisons run in full; a sample by default
//	LINSAT_CORPORA=DIR         the folder of recorded histories; tests of them are skipped without it
//	LINSAT_UPDATE=1            golden files and generated parts of documents are written anew, not compared
//	LINSAT_REQUIRE_CORPORA=1   a test fails where it would be skipped for want of recorded histories,
//	LINSAT_REQUIRE_CHROMIUM=1  of the browser Chromium,
//	LINSAT_REQUIRE_SOLVERS=1   of an installed SAT or SMT solver
//
// Switches are read by strconv.ParseBool: 1 and true are on, 0, false and the empty string are off.
package testenv

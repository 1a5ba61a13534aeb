// Package testenv reads the environment variables that steer the tests, one function each, so that
// a variable means the same in every package.
//
//	LINSAT_FULL=1              random comparisons run in full; a sample by default
//	LINSAT_CORPORA=DIR         folder of recorded histories; without it tests are skipped
//	LINSAT_UPDATE=1            golden files and generated parts of documents are rewritten
//	LINSAT_REQUIRE_CORPORA=1   a test fails, not skips, for lack of recorded histories,
//	LINSAT_REQUIRE_CHROMIUM=1  of the browser Chromium,
//	LINSAT_REQUIRE_SOLVERS=1   of an installed SAT or SMT solver,
//	LINSAT_REQUIRE_CHECKER=1   of the checker of LRAT proofs in ACL2,
//	LINSAT_REQUIRE_SERVERS=1   of Redis or etcd,
//	LINSAT_REQUIRE_CLANG=1     of clang and its linker for WebAssembly,
//	LINSAT_REQUIRE_RECORDERS=1 of Python, Rust or Java
//
// Switches are read by strconv.ParseBool: 1 and true are on, 0, false and the empty string are off.
package testenv

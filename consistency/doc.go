// Package consistency asks other questions than linearizability about a history: consistency models
// of one object, and levels of isolation of transactions. Programs that do not import it do not
// compile what decides them.
package consistency

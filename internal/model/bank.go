package model

// BankTheory describes one bank. Axioms are known of its views only.
type BankTheory struct {
	// Moves says what the operations do; nil where that would not tell everything.
	Moves func() *Bank
	// Sums lists the views with a CountingTheory in which the partition may add up to something
	// else than was observed.
	Sums func() []int32
}

// AccountID numbers the accounts of a bank.
type AccountID int32

// Bank says what the operations of one bank do: who pays whom, and which balances were found.
type Bank struct {
	Does     []BankAction // by operation; of one that never returned, what it may have done
	From, To []AccountID  // accounts from 0 on, of transfers
	Amount   []int64
	Found    [][]int64 // by operation of BankReads: all balances
	Accounts int
	// Initial are the balances at the start; nil if they are not known.
	Initial   []int64
	Overdraft bool // balances may be negative
}

// BankAction is what an operation does to a bank, or says of it.
type BankAction uint8

// The actions.
const (
	BankSilent  BankAction = iota // it changes nothing and says nothing
	BankMoves                     // its amount was moved, and the balance sufficed unless Overdraft
	BankRefuses                   // the balance did not suffice, and nothing was moved
	BankReads                     // it found all balances
)

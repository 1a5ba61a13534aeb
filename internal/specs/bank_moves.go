package specs

import "github.com/linsat/linsat/internal/model"

// moves describes a bank in which it is known of every completed transfer whether it was made; nil
// for others.
func (k *bankPart) moves(p *model.Partition, known bool) *model.Bank {
	n := len(k.ops)
	b := &model.Bank{Does: make([]model.BankAction, n), From: make([]model.AccountID, n),
		To: make([]model.AccountID, n), Amount: make([]int64, n), Found: make([][]int64, n),
		Accounts: len(k.accounts), Overdraft: k.overdraft}
	if known {
		b.Initial = k.init
	}
	for i := range k.ops {
		o := &k.ops[i]
		b.From[i], b.To[i], b.Amount[i], b.Found[i] = model.AccountID(o.from), model.AccountID(o.to), o.amount, o.found
		switch pending := p.Ops[i].Pending(); {
		case o.verb == bankRead && (pending || o.found == nil), pending && o.result == no:
		case o.verb == bankRead:
			b.Does[i] = model.BankReads
		case o.result == no:
			b.Does[i] = model.BankRefuses
		case o.result == yes || pending:
			b.Does[i] = model.BankMoves
		default:
			return nil
		}
	}
	return b
}

// tallies describes a bank by its balances.
func (k *bankPart) tallies(known bool) *model.Tallies {
	n := len(k.accounts)
	t := &model.Tallies{Init: k.init[:n], Open: !known, Below: k.overdraft, Ways: make([][]model.Way, len(k.ops))}
	for i := range k.ops {
		o := &k.ops[i]
		if o.verb == bankRead {
			w := model.Way{}
			for account, balance := range o.found {
				w.Finds = append(w.Finds, model.Exactly(int32(account), balance))
			}
			t.Ways[i] = []model.Way{w}
			continue
		}
		from, to := int32(o.from), int32(o.to)
		made := model.Way{Adds: []model.Added{{Tally: from, By: -o.amount}, {Tally: to, By: o.amount}}}
		if !k.overdraft {
			made.Finds = []model.Found{model.AtLeast(from, o.amount)}
		}
		if o.result != no {
			t.Ways[i] = append(t.Ways[i], made)
		}
		if o.result != yes && !k.overdraft {
			t.Ways[i] = append(t.Ways[i], model.Way{Finds: []model.Found{model.AtMost(from, o.amount-1)}})
		}
	}
	return t
}

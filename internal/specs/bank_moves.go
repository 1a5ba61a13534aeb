package specs

import "github.com/linsat/linsat/internal/model"

// moves describes a bank in which it is known of every completed transfer whether it was made; nil
// for others.
func (k *bankPart) moves(p *model.Partition, known bool) *model.Bank {
	n := len(k.ops)
	b := &model.Bank{Does: make([]model.BankAction, n), From: make([]int32, n), To: make([]int32, n),
		Amount: make([]int64, n), Found: make([][]int64, n), Accounts: len(k.accounts), Overdraft: k.overdraft}
	if known {
		b.Initial = k.init
	}
	for i := range k.ops {
		o := &k.ops[i]
		b.From[i], b.To[i], b.Amount[i], b.Found[i] = int32(o.from), int32(o.to), o.amount, o.found
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

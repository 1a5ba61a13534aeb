package specs

import "github.com/linsat/linsat/internal/model"

// tallies describes the lock by how often it is held, by each owner and by anyone, and by tokens.
func (k *ownedPart) tallies() *model.Tallies {
	owners := int32(len(k.owners)) // the number of the tally of all of them
	t := &model.Tallies{Init: make([]int64, owners+1), Ways: make([][]model.Way, len(k.ops))}
	if k.init.count > 0 {
		t.Init[k.init.owner], t.Init[owners] = int64(k.init.count), int64(k.init.count)
	}
	if k.lock.fenced {
		t.Tokens = &model.Fencing{Numbers: make([]uint64, len(k.ops)), Init: k.init.token}
	}
	for i, o := range k.ops {
		from, to := o.owner, o.owner+1
		if o.owner == anyone {
			from, to = 0, owners
		}
		for owner := from; owner < to; owner++ {
			if o.result != no {
				t.Ways[i] = append(t.Ways[i], k.holdWays(o.verb, owner, owners)...)
			}
		}
		if o.result != yes {
			t.Ways[i] = append(t.Ways[i], k.refusals(o, owners)...)
		}
		if k.lock.fenced {
			t.Tokens.Numbers[i] = o.token
		}
	}
	return t
}

// holdWays lists the ways in which an owner acquires or releases the lock.
func (k *ownedPart) holdWays(verb int, owner, all int32) []model.Way {
	if verb == ownedRelease {
		return []model.Way{{Finds: []model.Found{model.AtLeast(owner, 1)},
			Adds: []model.Added{{Tally: owner, By: -1}, {Tally: all, By: -1}}}}
	}
	adds := []model.Added{{Tally: owner, By: 1}, {Tally: all, By: 1}}
	ways := []model.Way{{Finds: []model.Found{model.Exactly(all, 0)}, Adds: adds, Acquires: true}}
	if k.limit > 1 {
		ways = append(ways, model.Way{Finds: []model.Found{model.Between(owner, 1, int64(k.limit)-1)}, Adds: adds})
	}
	return ways
}

// refusals lists the ways in which an operation is refused.
func (k *ownedPart) refusals(o ownedOp, all int32) []model.Way {
	held := model.AtLeast(all, 1)
	switch {
	case o.verb == ownedRelease && o.owner == anyone: // anyone may be one who does not hold it
		return []model.Way{{}}
	case o.verb == ownedRelease:
		return []model.Way{{Finds: []model.Found{model.Exactly(o.owner, 0)}}}
	case o.owner == anyone:
		return []model.Way{{Finds: []model.Found{held}}}
	}
	return []model.Way{{Finds: []model.Found{held, model.Exactly(o.owner, 0)}},
		{Finds: []model.Found{model.Exactly(o.owner, int64(k.limit))}}}
}

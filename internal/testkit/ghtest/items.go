package ghtest

import "slices"

// items are the issues and the pull requests of a repository. They share their numbers.
type items struct {
	list    []*Issue // in the order of their numbers
	numbers int      // given so far
}

// add gives the item its number.
func (all *items) add(i *Issue) {
	all.numbers++
	i.Number = all.numbers
	all.list = append(all.list, i)
}

func (all *items) remove(i *Issue) {
	all.list = slices.DeleteFunc(all.list, func(other *Issue) bool { return other == i })
}

// find is the issue or the pull request of a number, nil for none.
func (all *items) find(number int) *Issue {
	for _, i := range all.list {
		if i.Number == number {
			return i
		}
	}
	return nil
}

// issue is the issue of a number, nil for none and for a pull request.
func (all *items) issue(number int) *Issue {
	if i := all.find(number); i != nil && i.pull == nil {
		return i
	}
	return nil
}

// pull is the pull request of a number, nil for none and for an issue.
func (all *items) pull(number int) *Pull {
	if i := all.find(number); i != nil {
		return i.pull
	}
	return nil
}

func (all *items) pulls() []*Pull {
	var list []*Pull
	for _, i := range all.list {
		if i.pull != nil {
			list = append(list, i.pull)
		}
	}
	return list
}

// with are the pull requests that a commit belongs to, open or merged.
func (all *items) with(sha string) []*Pull {
	return slices.DeleteFunc(all.pulls(), func(p *Pull) bool { return !(p.standing.isOpen() || p.merge.isDone()) || !p.ends.has(sha) })
}

// comment is a comment of a conversation, nil for none.
func (all *items) comment(id int64) *Comment {
	for _, i := range all.list {
		for _, c := range i.talk.comments {
			if c.ID == id {
				return c
			}
		}
	}
	return nil
}

// inline is a comment on lines, nil for none.
func (all *items) inline(id int64) *Comment {
	for _, p := range all.pulls() {
		if c := p.discussion.comment(id); c != nil {
			return c
		}
	}
	return nil
}

// node is what an identifier of GraphQL stands for: an issue, a pull request, a review, a
// thread or a comment; nil for nothing.
func (all *items) node(id string) any {
	for _, i := range all.list {
		for _, c := range i.talk.comments {
			if id == c.node() {
				return c
			}
		}
		if i.pull == nil {
			if id == nodeID("I", i.id) {
				return i
			}
			continue
		}
		if id == nodeID("PR", i.pull.pullID) {
			return i.pull
		}
		if found := i.pull.discussion.node(id); found != nil {
			return found
		}
	}
	return nil
}

// node is what an identifier of GraphQL stands for, and the repository that it is in.
func (all *repos) node(id string) (found any, in *Repo) {
	for _, r := range all.byID {
		if id == nodeID("R", r.ID) {
			return r, r
		}
		if found := r.items.node(id); found != nil {
			return found, r
		}
	}
	return nil, nil
}

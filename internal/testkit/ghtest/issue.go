package ghtest

import "slices"

// Issue is an issue, or the part of a pull request that is one.
type Issue struct {
	Number int
	Repo   *Repo

	id       int64
	title    string
	body     edited
	author   *user
	history  *history
	standing standing
	labels   labelling
	talk     conversation
	pull     *Pull // of a pull request
}

func (i *Issue) serial() int64 { return i.id }

// OpenIssue opens an issue.
func (r *Repo) OpenIssue(author, title, body string, labels ...string) *Issue {
	defer r.lock()()
	i := r.newIssue(r.user(author), title, body)
	for _, name := range labels {
		i.labels.add(i.author, name)
	}
	return i
}

func (r *Repo) newIssue(author *user, title, body string) *Issue {
	at := r.world.clock.tick()
	h := &history{clock: r.world.clock, created: at, updated: at}
	i := &Issue{
		Repo: r, id: r.world.clock.next(), title: title, body: edited{text: body}, author: author,
		history: h, standing: standing{history: h}, labels: labelling{known: &r.labels, history: h},
	}
	i.talk.issue = i
	r.items.add(i)
	return i
}

// Issue is the issue of that number, nil if there is none.
func (r *Repo) Issue(number int) *Issue {
	defer r.lock()()
	return r.items.issue(number)
}

// Issues are all issues that are no pull requests.
func (r *Repo) Issues() []*Issue {
	defer r.lock()()
	return slices.DeleteFunc(slices.Clone(r.items.list), func(i *Issue) bool { return i.pull != nil })
}

// Comment comments as a person or a bot.
func (i *Issue) Comment(author, body string) *Comment {
	defer i.Repo.lock()()
	return i.talk.say(i.Repo.user(author), body)
}

// Comments are the comments of the conversation, oldest first.
func (i *Issue) Comments() []*Comment {
	defer i.Repo.lock()()
	return slices.Clone(i.talk.comments)
}

// Edit changes the body.
func (i *Issue) Edit(by, body string) {
	defer i.Repo.lock()()
	i.edit(i.Repo.user(by), body)
}

func (i *Issue) edit(by *user, body string) {
	i.body = edited{text: body, by: by, at: i.history.touch()}
}

// Title is the title as it is now.
func (i *Issue) Title() string {
	defer i.Repo.lock()()
	return i.title
}

// SetTitle gives another title.
func (i *Issue) SetTitle(by, title string) {
	defer i.Repo.lock()()
	i.rename(i.Repo.user(by), title)
}

func (i *Issue) rename(by *user, title string) {
	e := i.history.happen("renamed", by)
	e.from, e.to = i.title, title
	i.title = title
}

// Body is the body as it is now.
func (i *Issue) Body() string {
	defer i.Repo.lock()()
	return i.body.text
}

// Open tells whether it is open.
func (i *Issue) Open() bool {
	defer i.Repo.lock()()
	return i.standing.isOpen()
}

// Labels are the names of its labels.
func (i *Issue) Labels() []string {
	defer i.Repo.lock()()
	return labelNames(i.labels.list)
}

// Close closes it with a reason: completed, not_planned or duplicate.
func (i *Issue) Close(by, reason string) {
	defer i.Repo.lock()()
	i.standing.close(i.Repo.user(by), reason)
}

// SetReason gives another reason to an issue that is closed, without an event.
func (i *Issue) SetReason(reason string) {
	defer i.Repo.lock()()
	i.standing.reason = reason
}

// CloseByCommit closes it as a keyword in a commit on the default branch does.
func (i *Issue) CloseByCommit(by, sha string) {
	defer i.Repo.lock()()
	i.standing.close(i.Repo.user(by), "completed").commit = sha
}

// Reopen opens it again.
func (i *Issue) Reopen(by string) {
	defer i.Repo.lock()()
	i.standing.reopen(i.Repo.user(by))
}

// AddLabel puts a label on it.
func (i *Issue) AddLabel(by, name string) {
	defer i.Repo.lock()()
	i.labels.add(i.Repo.user(by), name)
}

// RemoveLabel takes a label off.
func (i *Issue) RemoveLabel(by, name string) {
	defer i.Repo.lock()()
	i.labels.remove(i.Repo.user(by), name)
}

// Delete removes it, or stands for moving it to another repository: its number
// leads nowhere from then on.
func (i *Issue) Delete() {
	defer i.Repo.lock()()
	i.Repo.items.remove(i)
}

// Lock ends the conversation for all but collaborators.
func (i *Issue) Lock() {
	defer i.Repo.lock()()
	i.talk.locked = true
}

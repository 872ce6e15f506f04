package engine

import (
	"context"

	"github.com/prdebate/debate/internal/prompt"
)

// brief makes what every call needs: the packet that the parties read, the
// resolver that finds in the frozen change what they cite, and the secrets that
// neither may show. All of it follows from the change and the first events, so a
// resumed review makes the same.
func (r *Review) brief(ctx context.Context) error {
	if r.packet != nil {
		return nil
	}
	if err := r.remember(ctx); err != nil {
		return err
	}
	subject := &r.Subject
	r.packet = prompt.NewPacket(r.state, subject.frozen.Change.Set, prompt.PacketOptions{Clean: subject.redactor.Text, Around: subject.around})
	r.resolver = newResolver(subject.frozen.Change, subject.frozen.index, r.state.Received.Anchor, r.packet.Original)
	r.resolver.show(usesShown(subject.split.Chunks, subject.around))
	return nil
}

// prepare makes the frozen change and its split available.
func (r *Review) prepare(ctx context.Context) error {
	return r.Subject.prepare(ctx, r.state, r.Participants)
}

// remember makes the secrets of the change known. No record holds them, so a
// resumed review asks the critic again.
func (r *Review) remember(ctx context.Context) error {
	if r.Subject.redactor != nil {
		return nil
	}
	if err := r.prepare(ctx); err != nil {
		return err
	}
	_, err := r.Subject.criticise(r.state.Received)
	return err
}

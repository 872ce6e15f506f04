package engine

import (
	"context"

	"github.com/prdebate/debate/internal/patch"
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
	r.packet = prompt.NewPacket(r.state, r.frozen.Change.Set, prompt.PacketOptions{
		Redact: append(append([]string(nil), r.Secrets...), r.secrets...), Around: r.around,
	})
	r.resolver = newResolver(r.frozen.Change, r.frozen.index, r.state.Received.Anchor, r.packet.Original)
	r.resolver.beyond = patch.NewIndex(usesShown(r.split.Chunks, r.around))
	return nil
}

// remember makes the secrets of the change known. No record holds them, so a
// resumed review asks the critic again.
func (r *Review) remember(ctx context.Context) error {
	if r.redactor != nil {
		return nil
	}
	if err := r.prepare(ctx); err != nil {
		return err
	}
	_, err := r.criticise()
	return err
}

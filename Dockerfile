# The programs debate and debate-server with certificates, and nothing else: no shell, no package
# manager, no git. It reads pull requests through the API; docs/action.md says how a job
# runs it, docs/app.md how it serves a GitHub App. The target with-git has git as well, to
# review a clone that is mounted at /src, by the user whose files these are: git reads nobody
# else's. Only /data is to be written, and /tmp where something is mounted there.
FROM --platform=$BUILDPLATFORM golang:1.26-bookworm AS build
ARG TARGETOS TARGETARCH VERSION=
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY cmd ./cmd
COPY internal ./internal
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false \
    -ldflags="-s -w -X github.com/prdebate/debate/internal/cli.release=$VERSION" -o /programs/ ./cmd/...
RUN mkdir /data

FROM debian:bookworm-slim AS with-git
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git && rm -rf /var/lib/apt/lists/*
COPY --from=build /programs/ /usr/local/bin/
COPY --from=build --chown=65532:65532 /data /data
ENV DEBATE_DATABASE=sqlite:/data/debate.db
WORKDIR /src
USER 65532:65532
ENTRYPOINT ["debate"]

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /programs/ /
COPY --from=build --chown=65532:65532 /data /data
ENV DEBATE_DATABASE=sqlite:/data/debate.db
USER 65532:65532
ENTRYPOINT ["/debate"]

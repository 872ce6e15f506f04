# The debate binary with certificates, and nothing else: no shell, no package
# manager, no git. It reads pull requests through the API; to review a clone, use
# the binary itself. docs/action.md says how a job runs it.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY cmd ./cmd
COPY internal ./internal
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags=-s -o /debate ./cmd/debate

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /debate /debate
USER 65532:65532
ENTRYPOINT ["/debate"]

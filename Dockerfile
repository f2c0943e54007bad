# The suite as an image: its two static programs and an empty /tmp.
#
#   docker build --tag cells-conformance .
#   docker run --rm cells-conformance run precedence
#
# It runs as nobody. Reports go to /reports; into a folder of yours, as you:
#
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/reports" cells-conformance run --report html=report.html
#
# The image has no shell. To test a router that the suite starts, copy the program into the router's
# own image: `COPY --from=cells-conformance /cells-conformance /usr/local/bin/`.
# ci/static builds the same program and runs it on the same root file system.
# Rust 1.98.1 of 19 September 2026; the digest names the image for every platform.
FROM rust:1-slim-bookworm@sha256:b5395fa1e42e25148de9b2fd8c8c3a8a341ccb17554ade0ad6bd9a47031f5101 AS build
WORKDIR /source
COPY . .
# With a target, the flags do not reach build scripts and proc macros, which cannot be static.
RUN target="$(rustc --print host-tuple)" \
    && RUSTFLAGS="-C target-feature=+crt-static" \
        cargo build --locked --release -p cells-conformance --target "$target" \
    && mkdir -p /image/tmp /reports \
    && chmod 1777 /image/tmp \
    && cp "target/$target/release/cells-conformance" "target/$target/release/cells-lab" /image/

FROM scratch
COPY --from=build /image/ /
COPY --from=build --chown=65534:65534 /reports /reports
WORKDIR /reports
USER 65534:65534
ENTRYPOINT ["/cells-conformance"]

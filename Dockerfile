# The suite as an image: one static program and an empty /tmp.
#
#   docker build --tag cells-conformance .
#   docker run --rm cells-conformance run precedence
#
# The image has no shell. To test a router that the suite starts, copy the program into the router's
# own image: `COPY --from=cells-conformance /cells-conformance /usr/local/bin/`.
# ci/static builds the same program and runs it on the same root file system.
FROM rust:1-slim AS build
WORKDIR /source
COPY . .
# With a target, the flags do not reach build scripts and proc macros, which cannot be static.
RUN target="$(rustc --print host-tuple)" \
    && RUSTFLAGS="-C target-feature=+crt-static" \
        cargo build --locked --release -p cells-conformance --target "$target" \
    && mkdir -p /image/tmp \
    && chmod 1777 /image/tmp \
    && cp "target/$target/release/cells-conformance" /image/

FROM scratch
COPY --from=build /image/ /
# Reports are written here: `docker run --volume "$PWD:/reports" ...`.
WORKDIR /reports
ENTRYPOINT ["/cells-conformance"]

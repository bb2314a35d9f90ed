# syntax=docker/dockerfile:1

FROM node:24-bookworm-slim AS sources
RUN npm install --global pnpm@12.21.0
WORKDIR /app
COPY . .

FROM sources AS frontend
RUN --mount=type=cache,id=pnpm,target=/pnpm \
    pnpm install --frozen-lockfile --store-dir /pnpm --filter "@kustos/web..." \
    && pnpm --filter @kustos/web build

# What the processes need at run time. Their sources are run as they are: Node strips the types.
FROM sources AS programs
RUN --mount=type=cache,id=pnpm,target=/pnpm \
    pnpm install --frozen-lockfile --store-dir /pnpm --prod --no-optional \
      --filter "@kustos/api..." --filter "@kustos/worker..." \
    && rm -rf apps/web apps/sandbox

FROM node:24-bookworm-slim AS runtime
ENV NODE_ENV=production
# Lists are answers of many MiB: glibc gives them back to the system when they are done with, instead of keeping room, and
# keeps none for each of the threads that come and go.
ENV MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=programs /app ./
# What the metrics tell of the build, such as `--build-arg REVISION=$(git rev-parse HEAD)`.
ARG REVISION=unknown
ENV KUSTOS_REVISION=$REVISION
# Owned by root, run as another: no process can change its own program.
USER node

FROM runtime AS worker
# Ten thousand probes a minute make much that is forgotten at once: with Node's usual room for it a worker took 460 MiB at
# its peak, with this 250.
ENV HOST=0.0.0.0 METRICS_PORT=9464
# Whoever asks from inside the container needs no token.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.METRICS_PORT + '/metrics').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "apps/worker/src/main.ts"]

# A worker that opens pages in Chromium, too: `target: worker-browser`. What it needs of Docker stands in docs/operations.md,
# "Tracking audits".
FROM worker AS worker-browser
USER root
RUN apt-get update \
    && apt-get install --yes --no-install-recommends chromium fonts-liberation \
    && rm -rf /var/lib/apt/lists/*
ENV TRACKING_BROWSER=/usr/bin/chromium
USER node

FROM runtime AS api
COPY --from=frontend /app/apps/web/dist apps/web/dist
# As for the worker, for exports: docs/benchmarks.md.
ENV HOST=0.0.0.0 PORT=3000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "apps/api/src/server.ts"]

FROM node:24-bookworm-slim AS sources
RUN npm install --global pnpm@12.21.0
WORKDIR /app
COPY . .

# In the cache mount: the packages, and what the registry says about them.
ENV XDG_CACHE_HOME=/pnpm/cache

FROM sources AS frontend
RUN --mount=type=cache,id=pnpm,target=/pnpm \
    pnpm install --frozen-lockfile --store-dir /pnpm --filter "@kustos/web..." \
    && pnpm --filter @kustos/web build

# What the programs need at run time. Node strips the types of their sources.
FROM sources AS programs
RUN --mount=type=cache,id=pnpm,target=/pnpm \
    pnpm install --frozen-lockfile --store-dir /pnpm --prod --no-optional \
      --filter "@kustos/api..." --filter "@kustos/worker..." \
    && rm -rf apps/web apps/sandbox

FROM node:24-bookworm-slim AS runtime
ENV NODE_ENV=production
# Makes glibc return the memory of large responses to the system, and use one arena for all threads.
ENV MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=programs /app ./
# The revision that the metrics report: `--build-arg REVISION=$(git rev-parse HEAD)`.
ARG REVISION=unknown
ENV KUSTOS_REVISION=$REVISION
# The files belong to root, so that no process can change its own program.
USER node

FROM runtime AS worker
USER root
# A volume that is mounted here gets its owner.
RUN install --directory --owner=node --group=node --mode=0700 /audit-archive
USER node
# The semi-space limit below lowers the peak memory of 10,000 probes a minute from 460 to 250 MiB.
ENV HOST=0.0.0.0 METRICS_PORT=9464
# Requests from inside the container need no token.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["bin/is-healthy", "METRICS_PORT", "/metrics"]
CMD ["node", "--max-semi-space-size=8", "apps/worker/src/main.ts"]

# A server that opens pages in Chromium for workers. It gets no secrets. docs/monitoring.md says what it needs of Docker.
FROM runtime AS browser
USER root
RUN apt-get update \
    && apt-get install --yes --no-install-recommends chromium fonts-liberation \
    && rm -rf /var/lib/apt/lists/*
# Chromium keeps its settings there.
ENV HOME=/tmp PORT=9222
USER node
EXPOSE 9222
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["bin/is-healthy", "PORT", "/"]
# The server ignores SIGTERM.
STOPSIGNAL SIGINT
# Workers choose the options that Chromium starts with.
CMD ["node", "packages/clients/node_modules/playwright-core/cli.js", "run-server", "--host", "0.0.0.0", "--port", "9222", "--unsafe"]

FROM runtime AS api
COPY --from=frontend /app/apps/web/dist apps/web/dist
# The semi-space limit below lowers the peak memory of exports (docs/benchmarks.md).
ENV HOST=0.0.0.0 PORT=3000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["bin/is-healthy", "PORT", "/api/ready"]
CMD ["node", "--max-semi-space-size=8", "apps/api/src/server.ts"]

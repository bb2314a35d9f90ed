# A simulated Plesk node (apps/sandbox/src/node-container.ts) for .ci/compose.sh.
FROM node:24-bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends openssh-server \
    && rm -rf /var/lib/apt/lists/* && mkdir -p /run/sshd && ssh-keygen -A
RUN npm install --global pnpm@12.21.0
WORKDIR /app
COPY . .
ENV XDG_CACHE_HOME=/pnpm/cache
RUN --mount=type=cache,id=pnpm,target=/pnpm \
    pnpm install --frozen-lockfile --store-dir /pnpm --prod --no-optional --filter "@kustos/sandbox..."
HEALTHCHECK --interval=2s --timeout=2s --start-period=30s --start-interval=1s CMD ["test", "-s", "/run/certificate"]
CMD ["node", "apps/sandbox/src/node-container.ts"]

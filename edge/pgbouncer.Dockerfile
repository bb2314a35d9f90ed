# Postgres' image brings a repository with a PgBouncer that knows prepared statements (1.21); Debian's own is too old.
FROM postgres:18-bookworm
RUN apt-get update && apt-get install --yes --no-install-recommends pgbouncer && rm -rf /var/lib/apt/lists/*
# Lets transactions end. At SIGTERM it waits until all clients have left, which they never do, and accepts no new ones meanwhile.
STOPSIGNAL SIGINT
ENTRYPOINT []

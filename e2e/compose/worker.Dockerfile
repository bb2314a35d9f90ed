# A worker that can be a simulated node, too.
FROM kustos-worker AS worker
USER root
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*

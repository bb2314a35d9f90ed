#!/usr/bin/env bash
# Starts docker-compose.scaled.yml in a clone of its own, kills its containers at random under load, and checks that nothing is lost,
# repeated or stuck (docs/faults.md). Needs a container engine, root, and the ports 80 and 443. COMPOSE_FILE may add files.
# Usage: .ci/compose-kills.sh [KILLS] [SEED]
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$(mktemp -d)
chmod 755 "$folder"
export COMPOSE_PROJECT_NAME=kustos-kills JOURNAL=$folder/faults/journal
export COMPOSE_FILE=${COMPOSE_FILE:-docker-compose.yml}:docker-compose.scaled.yml:e2e/compose/node.yml:e2e/compose/kills.yml

finish() {
  local code=$?
  docker compose down --volumes --remove-orphans > /dev/null 2>&1 || true
  rm -rf "$folder"
  exit "$code"
}

git clone --quiet "$project" "$folder/kustos"
cd "$folder/kustos"
trap finish EXIT
bin/setup
subnet=172.30.254
sed -i "s/^SUBNET=.*/SUBNET=$subnet/; s/^POSTGRES_PORT=.*/POSTGRES_PORT=3921/; s/^PROBE_INTERVAL=.*/PROBE_INTERVAL=10/" .env
sed -i 's#^PUBLIC_URL=.*#PUBLIC_URL=https://localhost#' .env
(cd "$project" && node --input-type=module --eval "
  const { openJournal } = await import('./apps/sandbox/test/faults/journal.ts')
  await openJournal('$JOURNAL', ['sleep', '1'])")
docker compose up --build --detach --wait --wait-timeout 600

cat > "$folder/settings.json" << JSON
{
  "url": "https://localhost",
  "databaseUrl": "$(sed 's/@postgres:5432/@127.0.0.1:3921/' secrets/database-url)",
  "redisUrl": "$(sed "s/redis-\([123]\):/$subnet.1\1:/g" secrets/redis-cluster-url)",
  "folder": "$folder/faults",
  "node": {
    "address": "$subnet.10",
    "hostKey": "$(docker compose exec --no-TTY node cut --delimiter=' ' --fields=1,2 /etc/ssh/ssh_host_ed25519_key.pub)"
  }
}
JSON
cd "$project"
# The edge's certificate is of its own authority.
NODE_TLS_REJECT_UNAUTHORIZED=0 KUSTOS_FAULTS_CONTAINERS=$folder/settings.json KUSTOS_FAULTS_KILLS=${1:-10} KUSTOS_FAULTS_SEED=${2:-2026} \
  npx vitest run --project faults apps/sandbox/test/faults/containers.test.ts

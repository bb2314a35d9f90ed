#!/usr/bin/env bash
# Runs the end-to-end tests against docker-compose.scaled.yml in a clone of its own. Needs a container engine, root, and the ports
# 80 and 443. COMPOSE_FILE may add files.
# Usage: .ci/compose-e2e.sh [ARGUMENTS of playwright test]
set -euo pipefail

export PROJECT SANDBOX
PROJECT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$(mktemp -d)
SANDBOX=$folder/sandbox
sandbox=
export COMPOSE_PROJECT_NAME=kustos-e2e
export COMPOSE_FILE=${COMPOSE_FILE:-docker-compose.yml}:docker-compose.scaled.yml

finish() {
  local code=$?
  [ "$code" = 0 ] || docker compose logs --no-color --tail 100 api worker > "$PROJECT/test-results/compose-e2e.log" 2>&1 || true
  [ -z "$sandbox" ] || kill "$sandbox"
  docker compose --profile '*' down --volumes --remove-orphans > /dev/null 2>&1 || true
  rm -rf "$folder"
  exit "$code"
}

git clone --quiet "$PROJECT" "$folder/kustos"
cd "$folder/kustos"
trap finish EXIT
mkdir -p "$SANDBOX" "$PROJECT/test-results"
bin/setup
subnet=172.30.253
cat >> .env << ENV
SUBNET=$subnet
POSTGRES_PORT=3931
PUBLIC_URL=https://localhost
INTERNAL_DOMAIN_MARKER=intranet.
PROBE_INTERVAL=10
COMPOSE_PROFILES=browser
TRACKING_BROWSER=ws://browser:9222
ENV
docker compose build
docker compose up --detach --wait postgres

database=$(sed 's/@postgres:5432/@127.0.0.1:3931/' secrets/database-url)
(
  cd "$PROJECT"
  PUBLIC_URL=https://localhost DATABASE_URL=$database KUSTOS_DATA_DIR=$SANDBOX KUSTOS_SANDBOX_ADDRESS=$subnet.1 TRACKING_BROWSER= \
    KUSTOS_SANDBOX_SETTINGS=$SANDBOX/settings exec node apps/sandbox/src/main.ts > "$folder/sandbox.log"
) &
sandbox=$!
until grep --quiet 'services are ready' "$folder/sandbox.log"; do
  kill -0 "$sandbox"
  sleep 1
done
# For the variables that docker-compose.yml passes on, too.
cat "$SANDBOX/settings" >> .env
export COMPOSE_FILE=$COMPOSE_FILE:e2e/compose/suite.yml
docker compose up --build --detach --wait --wait-timeout 600

cd "$PROJECT"
KUSTOS_URL=https://localhost KUSTOS_E2E_DATABASE_URL=$database KUSTOS_E2E_MESSAGES=http://$subnet.1:$(cat "$SANDBOX/messages/port") \
  NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_NO_WARNINGS=1 e2e/node_modules/.bin/playwright test --config e2e "$@"

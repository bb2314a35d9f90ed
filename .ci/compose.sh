#!/usr/bin/env bash
# Installs Kustos with Compose in a clone of its own, as the README says, and checks what operators rely on. Needs a container
# engine and the ports 80 and 443. COMPOSE_FILE may add files to docker-compose.yml.
# Usage: .ci/compose.sh [OLD]   with a commit to upgrade from
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
old=${1:-}
email=you@example.com
password='correct horse battery staple'
export COMPOSE_PROJECT_NAME=kustos-test
folder=$(mktemp -d)
origin=http://127.0.0.1:3900
export COMPOSE_FILE=${COMPOSE_FILE:-docker-compose.yml}

finish() {
  local code=$?
  [ "$code" = 0 ] || docker compose logs --no-color --tail 100 || true
  docker compose --profile '*' down --volumes --remove-orphans > /dev/null 2>&1 || true
  rm -rf "$folder"
  exit "$code"
}
step() { printf '\n== %s\n' "$1"; }
fail() { echo "failed: $1" >&2; exit 1; }
kustos() { docker compose run --rm --no-TTY kustos "$@"; }
# Waits until a query returns a value.
await() { # VALUE QUERY
  for _ in $(seq 120); do
    [ "$(ask "$2")" != "$1" ] || return 0
    sleep 1
  done
  fail "after two minutes it is not $1, but $(ask "$2"): $2"
}
ask() { docker compose exec --no-TTY postgres psql --username=kustos --tuples-only --no-align --command "$1"; }
count() { ask "select count(*) from $1"; }

# A call as a proxy on this machine passes it on. Prints headers and body.
call() { # METHOD PATH [JSON]
  local jar=$folder/cookies token
  touch "$jar"
  token=$(awk '$6 == "XSRF-TOKEN" { print $7 }' "$jar")
  # curl sends no secure cookies over HTTP by itself.
  curl --fail-with-body --silent --show-error --include --request "$1" "$origin$2" --cookie-jar "$jar.new" \
    -H 'X-Forwarded-Proto: https' -H 'X-Forwarded-For: 203.0.113.9' -H 'Accept: application/json' \
    -H "Cookie: $(awk 'NF == 7 { printf "%s=%s; ", $6, $7 }' "$jar")" \
    -H "X-XSRF-TOKEN: $(printf '%b' "${token//%/\\x}")" ${3:+-H 'Content-Type: application/json' --data "$3"}
  if grep --quiet XSRF "$jar.new"; then mv "$jar.new" "$jar"; fi
}

sign_in() {
  rm -f "$folder/cookies"
  call GET /sanctum/csrf-cookie
  call POST /api/login "{\"email\":\"$email\",\"password\":\"$password\"}"
}

start() {
  bin/setup
  sed -i 's#^PROBE_ALLOW_NETWORKS=.*#PROBE_ALLOW_NETWORKS=172.30.252.0/24#; s/^PROBE_INTERVAL=.*/PROBE_INTERVAL=10/' .env
  sed -i 's/^PORT=.*/PORT=3900/; s/^POSTGRES_PORT=.*/POSTGRES_PORT=3901/; s/^REDIS_PORT=.*/REDIS_PORT=3902/; s/^SUBNET=.*/SUBNET=172.30.252/' .env
  docker compose up --build --detach --wait --wait-timeout 300
}

git clone --quiet "$project" "$folder/kustos"
cd "$folder/kustos"
trap finish EXIT

if [ -n "$old" ]; then
  step "start $old"
  new=$(git rev-parse HEAD)
  git checkout --quiet "$old"
  # It makes all that older versions need, too.
  [ -e bin/setup ] || git checkout "$new" -- bin/setup
  start
  docker compose run --rm --no-TTY api node apps/api/src/kustos.ts user:create "$email" --name You --role admin <<< "$password"
  docker compose down
  git checkout --quiet --force "$new"
  # Variables that have come since.
  grep --invert-match --line-regexp --fixed-strings --file=.env .env.example >> .env || true
fi

step 'start from a clean clone'
start
curl --fail --silent --show-error "$origin/api/ready"
if [ -z "$old" ]; then kustos user:create "$email" --name You --role admin <<< "$password"; fi

step 'sign in through a proxy'
headers=$(sign_in)
grep --ignore-case '^set-cookie: __Host-kustos_session=.*secure' <<< "$headers" > /dev/null || fail "no Secure cookie: $headers"

step 'connect a node'
# Named here, so that other commands of this script do not need it.
export COMPOSE_FILE=$COMPOSE_FILE:e2e/compose/node.yml
docker compose up --build --detach --wait node
node() { docker compose exec --no-TTY node "$@"; }
kustos node:set node1 --panel node1.kustos.test --certificate "$(node cat /run/certificate)" --address 172.30.252.10 \
  --deployments yes --key <<< "$(node cat /run/api-key)"
host_key=$(node cut --delimiter=' ' --fields=1,2 /etc/ssh/ssh_host_ed25519_key.pub)
if kustos node:test node1 > "$folder/test"; then fail 'a host key that nobody has confirmed was accepted'; fi
cat "$folder/test"
grep --quiet --fixed-strings "$host_key" "$folder/test" || fail 'the host key was not shown'
kustos node:set node1 --host-key "$host_key"
kustos node:test node1

step 'take over its web'
call POST /api/nodes/1/discovery > /dev/null
await succeeded "select state from inspections where kind = 'discovery'"
call PUT /api/nodes/1/discovery '{"webs":[{"fqdn":"shop.kustos.test","customer":"ALPEN"}]}' | tail --lines 1
await succeeded "select state from inspections where kind = 'refresh'"
await 200 'select distinct status from statistics'
ask 'select fqdn, sysuser, configured_ip, status, domain_status from webs'

step 'back it up'
call POST /api/deployment/backupWeb '{"id":1}' > /dev/null
await succeeded 'select state from deployments'
node sh -c 'tar --list --file /var/lib/kustos/backups/*.tar'

step 'Redis needs its password'
docker compose exec --no-TTY redis redis-cli ping | grep NOAUTH

step 'the number of workers stays'
sed -i 's/^WORKERS=.*/WORKERS=2/' .env
docker compose up --detach --wait
docker compose up --detach --wait
[ "$(docker compose ps --quiet worker | wc -l)" = 2 ] || fail 'there are not two workers'

step 'a full /tmp ends no program'
docker compose exec --no-TTY worker sh -c 'head -c 1G /dev/zero > /tmp/full; rm /tmp/full' 2>&1 | grep 'No space left'
[ -z "$(docker compose ps --quiet worker | xargs docker inspect --format "{{ .RestartCount }}" | grep --invert-match "^0$")" ] || fail 'a worker was restarted'

step 'optional services'
sed -i 's/^COMPOSE_PROFILES=.*/COMPOSE_PROFILES=browser,edge/; s#^PUBLIC_URL=.*#PUBLIC_URL=https://localhost#' .env
docker compose up --build --detach --wait --wait-timeout 300
docker compose exec --no-TTY browser chromium --version
# Of Caddy's own authority.
[ "$(curl --insecure --silent --output /dev/null --write-out '%{http_version} %{http_code}' https://localhost/api/ready)" = '2 200' ] ||
  fail 'the edge does not serve HTTP/2'

step 'back up and restore'
kustos backup - > "$folder/backup"
entries=$(count log_entries)
docker compose exec --no-TTY postgres createdb --username=kustos --template=template0 rehearsal
docker compose run --rm --no-TTY --env DATABASE_URL_FILE= --env DATABASE_URL="$(sed 's|/kustos$|/rehearsal|' secrets/database-url)" \
  kustos restore - < "$folder/backup"
restored=$(docker compose exec --no-TTY postgres psql --username=kustos --dbname=rehearsal --tuples-only --no-align --command 'select count(*) from users')
[ "$restored" = "$(count users)" ] || fail "the backup has $restored users"
echo "$entries entries of the audit log"

step 'audit log'
kustos audit:verify

echo
echo 'Compose works as documented.'

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
# What an upgrade must not change, whatever it does with the columns.
kept() {
  ask "select id, fqdn, customer, comment, created_at from webs order by id"
  ask "select id, email, name from users order by id"
  ask "select id, log_name, description, properties, created_at from log_entries where id <= 3 order by id"
}
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

# A call as a proxy on this machine passes it on, or of a browser to the edge. Prints headers and body.
call() { # METHOD PATH [JSON]
  local jar=${jar:-$folder/cookies} token
  touch "$jar"
  token=$(awk '$6 == "XSRF-TOKEN" { print $7 }' "$jar")
  # curl sends no secure cookies over HTTP by itself.
  curl --fail-with-body --silent --show-error --insecure --include --request "$1" "$origin$2" --cookie-jar "$jar.new" \
    -H 'X-Forwarded-Proto: https' -H 'X-Forwarded-For: 203.0.113.9' -H 'Accept: application/json' \
    -H "Cookie: $(awk 'NF == 7 { printf "%s=%s; ", $6, $7 }' "$jar")" \
    -H "X-XSRF-TOKEN: $(printf '%b' "${token//%/\\x}")" ${3:+-H 'Content-Type: application/json' --data "$3"} || return
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
  sign_in > /dev/null
  call POST /api/webs '{"fqdn":"old.kustos.test","customer":"OLD","configured_ip":"192.0.2.1","comment":"Grüße"}' > /dev/null
  kept > "$folder/kept"
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

if [ -n "$old" ]; then
  kept | diff "$folder/kept" - || fail 'the upgrade has changed data'
  wc -l < "$folder/kept"
fi

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
# A web from before an upgrade is refreshed, too, and does not answer.
await succeeded "select state from inspections where kind = 'refresh' and web_id = (select id from webs where fqdn = 'shop.kustos.test')"
await 200 'select distinct status from statistics'
ask 'select fqdn, sysuser, configured_ip, status, domain_status from webs'

step 'back it up'
web=$(ask "select id from webs where fqdn = 'shop.kustos.test'")
call POST /api/deployment/backupWeb "{\"id\":$web}" > /dev/null
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
docker compose stop worker
kustos backup - > "$folder/backup"
docker compose exec --no-TTY postgres createdb --username=kustos --template=template0 rehearsal
docker compose run --rm --no-TTY --env DATABASE_URL_FILE= --env DATABASE_URL="$(sed 's|/kustos$|/rehearsal|' secrets/database-url)" \
  kustos restore - < "$folder/backup"
# The number of rows and their checksum, for each table that a backup contains.
checksums() { # DATABASE
  docker compose exec --no-TTY postgres psql --username=kustos --dbname="$1" --tuples-only --no-align --command "
    select format('select %L, count(*), md5(string_agg(md5(t::text), \$\$\$\$ order by t::text)) from %I t%s;', relname, relname,
      -- Backing up and restoring add an entry each.
      case relname when 'log_entries' then ' where log_name <> ''backups''' end)
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('sessions', 'email_changes', 'sign_in_attempts', 'sign_in_limits', 'leases', 'revisions') order by relname" |
    docker compose exec --no-TTY postgres psql --username=kustos --dbname="$1" --tuples-only --no-align
}
checksums kustos > "$folder/rows"
checksums rehearsal > "$folder/restored-rows"
diff "$folder/rows" "$folder/restored-rows" || fail 'the restored rows differ'
echo "$(wc -l < "$folder/rows") tables, $(count log_entries) entries of the audit log"
docker compose up --detach --wait

step 'three APIs and five workers'
export COMPOSE_FILE=$COMPOSE_FILE:docker-compose.scaled.yml
sed -i 's/^WORKERS=.*/WORKERS=/' .env
docker compose up --build --detach --wait --wait-timeout 300
[ "$(docker compose ps --quiet api | wc -l) $(docker compose ps --quiet worker | wc -l)" = '3 5' ] || fail 'the programs are not there'
kustos doctor | tee "$folder/doctor"
grep --quiet 'a cluster of 3 servers' "$folder/doctor" || fail 'the queue is not in the cluster'
origin=https://localhost
sign_in > /dev/null
call POST /api/deployment/backupWeb "{\"id\":$web}" > /dev/null
await 'succeeded 2' "select state || ' ' || count(*) from deployments group by state"

step 'twelve tabs share a connection'
streams=()
for n in $(seq 12); do streams+=(--output "$folder/stream$n" "$origin/api/events"); done
cookies=$(awk 'NF == 7 { printf "%s=%s; ", $6, $7 }' "$folder/cookies")
curl --insecure --no-progress-meter --http2 --no-buffer --parallel --parallel-max 13 --max-time 10 -H "Cookie: $cookies" \
  --write-out '%{stderr}%{num_connects}\n' "${streams[@]}" --output "$folder/list" "$origin/api/webs" 2> "$folder/connects" || true
grep --quiet shop.kustos.test "$folder/list" || fail 'the list did not arrive beside twelve event streams'
for n in $(seq 12); do [ -s "$folder/stream$n" ] || fail "event stream $n is silent"; done
[ "$(awk '/^[0-9]+$/ { n += $0 } END { print n }' "$folder/connects")" = 1 ] || fail 'there were several connections'

step 'replace the programs under load'
# Changes a web until the file is gone; notes what was acknowledged, and what was not.
change() { # NAME
  local jar=$folder/cookies-$1 n=0 web
  cp "$folder/cookies" "$jar"
  web=$(call POST /api/webs "{\"fqdn\":\"$1.test\",\"customer\":\"LOAD\",\"configured_ip\":\"192.0.2.1\"}" | tail --lines 1)
  web=$(grep --only-matching --perl-regexp '"id":\K\d+' <<< "$web" | head -n 1)
  while [ -e "$folder/loading" ]; do
    n=$((n + 1))
    if call PUT "/api/webs/$web" "{\"fqdn\":\"$1.test\",\"customer\":\"LOAD\",\"configured_ip\":\"192.0.2.1\",\"comment\":\"$1 $n\"}" > "$jar.response" 2>&1
    then echo "$n" >> "$folder/acknowledged-$1"
    else cat "$jar.response" >> "$folder/failures"
    fi
  done
}
touch "$folder/loading"
for name in one two three; do change "$name" & done
before=$(docker compose ps --quiet api worker | sort)
REVISION=next bin/upgrade
after=$(docker compose ps --quiet api worker | sort)
rm "$folder/loading"
wait
[ -z "$(comm -12 <(echo "$before") <(echo "$after"))" ] || fail 'not all programs were replaced'
[ ! -e "$folder/failures" ] || { head -n 40 "$folder/failures"; fail 'requests failed'; }
for name in one two three; do
  entries=$(ask "select count(*) from log_entries where properties->'attributes'->>'comment' like '$name %'")
  changes=$(wc -l < "$folder/acknowledged-$name")
  [ "$entries" = "$changes" ] || fail "$name has $entries entries for $changes changes"
  [ "$(ask "select comment from webs where fqdn = '$name.test'")" = "$name $(tail -n 1 "$folder/acknowledged-$name")" ] || fail "$name is old"
done
echo "$(cat "$folder"/acknowledged-* | wc -l) changes, none failed"

step 'audit log'
kustos audit:verify

echo
echo 'Compose works as documented.'

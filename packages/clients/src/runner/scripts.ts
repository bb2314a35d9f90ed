// Constant scripts for POSIX sh on Linux. All values are positional parameters, which no shell interprets. Processes are
// listed from /proc, since small images have no ps.

/** Environment variable by which a process of ours is recognized after its pid may have been reused. */
export const tokenVariable = 'KUSTOS_RUN'

/** Before each reply of a script, which the lines of a command follow. A login shell may have printed a greeting before. */
export const replyPrefix = 'kustos: '

/** The limit of each stream of a command, in blocks of 512 bytes. The log of a whole deployment has 1 MiB. */
const maxOutputBlocks = 8 * 1024

/**
 * Prints what a command writes until its wrapper is done, and exits with its exit code. Kills itself if the wrapper has died
 * before.
 */
const followFunction = `
# Not by its process id alone, since nobody may collect the wrapper when it has ended.
is_running() {
  [ ! -e "$folder/done" ] || return 1
  { read -r line <"/proc/$pid/stat"; } 2>/dev/null || return 1
  case \${line##*) } in
    [ZX]*) return 1 ;;
  esac
}

wait_until_done() {
  count=0
  while is_running; do
    count=$((count + 1))
    if [ "$count" -lt 50 ]; then sleep 0.02; elif [ "$count" -lt 300 ]; then sleep 0.1; else sleep 0.4; fi
  done
}

follow() {
  wait_until_done &
  waiter=$!
  tail -c +1 -f -s 0.05 --pid="$waiter" "$folder/out" 2>/dev/null &
  tail -c +1 -f -s 0.05 --pid="$waiter" "$folder/err" >&2 2>/dev/null &
  wait "$waiter"
  wait
  finish
}

finish() {
  code=
  { read -r code <"$folder/exit"; } 2>/dev/null
  [ -z "$code" ] || exit "$code"
  kill -s KILL $$
}

# Each stream has its own reply, since they may arrive in any order.
reply() {
  echo "${replyPrefix}$1"
  echo "${replyPrefix}$1" >&2
}
`

/** Which process leads the group of a run, and whether that is still ours. */
const groupFunctions = `
running_members() {
  kill -s 0 -- "-$pid" 2>/dev/null || return 0
  for stat in /proc/[0-9]*/stat; do
    { read -r line <"$stat"; } 2>/dev/null || continue
    set -- \${line##*) }
    [ "$3" = "$pid" ] || continue
    case $1 in
      Z | X) ;;
      *) stat=\${stat#/proc/}; echo "\${stat%/stat}" ;;
    esac
  done
}

ours() {
  [ "\${pid:-0}" -gt 1 ] && [ -n "$token" ] || return 1
  for member in $(running_members); do
    { tr '\\0' '\\n' <"/proc/$member/environ" | grep -qxF "${tokenVariable}=$token"; } 2>/dev/null && return 0
  done
  return 1
}

# A run that is only reserved can no longer start then.
identify_run() {
  { echo 0 >"$folder/prevented" && ln "$folder/prevented" "$folder/pid"; } 2>/dev/null
  pid= token=
  { read -r pid token <"$folder/pid"; } 2>/dev/null && return 0
  [ -d "$folder" ] || return 0
  echo "$folder is not readable" >&2
  exit 1
}
`

/**
 * Reserves a run, which can then be started once, replies `reserved`, and waits for a line before it starts the run by its
 * wrapper. Then replies `started` and follows the command. Fails if there is a run of that name.
 * Parameters: the script of the wrapper, the folder of runs, the run, the command's umask, the argv.
 */
export const startScript = `
${followFunction}
wrapper=$1
runs=$2
folder=$2/$3
shift 3
umask 077
mkdir -p "$runs" && mkdir "$folder" || exit 125
echo '${replyPrefix}reserved'
read -r _ || exit 125
pid=$(setsid -f /bin/sh -c "$wrapper" kustos "$folder" "$@")
[ -n "$pid" ] || exit 125
reply started
follow
`

/** Copies a stream of a command into its file. What exceeds the limit is read and thrown away. */
const copyFunction = `
copy() {
  trap '' TERM XFSZ
  (ulimit -f ${maxOutputBlocks}; exec tee "$folder/$1" <"$folder/$1.pipe") ||
    printf '\\n%s\\n' 'The rest of the output was too long to be kept.' >>"$folder/$1"
  rm -f "$folder/$1.pipe"
}
`

/**
 * Runs a command in a session of its own, which outlives the connection, keeps its output in the files `out` and `err`, and
 * stores its exit code. The link to `pid` decides atomically who comes first, this start or a recovery that prevents it; a
 * run that was recovered and removed cannot start either. Once started it prints its process id.
 * Parameters: the folder of the run, the command's umask, the argv. `exec` prevents an argv from naming a builtin such as
 * eval.
 */
export const wrapperScript = `
folder=$1
mask=$2
shift 2
umask 077
read -r uptime _ </proc/uptime
echo "\${uptime%.*}" >"$folder/since" || exit 125
: >"$folder/out" && : >"$folder/err" || exit 125
mkfifo "$folder/out.pipe" "$folder/err.pipe" || exit 125
echo "$$ $${tokenVariable}" >"$folder/started" || exit 125
ln "$folder/started" "$folder/pid" || exit 125
echo "$$"
exec </dev/null >/dev/null 2>&1
${copyFunction}
copy out &
copy err &
# The exit code of a command that is being ended does not count, but what it still prints does.
trap 'is_ended=1' TERM
(umask "$mask" && exec "$@") </dev/null >"$folder/out.pipe" 2>"$folder/err.pipe"
code=$?
[ -n "$is_ended" ] || { echo "$code" >"$folder/exit.new" && mv -f "$folder/exit.new" "$folder/exit"; }
# A grandchild may hold the output open.
for pause in 0.005 0.01 0.02 0.05 0.1 0.3 0.5; do
  [ -e "$folder/out.pipe" ] || [ -e "$folder/err.pipe" ] || break
  sleep "$pause"
done
: >"$folder/done"
`

/**
 * Follows a run whose starter has left it. Replies `running` with the seconds since its start, or `ended`, and prints all of
 * its output; or `none` if it was not started, or has ended without an exit code. One that is only reserved can no longer
 * start.
 * Parameters: the folder of runs, the run.
 */
export const attachScript = `
${followFunction}
${groupFunctions}
folder=$1/$2
identify_run
if ours; then
  read -r since <"$folder/since"
  read -r now _ </proc/uptime
  reply "running $((\${now%.*} - since))"
  follow
fi
if [ -e "$folder/exit" ]; then
  reply ended
  cat "$folder/out"
  cat "$folder/err" >&2
  finish
fi
reply none
`

/**
 * Ends the processes of runs: TERM, then KILL. A reused pid is recognized by the missing token. A run that is only
 * reserved can no longer start.
 * Parameters: the folder of runs, the seconds between TERM and KILL, the runs. Prints `succeeded` if one of them has
 * ended with exit code 0, otherwise `none`; exits with 1 if a process cannot be ended.
 */
export const endScript = `
runs=$1
grace=$2
shift 2
result=none

succeeded() {
  [ "$(cat "$folder/exit" 2>/dev/null)" = 0 ] && result=succeeded
}

${groupFunctions}
# Uses the machine's clock, since listing a thousand processes takes longer than the sleep.
gone_within() {
  read -r now _ </proc/uptime
  last=$((\${now%.*} + $1))
  while [ -n "$(running_members)" ]; do
    read -r now _ </proc/uptime
    [ "\${now%.*}" -le "$last" ] || return 1
    sleep 0.1
  done
}

end_run() {
  succeeded && return 0
  identify_run
  if ours; then
    kill -s TERM -- "-$pid" 2>/dev/null
    if ! gone_within "$grace"; then
      kill -s KILL -- "-$pid" 2>/dev/null
      gone_within 10 || { echo "process group $pid does not end" >&2; exit 1; }
    fi
  fi
  succeeded
}

for run in "$@"; do
  folder=$runs/$run
  end_run
done
echo "$result"
`

/**
 * Prints the runs that still run, then `asked`. One that is only reserved can no longer start.
 * Parameters: the folder of runs, the runs.
 */
export const askScript = `
runs=$1
shift
${groupFunctions}
for run in "$@"; do
  folder=$runs/$run
  identify_run
  [ -e "$folder/done" ] || { ours && echo "$run"; }
done
echo asked
`

/** Removes the state of runs. Parameters: the folder of runs, their minimum age in minutes, the prefixes of their names. */
export const cleanUpScript = `
runs=$1
minutes=$2
shift 2
for prefix in "$@"; do
  for folder in "$runs/$prefix"*; do
    [ -d "$folder" ] || continue
    [ "$minutes" = 0 ] || [ -n "$(find "$folder" -maxdepth 0 -mmin "+$minutes")" ] || continue
    rm -rf "$folder" || exit 1
  done
done
`

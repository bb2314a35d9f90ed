// What runs on a machine. These texts are constant: whatever differs comes as positional parameters, and none of those
// is ever read as shell. POSIX sh on Linux; /proc tells what lives, since small images come without ps.

/** In the environment of each command, so that what was started by us can be told from what has its pid today. */
export const tokenVariable = 'KUSTOS_RUN'

/** What the wrapper says first, once its command can be found again. */
export const startedLine = 'kustos: started'

/**
 * Runs a command as the leader of its own process group and keeps how it ended.
 * Parameters: the folder of runs, the run, the argv. `exec` keeps builtins such as eval from being meant by an argv.
 */
export const wrapper = `
folder=$1/$2
shift 2
(umask 077 && mkdir -p "$folder") || exit 125
rm -f "$folder/exit" || exit 125
echo "$$ $${tokenVariable}" >"$folder/pid.new" || exit 125
mv -f "$folder/pid.new" "$folder/pid" || exit 125
echo '${startedLine}'
(exec "$@") </dev/null
code=$?
echo "$code" >"$folder/exit.new" && mv -f "$folder/exit.new" "$folder/exit"
exit "$code"
`

/**
 * Ends what lives of a run: TERM, and KILL for what is left after some time. A pid that belongs to others meanwhile is
 * told by the token, which none of them carries.
 * Parameters: the folder of runs, the run, the seconds between TERM and KILL. Says `succeeded` where the run came to its
 * end with exit code 0, else `none`; exits with 1 where something cannot be ended.
 */
export const ending = `
folder=$1/$2
patience=$3

succeeded() {
  [ "$(cat "$folder/exit" 2>/dev/null)" = 0 ] && echo succeeded
}

living() {
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
  for member in $(living); do
    { tr '\\0' '\\n' <"/proc/$member/environ" | grep -qxF "${tokenVariable}=$token"; } 2>/dev/null && return 0
  done
  return 1
}

# By the machine's own seconds: on one with a thousand processes a look at all of them takes longer than the sleep.
gone_within() {
  read -r now _ </proc/uptime
  last=$((\${now%.*} + $1))
  while [ -n "$(living)" ]; do
    read -r now _ </proc/uptime
    [ "\${now%.*}" -le "$last" ] || return 1
    sleep 0.1
  done
}

succeeded && exit 0
pid= token=
{ read -r pid token <"$folder/pid"; } 2>/dev/null
if [ "\${pid:-0}" -gt 1 ] && [ -n "$token" ] && ours; then
  kill -s TERM -- "-$pid" 2>/dev/null
  if ! gone_within "$patience"; then
    kill -s KILL -- "-$pid" 2>/dev/null
    gone_within 10 || { echo "process group $pid does not end" >&2; exit 1; }
  fi
fi
succeeded || echo none
`

/** Removes what is kept of runs. Parameters: the folder of runs, what their names start with. */
export const forgetting = `
for folder in "$1/$2"*; do
  [ -d "$folder" ] || continue
  rm -rf "$folder" || exit 1
done
`

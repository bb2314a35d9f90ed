// Constant scripts for POSIX sh on Linux. All values are positional parameters, which no shell interprets. Processes are
// listed from /proc, since small images have no ps.

/** Environment variable by which a process of ours is recognized after its pid may have been reused. */
export const tokenVariable = 'KUSTOS_RUN'

/** Printed once the command can be found again. */
export const startedLine = 'kustos: started'

/**
 * Runs a command as the leader of its own process group and stores its exit code.
 * Parameters: the folder of runs, the run, the argv. `exec` prevents an argv from naming a builtin such as eval.
 */
export const runScript = `
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
 * Ends the processes of a run: TERM, then KILL. A reused pid is recognized by the missing token.
 * Parameters: the folder of runs, the run, the seconds between TERM and KILL. Prints `succeeded` if the run has ended with
 * exit code 0, otherwise `none`; exits with 1 if a process cannot be ended.
 */
export const endScript = `
folder=$1/$2
grace=$3

succeeded() {
  [ "$(cat "$folder/exit" 2>/dev/null)" = 0 ] && echo succeeded
}

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
  for member in $(running_members); do
    { tr '\\0' '\\n' <"/proc/$member/environ" | grep -qxF "${tokenVariable}=$token"; } 2>/dev/null && return 0
  done
  return 1
}

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

succeeded && exit 0
pid= token=
{ read -r pid token <"$folder/pid"; } 2>/dev/null
if [ "\${pid:-0}" -gt 1 ] && [ -n "$token" ] && ours; then
  kill -s TERM -- "-$pid" 2>/dev/null
  if ! gone_within "$grace"; then
    kill -s KILL -- "-$pid" 2>/dev/null
    gone_within 10 || { echo "process group $pid does not end" >&2; exit 1; }
  fi
fi
succeeded || echo none
`

/** Removes the state of runs. Parameters: the folder of runs, the prefix of their names. */
export const cleanUpScript = `
for folder in "$1/$2"*; do
  [ -d "$folder" ] || continue
  rm -rf "$folder" || exit 1
done
`

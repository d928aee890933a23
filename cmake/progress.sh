# Runs a command quietly: a line at the start and every five seconds, the end of its output if it fails.
# Usage: sh progress.sh TITLE COMMAND [ARGUMENT...]
title=$1
shift
log=$(mktemp)
echo "$title"
start=$(date +%s)
while sleep 5 >/dev/null 2>&1; do
  echo "  $(($(date +%s) - start)) s  $(grep . "$log" | tail -n 1 | sed 's/^ *//' | cut -c 1-90)"
done &
beat=$!
trap 'kill $beat 2>/dev/null; rm -f "$log"' EXIT
if ! "$@" >"$log" 2>&1 </dev/null; then
  tail -n 60 "$log" >&2
  echo "$title: failed" >&2
  exit 1
fi

# Runs every fuzzer for some seconds. What is found is in FOLDER/findings; small inputs that made trouble belong in
# tests/data/fuzz/NAME, which is also where each fuzzer begins. Usage: sh fuzz.sh FOLDER SECONDS
set -e
folder=$1 seconds=$2
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$folder/findings"
failed=
for fuzzer in "$folder"/fuzz-*; do
  name=${fuzzer##*/fuzz-}
  mkdir -p "$folder/corpus/$name"
  echo "Fuzzing $name for $seconds seconds"
  if ! "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2000 -max_len=4096 -print_final_stats=0 -verbosity=0 \
      -artifact_prefix="$folder/findings/$name-" "$folder/corpus/$name" "$here/tests/data/fuzz/$name" 2>"$folder/$name.log"; then
    tail -n 30 "$folder/$name.log" >&2
    failed="$failed $name"
  fi
done
[ -z "$failed" ] || { echo "Found something:$failed; see $folder/findings" >&2; exit 1; }

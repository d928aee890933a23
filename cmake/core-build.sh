# Builds the core's tests or fuzzers. Usage: sh core-build.sh FOLDER CMAKE-OPTION...
set -e
folder=$1
shift
here=$(dirname "$0")
mkdir -p "$folder"
sh "$here/progress.sh" "Configuring $folder" \
  cmake -G Ninja -S "$here/.." -B "$folder" -DPython_EXECUTABLE="$(command -v python)" "$@"
sh "$here/progress.sh" "Compiling $folder" ninja -C "$folder"

# Builds the core with CMake options of its own: its tests, its fuzzers, or the Python module with sanitizers.
# Usage: sh core-build.sh FOLDER CMAKE-OPTION...
set -e
folder=$1
shift
here=$(dirname "$0")
mkdir -p "$folder"
sh "$here/progress.sh" "Configuring $folder" \
  cmake -G Ninja -S "$here/.." -B "$folder" -DPython_EXECUTABLE="$(command -v python)" \
  -Dnanobind_DIR="$(python -m nanobind --cmake_dir)" "$@"
sh "$here/progress.sh" "Compiling $folder" ninja -C "$folder"

# Builds the core's tests in C++. Usage: sh core-build.sh FOLDER [CMAKE-OPTION...]
set -e
folder=$1
shift
here=$(dirname "$0")
mkdir -p "$folder"
sh "$here/progress.sh" "Configuring the core's tests" \
  cmake -G Ninja -S "$here/.." -B "$folder" -DWIDL_CORE_TESTS=ON -DPython_EXECUTABLE="$(command -v python)" "$@"
sh "$here/progress.sh" "Compiling the core's tests" ninja -C "$folder"

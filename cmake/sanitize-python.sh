# The quick tests in Python with a native module that has sanitizers. Usage: sh sanitize-python.sh PYTHON FOLDER [TEST...]
#
# The package is put together in FOLDER, from the sources and that module; without the site module, whose hooks would
# find the installed one.
set -e
python=$1 folder=$2
shift 2
here=$(dirname "$0")
cmake -G Ninja -S "$here/.." -B "$folder" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DWIDL_SANITIZE=address,undefined \
  -DPython_EXECUTABLE="$python" -Dnanobind_DIR="$("$python" -m nanobind --cmake_dir)" >"$folder.log" 2>&1 ||
  { tail -n 30 "$folder.log" >&2; exit 1; }
sh "$here/progress.sh" "Compiling the module with sanitizers" ninja -C "$folder"
rm -rf "$folder/package"
mkdir -p "$folder/package"
cp -R "$here/../src/widl" "$folder/package/"
cp "$folder"/_core*.so "$folder/package/widl/"
libraries=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
LD_PRELOAD="$(c++ -print-file-name=libasan.so) $(c++ -print-file-name=libubsan.so)" \
LSAN_OPTIONS="suppressions=$(cd "$here" && pwd)/lsan.supp:print_suppressions=0" \
UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 \
PYTHONMALLOC=malloc PYTHONPATH="$(cd "$folder/package" && pwd):$libraries" \
  "$python" -S -m pytest -q -p no:cacheprovider -m "not slow" "$@"

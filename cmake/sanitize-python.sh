# Tests in Python with a native module that has sanitizers, those marked as slow left out.
# Usage: sh sanitize-python.sh PYTHON FOLDER TEST...
#
# The module was built in FOLDER. The package is put together there, of it and the sources; without the site module,
# whose hooks would find the installed one. What the sanitizers write must not be captured: pytest dies with it.
set -e
python=$1 folder=$2
shift 2
here=$(dirname "$0")
rm -rf "$folder/package"
mkdir -p "$folder/package"
cp -R "$here/../src/widl" "$folder/package/"
rm -f "$folder"/package/widl/_core*.so
cp "$folder"/_core*.so "$folder/package/widl/"
libraries=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
LD_PRELOAD="$(c++ -print-file-name=libasan.so) $(c++ -print-file-name=libubsan.so)" \
LSAN_OPTIONS="suppressions=$(cd "$here" && pwd)/lsan.supp:print_suppressions=0" \
UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 \
PYTHONMALLOC=malloc PYTHONPATH="$(cd "$folder/package" && pwd):$libraries" \
  "$python" -S -m pytest -q --capture=sys -p no:cacheprovider -m "not slow" "$@"

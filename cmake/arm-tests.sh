# The core's tests, and a trained model, translations, orders and headlines of the sample corpus, on an emulated ARM processor:
# all bytes must be those of this machine. Needs Debian with g++-aarch64-linux-gnu and qemu-user; Python for arm64 and the
# wheels of the dependencies come from the package archives. Usage: sh arm-tests.sh FOLDER, with the environment's python first
# on the path.
set -e
folder=$1
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
if ! command -v aarch64-linux-gnu-g++ >/dev/null || ! command -v qemu-aarch64 >/dev/null; then
  echo "ARM tests need a cross compiler and an emulator: apt-get install g++-aarch64-linux-gnu qemu-user" >&2
  exit 2
fi
build() {
  sh "$here/cmake/core-build.sh" "$@" -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Linux \
    -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++
}
build "$folder/core" -DWIDL_CORE_TESTS=ON -DCMAKE_EXE_LINKER_FLAGS=-static
qemu-aarch64 "$folder/core/core-tests"

# Python 3.11 for arm64, unpacked and not installed.
root=$folder/root
if ! [ -x "$root/usr/bin/python3.11" ]; then
  if ! dpkg --print-foreign-architectures | grep -qx arm64; then
    echo "The package itself is not tried: dpkg --add-architecture arm64 && apt-get update" >&2
    exit 2
  fi
  mkdir -p "$folder/debs" "$root"
  (cd "$folder/debs" && sh "$here/cmake/progress.sh" "Fetching Python for ARM" apt-get download -qq \
    $(for package in python3.11 python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libpython3.11-dev libc6 \
      libstdc++6 libgcc-s1 zlib1g libexpat1 libssl3 libffi8 libsqlite3-0 libbz2-1.0 liblzma5 libuuid1; do
      echo "$package:arm64"; done))
  for package in "$folder"/debs/*.deb; do dpkg -x "$package" "$root"; done
fi
site=$folder/site-packages
if ! [ -d "$site/numpy" ]; then
  python - "$here/pyproject.toml" >"$folder/requirements.txt" <<'END'
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    project = tomllib.load(file)["project"]
extras = project["optional-dependencies"]
for line in dict.fromkeys(project["dependencies"] + extras["translation"] + extras["headline"] + extras["experiments"]):
    if not line.startswith("rouge-score"):  # of which there is no wheel; it is pure Python
        print(line)
END
  sh "$here/cmake/progress.sh" "Fetching wheels for ARM" python -m pip --quiet --disable-pip-version-check install \
    --target "$site" --only-binary=:all: --python-version 3.11 --implementation cp --platform manylinux_2_28_aarch64 \
    --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 --constraint "$here/constraints.txt" \
    --requirement "$folder/requirements.txt"
  python -m pip --quiet --disable-pip-version-check install --target "$site" --no-deps "rouge-score>=0.1.2,<0.2"
fi
build "$folder/module" -DPython_INCLUDE_DIR="$root/usr/include/python3.11" \
  -DCMAKE_CXX_FLAGS="-isystem $root/usr/include"
rm -rf "$folder/package" "$folder/here" "$folder/there"
mkdir "$folder/package"
cp -r "$here/src/widl" "$folder/package/widl"
cp "$folder"/module/_core*.so "$folder/package/widl/_core.so"  # named after the interpreter that configured it

echo "Training, translating, ordering and making headlines, here and on ARM"
python "$here/benchmarks/same_bytes.py" "$folder/here" >"$folder/here.txt"
PYTHONPATH=$folder/package:$site qemu-aarch64 -L "$root" "$root/usr/bin/python3.11" "$here/benchmarks/same_bytes.py" \
  "$folder/there" >"$folder/there.txt"
diff "$folder/here.txt" "$folder/there.txt" && echo "All $(wc -l <"$folder/here.txt") are the same."

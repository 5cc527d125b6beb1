#!/bin/sh
# size.sh BUILD NAME PACKAGE...: how large packages are. One line a figure, `figure NAME VALUE UNIT`.
#
#   NAME_modules       bytes of the modules, each once
#   NAME_package       bytes of the packages, everything in them counted
#   NAME_foz           bytes of the modules alone in a Fossilize database, code as varints
#   NAME_foz_deflate   the same, every entry compressed with zlib at its best level, as Fossilize can store them
#   NAME_package_share NAME_package of NAME_foz_deflate: at most 60 is wanted
set -eu
B=$1 name=$2
shift 2
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT INT TERM
n=0
for p in "$@"; do
	n=$((n + 1))
	"$B/xlate" export --foz "$t/$n.foz" "$p"
done
python3 - "$name" "$t" "$@" <<'EOF'
import glob, json, os, struct, sys, zlib
name, t, packages = sys.argv[1], sys.argv[2], sys.argv[3:]
plain = deflated = modules = 0
for path in glob.glob(t + "/*.foz"):
    d = open(path, "rb").read()
    plain, deflated, at = plain + len(d), deflated + 16, 16
    while at < len(d):
        size = struct.unpack_from("<I", d, at + 40)[0]
        v = d[at + 56:at + 56 + size]
        for m in json.loads(v[:v.index(0)])["shaderModules"].values():
            modules += m["codeSize"]
        deflated += 56 + len(zlib.compress(v, 9))
        at += 56 + size
package = sum(map(os.path.getsize, packages))
for what, value in ("modules", modules), ("package", package), ("foz", plain), ("foz_deflate", deflated):
    print("figure %s_%s %d bytes" % (name, what, value))
print("figure %s_package_share %.1f %%" % (name, 100 * package / deflated))
EOF

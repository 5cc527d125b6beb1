#!/bin/sh
# load_api_test.sh: the loader library as its users get it: what it exports is what the header declares, it needs nothing but
# zstd, xxHash and libc, the header is good C and C++, and the manual names every code.
set -u
. tests/check.sh
needs libxlate_load.so
san=
case $B in */san) san=-fsanitize=address,undefined ;; esac
grep -oE '^XL_LOAD_API [^;]*' libxlate/xlate_load.h | grep -oE 'xl_load_[a-z_]+\(' | tr -d '(' | sort -u >"$t/header"
exports() { nm -D --defined-only "$B/libxlate_load.so" | awk '$2 ~ /[TDBR]/ { sub(/@.*/, "", $3); print $3 }' | sort | diff - "$t/header"; }
check exports exports
static() { nm -g --defined-only "$B/libxlate_load.a" | awk 'NF == 3 { print $3 }' | sort | diff - "$t/header"; }
check static static
needs() { readelf -d "$B/libxlate_load.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^lib(zstd|xxhash|c|dl|pthread|asan|ubsan)\.so|^ld-'; }
alone() { [ -z "$(needs)" ] || { needs; return 1; }; }
check alone alone
cat >"$t/a.cc" <<'END'
#include "xlate_load.h"
int main()
{
	xl_load_info info = {};
	enum xl_load_status status;
	const char *meaning;
	info.size = sizeof(info);
	return xl_load_open(&info, &status) || status != XL_LOAD_USAGE || !*xl_load_code_name(XL_LOAD_DRIVER, &meaning) || !*meaning;
}
END
check c++ ${CXX:-c++} -std=c++11 -Wall -Wextra -Werror $san -Ilibxlate "$t/a.cc" -o "$t/a" "$B/libxlate_load.a" -lzstd -lxxhash -ldl \
	-lpthread
check c++-runs "$t/a"
echo '#include "xlate_load.h"' >"$t/b.c"
check c ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -Ilibxlate -c "$t/b.c" -o "$t/b.o"
codes() {
	sed -n 's/^	CODE([A-Z_]*, "\([a-z-]*\)".*/\1/p' libxlate/xlate_load.h | grep . | while read -r c; do
		sed -n '/^.SH CODES/,/^.SH FILES/p' man/xlate_load.3 | grep -q "\b$c\b" || { echo "no $c"; exit 1; }
	done
}
check codes codes
check_end

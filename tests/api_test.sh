#!/bin/sh
# api_test.sh: the shared library from outside: what it exports, the header in C and in C++, the manual's example.
set -u
cd "$(dirname "$0")/.." || exit 2
. tests/check.sh
needs libxlate.so
san=
case $B in *san) san="-fsanitize=address,undefined" ;; esac

exports() { ! nm -D --defined-only "$B/libxlate.so" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | grep -v '^xl_\|^__\|^_fini$\|^_init$'; }
check exports exports
declared() { # every function of the header is there
	for f in $(grep -o '\bxl_[a-z_]*(' libxlate/xlate.h | tr -d '(' | sort -u); do
		nm -D --defined-only "$B/libxlate.so" | grep -q " $f\(@\|\$\)" || { echo "$f is not exported"; return 1; }
	done
}
check declared declared

{
	echo '#include <xlate.h>'
	echo '#include <cstdio>'
	echo 'int main() { xl_isa_info i; std::puts(xl_version()); return xl_isa_get(0, &i) ? 0 : 1; }'
} >"$t/a.cc"
check c++ ${CXX:-c++} -std=c++11 -Wall -Wextra -Werror $san -Ilibxlate "$t/a.cc" -o "$t/a" "$B/libxlate.so"
ln -sf "$PWD/$B/libxlate.so" "$t/libxlate.so.0"
check c++-runs env LD_LIBRARY_PATH="$t" "$t/a"

# The examples of libxlate(3) and xlate_dump(3), as they stand there.
example_of() { awk '/^\.SH EXAMPLE/ { on = 1; next } on && /^\.nf/ { copy = 1; next } /^\.fi/ { copy = 0 } copy' "man/$1"; }
{
	echo '#include <xlate.h>'
	example_of libxlate.3
	echo 'int main(int argc, char **argv) { return argc == 3 ? translate(argv[1], argv[2]) : 2; }'
} >"$t/b.c"
check example ${CC:-cc} -std=c11 -Wall -Wextra -Werror $san -Ilibxlate "$t/b.c" -o "$t/b" "$B/libxlate.so"
check example-cache "$B/xlate" import -q corpus/navi21/life.json -o "$t/c.xgc"
check example-runs env LD_LIBRARY_PATH="$t" "$t/b" "$t/c.xgc" "$t/p.xlp"
check example-package "$B/xlate" list "$t/p.xlp"
{
	echo '#define XLATE_DUMP_IMPLEMENTATION'
	echo '#include <xlate_dump.h>'
	example_of xlate_dump.3
	echo 'int main(int argc, char **argv) { static const uint8_t end[] = { 0, 0, 0x81, 0xbf };'
	echo 'struct xlate_dump *d = argc == 2 ? xlate_dump_open(argv[1]) : NULL;'
	echo 'if (d)'
	echo '	on_compute(d, end, sizeof(end), 8, 8, 1);'
	echo 'return !d || xlate_dump_close(d); }'
} >"$t/d.c"
dumps() { # one header, nothing but C's own library; and for others in C99 and C++
	${CC:-cc} -std=c11 -pedantic -Wall -Wextra -Werror $san -Ilibxlate "$t/d.c" -o "$t/d"
	"$t/d" "$t/d.xgc"
	"$B/xlate" list "$t/d.xgc" | grep ' blur.comp$'
	"$B/xlate" dis "$t/d.xgc" | grep s_endpgm
	${CC:-cc} -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c libxlate/xlate_dump.h
	${CXX:-c++} -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c++ libxlate/xlate_dump.h
}
check dump-example dumps

# Threads and the order of inputs do not show in a package.
same() {
	"$B/xlate" import -q corpus/navi21/*.json -o "$t/all.xgc"
	"$B/xlate" import -q $(ls -r corpus/navi21/*.json) -o "$t/rev.xgc"
	"$B/xlate" build -q -j 1 "$t/all.xgc" -o "$t/1.xlp" || [ $? = 1 ] # programs refused
	"$B/xlate" build -q -j 3 "$t/rev.xgc" -o "$t/2.xlp" || [ $? = 1 ] # programs refused
	cmp "$t/1.xlp" "$t/2.xlp"
}
check same-bytes same

check_end

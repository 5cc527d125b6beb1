#!/bin/sh
# record5.sh libxlate/record.def: writes xlate-record(5) from the table of facts.
cat <<'H'
.TH XLATE-RECORD 5 "" "xlate" "xlate"
.SH NAME
xlate-record \- facts that a record of a guest pipeline holds
.SH DESCRIPTION
A record says of each fact that it is known, that the guest was not asked, or nothing. What a program needs and its record does not
know is a diagnostic
.RB ( fact ),
not a guess. A fact has one name in guest caches and in
.IR xlate_dump.h ,
and a key in record JSON, where its value is a number or a "0x..." string. A larger value than the largest is
.BR bad-record .
H
facts() {
	sed -n "s/^$1(\([a-z_0-9]*\), \"\([^\"]*\)\", \([^\"]*\), \"\(.*\)\")\$/\1|\2|\3|\4/p" "$2" | while IFS='|' read -r name key most text; do
		[ "$most" = UINT32_MAX ] && most='any 32 bits'
		[ "$most" = UINT64_MAX ] && most='any 64 bits'
		printf '.TP\n.B %s\n%s. Largest: %s.' "$name" "$text" "$(echo "$most" | sed 's/^1 << \([0-9]*\)$/2^\1/')"
		[ -z "$key" ] || [ "$key" = "$name" ] || printf ' JSON: %s.' "$key"
		echo
	done
}
echo '.SH FACTS OF A PIPELINE'
facts PIPELINE_FACT "$1"
echo '.SH FACTS OF A PROGRAM'
facts PROGRAM_FACT "$1"
printf '.SH SEE ALSO\n.BR xlate-cache (5),\n.BR xlate-import (1),\n.BR xlate_dump (3)\n'

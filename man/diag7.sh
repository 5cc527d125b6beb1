#!/bin/sh
# diag7.sh ir/diag.def: writes xlate-diag(7) from the table of diagnostics.
cat <<'H'
.TH XLATE-DIAG 7 "" "xlate" "xlate"
.SH NAME
xlate-diag \- the diagnostics of xlate
.SH DESCRIPTION
A diagnostic is one line on standard error:
.PP
.nf
.I file:record: error: cpu+offset: instruction: reason [code]
.fi
.PP
The code never changes its meaning. Classes: \fImalformed\fR (the input breaks its own format), \fIunsupported\fR (valid,
but not translated), \fItarget\fR (the target cannot express it), \fIinternal\fR (a bug of xlate), \fIio\fR and \fIusage\fR.
.SH CODES
H
sed -n 's/^DIAG([A-Z_0-9]*, "\([^"]*\)", [A-Z]*, \([A-Z]*\), "\(.*\)")$/\1|\2|\3/p' "$1" | while IFS='|' read -r code class text; do
	printf '.TP\n.B %s\n%s. (%s)\n' "$code" "$text" "$(echo "$class" | tr 'A-Z' 'a-z')"
done
printf '.SH SEE ALSO\n.BR xlate (1)\n'

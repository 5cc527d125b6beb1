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
cat <<'H'
.SH FIXED-FUNCTION STATE
Facts of a pipeline that no translation asks for, so that they are part of no key, guard or content. A package carries them, and the
loader makes the pipeline with them where its host gives no state. Two lists belong to them, too:
.TP
.B blends
how colour attachments are blended. JSON: blend, a list of objects in the order of attachments, with enable, src_color, dst_color,
color_op, src_alpha, dst_alpha, alpha_op (0 where absent), write_mask (15) and target (the place in the list).
.TP
.B dynamics
what is set while drawing, VkDynamicState numbers. JSON: dynamic_states.
H
facts PIPELINE_STATE "$1"
cat <<'H'
.SH DESCRIPTOR SETS
JSON: sets, a list of objects with set (its number), size (bytes) and bindings, a list of what lies where. A set without bindings is
only memory: bindings are made up for the descriptors that a program takes from it, and each has its place as path in the reflection.
Its number is the place's byte over 16 (over 4 where handles are words), so that programs of one pipeline that take from one place have
one binding there. How long an array of them is follows from size, from descriptors of another kind behind it and from the target's
limits; what is indexed downwards, or from behind size, is refused. Remarks
.RB ( "xlate explain" )
say what was found. What its images are, which no code says, stands in images, a list of objects with offset (the byte of the
descriptor, or of an array's first one), dim (1d, 2d, 3d, cube, buffer), arrayed, ms, depth, numeric (float, sint, uint) and, of
storage images, format. In guest caches these are rows of the list of images by set and byte.
.PP
A word of such a set through which a program loads descriptors is a pointer to another table, of which nothing is known: that of 32 bits
at byte 16 of set 0 leads to places with paths like \(lqset 0 +16 > +32\(rq. They are bindings of the same set. One at byte Q behind a
pointer at byte P has the number (size + 15) / 16 + Q / 16 * (size / 4) + P / 4, size being the set's, which must be recorded; an array
there has no end but the next descriptor of another kind. behind in an object of images is P, offset is Q then. Pointers behind pointers,
and ones that are indexed, are refused.
H
echo '.SH FACTS OF A PROGRAM'
facts PROGRAM_FACT "$1"
printf '.SH SEE ALSO\n.BR xlate-cache (5),\n.BR xlate-import (1),\n.BR xlate_dump (3)\n'

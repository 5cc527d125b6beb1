# Completion of xlate for bash: asks xlate itself, so that it cannot fall behind.
_xlate()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words= w

	# --option=value comes as three words.
	[ "$cur" = = ] && cur=
	[ "$prev" = = ] && prev=${COMP_WORDS[COMP_CWORD-2]}
	if [ "$COMP_CWORD" = 1 ] || [ "$command" = help ]; then
		words=$(xlate help | sed -n 's/^  \([a-z]*\) .*/\1/p')
	elif [ "$prev" = -t ] || [ "$prev" = --target ] || { [ "$command" = profile ] && [[ $cur != -* ]]; }; then
		words=$(xlate profile 2>/dev/null)
	elif [ "$prev" = --after ]; then
		words=$(xlate ir --list-passes | cut -d ' ' -f 1)
	elif [[ $prev == --* ]] && xlate help "$command" 2>/dev/null | grep -q -e "$prev [a-z]*|[a-z|]*"; then
		words=$(xlate help "$command" | sed -n "s/.*$prev \([a-z|]*\).*/\1/p" | head -n 1 | tr '|' ' ')
	elif [[ $cur == -* ]]; then
		words=$(xlate help "$command" 2>/dev/null | grep -o -e '--[a-z-]*')
	elif [ "$command" = corpus ] && [ "$COMP_CWORD" = 2 ]; then
		words=run
	else
		# Programs of the file that stands before.
		case $command in
		show | dis | ir | spv | cfg | explain | reduce)
			w=${COMP_WORDS[2]}
			[ "$COMP_CWORD" -gt 2 ] && [ -f "$w" ] && words=$(xlate list "$w" 2>/dev/null | sed 's/.*  //')
			;;
		esac
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	[ -n "$words" ] && [[ $prev != -t && $prev != --target ]] || mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur")
}
complete -o filenames -F _xlate xlate

# Completion of xlate for bash: asks xlate itself, so that it cannot fall behind.
_xlate()
{
	local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}

	if [ "$COMP_CWORD" = 1 ] || [ "$command" = help ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(xlate help | sed -n 's/^  \([a-z]*\) .*/\1/p')" -- "$cur")
	elif [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(xlate help "$command" 2>/dev/null | grep -o -- '--[a-z-]*')" -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}
complete -o filenames -F _xlate xlate

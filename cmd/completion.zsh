#compdef xlate
# Completion of xlate for zsh: asks xlate itself, so that it cannot fall behind.
if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then
	compadd -- ${(f)"$(xlate help | sed -n 's/^  \([a-z]*\) .*/\1/p')"}
elif [[ $words[CURRENT] == -* ]]; then
	compadd -- ${(fu)"$(xlate help $words[2] 2>/dev/null | grep -o -- '--[a-z-]*')"}
else
	_files
fi

#compdef xlate
# Completion of xlate for zsh: asks xlate itself, so that it cannot fall behind.
local prev=$words[CURRENT-1] command=$words[2] values
if (( CURRENT == 2 )) || [[ $command == help ]]; then
	compadd -- ${(f)"$(xlate help | sed -n 's/^  \([a-z]*\) .*/\1/p')"}
	return
fi
case $prev in
-t | --target)
	compadd -- ${(f)"$(xlate profile 2>/dev/null)"}
	_files
	return
	;;
--after)
	compadd -- ${(f)"$(xlate ir --list-passes | cut -d ' ' -f 1)"}
	return
	;;
--*)
	values=$(xlate help $command 2>/dev/null | sed -n "s/.*$prev \([a-z]*|[a-z|]*\).*/\1/p" | head -n 1)
	if [[ -n $values ]]; then
		compadd -- ${(s:|:)values}
		return
	fi
	;;
esac
if [[ $words[CURRENT] == -* ]]; then
	compadd -- ${(fu)"$(xlate help $command 2>/dev/null | grep -o -e '--[a-z-]*')"}
elif [[ $command == profile ]]; then
	compadd -- ${(f)"$(xlate profile 2>/dev/null)"}
elif [[ $command == corpus ]] && (( CURRENT == 3 )); then
	compadd -- run
elif [[ $command == (show|dis|ir|spv|cfg|explain|reduce) && -f $words[3] ]] && (( CURRENT > 3 )); then
	compadd -- ${(f)"$(xlate list $words[3] 2>/dev/null | sed 's/.*  //')"}
else
	_files
fi

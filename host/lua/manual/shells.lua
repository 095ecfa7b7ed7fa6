--- The functions that shells call for completion. They ask the program itself, `clue completion --words ...`, so they
-- fit every version of it. It answers with a line for each word: the word, a tab, and a description. A line that begins
-- with a colon says which files fit: ":files", with endings, or ":folders".
-- @table shells
-- @field bash
-- @field zsh

return {
bash = [=[
# bash completion for clue; printed by `clue completion bash`
_clue() {
    local cur=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]/#\~/$HOME} tab=$'\t' line file ending
    local -a found=()
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :folders)
                compopt -o filenames
                while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$cur")
                ;;
            :files*)
                compopt -o filenames
                while IFS= read -r file; do
                    if [[ -d $file || $line == ":files" ]]; then COMPREPLY+=("$file"); continue; fi
                    for ending in ${line#:files}; do [[ $file == *"$ending" ]] && COMPREPLY+=("$file"); done
                done < <(compgen -f -- "${cur/#=/}")
                ;;
            *) found+=("$line") ;;
        esac
    done < <("$program" completion --words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    # Descriptions are shown in a list, and never inserted.
    if ((${#found[@]} + ${#COMPREPLY[@]} > 1 && COMP_TYPE == 63)); then
        for line in "${found[@]}"; do
            file=${line%%"$tab"*} line=${line#*"$tab"}
            [[ $line ]] && printf -v file '%-16s %s' "$file" "($line)"
            COMPREPLY+=("${file:0:${COLUMNS:-80}-2}")
        done
    else
        for line in "${found[@]}"; do COMPREPLY+=("${line%%"$tab"*}"); done
    fi
}
complete -F _clue clue
]=],
zsh = [=[
#compdef clue
# zsh completion for clue; printed by `clue completion zsh`
_clue() {
    local line kind program=${words[1]/#\~/$HOME}
    local -a found
    integer result=1
    for line in "${(@f)$("$program" completion --words "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
            :*) kind=$line ;;
            ?*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        esac
    done
    ((${#found})) && _describe -t words word found && result=0
    case $kind in
        :folders) _files -/ && result=0 ;;
        :files) _files && result=0 ;;
        :files*) _files -g "*(${(j:|:)${=kind#:files }})(-.)" && result=0 ;;
    esac
    return result
}
if [ "$funcstack[1]" = _clue ]; then _clue "$@"; else compdef _clue clue; fi
]=],
}

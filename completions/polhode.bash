# Completion of polhode for bash. What a scenario can name comes from `polhode list`.
_polhode() {
  local cur prev command i
  cur=${COMP_WORDS[COMP_CWORD]}
  prev=${COMP_WORDS[COMP_CWORD - 1]}
  # bash splits at = and :, so a value of --set comes in three words.
  local key=
  if [[ $cur == = ]]; then
    key=$prev cur=
  elif [[ $prev == = ]]; then
    key=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  command=
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${COMP_WORDS[i]} in
      run | ensemble | list | bench | reproduce | conformance | help) command=${COMP_WORDS[i]}; break ;;
    esac
  done
  local program=${COMP_WORDS[0]}
  case $key in
    method.name) COMPREPLY=($(compgen -W "$("$program" list methods --names 2>/dev/null)" -- "$cur")); return ;;
    method.scheme) COMPREPLY=($(compgen -W "$("$program" list schemes --names 2>/dev/null)" -- "$cur")); return ;;
    method.free) COMPREPLY=($(compgen -W "$("$program" list methods --names 2>/dev/null)" -- "$cur")); return ;;
    system.kind) COMPREPLY=($(compgen -W "$("$program" list systems --names 2>/dev/null)" -- "$cur")); return ;;
    ?*) return ;;
  esac
  case $prev in
    --set)
      COMPREPLY=($(compgen -W "system.kind= method.name= method.step= method.steps= method.duration= method.scheme= method.free=" -- "$cur"))
      compopt -o nospace 2>/dev/null
      return ;;
    --output | --score) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    --out) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    --every | --threads) return ;;
  esac
  local words=
  case $command in
    '') words="run ensemble list bench reproduce conformance help --version --cite --help" ;;
    run) words="--set --json --output --every --help" ;;
    ensemble) words="--set --json --again --output --every --threads --help" ;;
    list) words="systems torques methods schemes experiments --json --names --help" ;;
    bench) words="--json --lengths --output --help" ;;
    reproduce)
      words="--quick --again --out --threads --help"
      [[ $cur == -* ]] || words=$("$program" list experiments --names 2>/dev/null) ;;
    conformance) words="--out --score --json --help" ;;
    help) words="$("$program" help 2>/dev/null | sed -n 's/^    \([a-z]*\) .*/\1/p') --man --help" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [[ $command == run || $command == ensemble ]] && [[ $cur != -* ]]; then
    COMPREPLY=($(compgen -f -X '!*.toml' -- "$cur") $(compgen -d -S / -- "$cur"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _polhode polhode

# shellcheck shell=bash
# What the tools beside this folder share, which source it: where things are, the driver, and the options.
# shellcheck disable=SC2034 # here and clue are the tools'
here=$(cd "$(dirname "$0")" && pwd)
clue=$(realpath "${CLUE:-$here/../../build/clue}")
export RUSTICL_ENABLE=llvmpipe
ulimit -c 0

# A folder of <build>/tests/icd becomes the drivers that clue sees; a build without tests takes those of build/.
use_driver() { # NAME
  local icd
  icd=$(dirname "$clue")/tests/icd
  [ -d "$icd" ] || icd=$here/../../build/tests/icd
  OCL_ICD_VENDORS=$(realpath "$icd")/$1
  export OCL_ICD_VENDORS
}

# Takes the options. NAMES lists them: NAME sets the variable NAME to the word behind --NAME, NAME=VARIABLE another one,
# NAME! takes no value. Other words are refused, unless NAMES ends with "..."; then they are left in the array rest.
options() { # NAMES WORD...
  local known=$1 each found names
  shift
  while [ $# -gt 0 ]; do
    found=""
    for each in $known; do
      names=${each%!}
      [ "$1" != "--${names%%=*}" ] || found=$each
    done
    if [ -z "$found" ]; then
      [[ $1 == -* || $known != *... ]] || break
      echo "$(basename "$0"): no option $1: its head has all" >&2
      exit 2
    fi
    if [[ $found == *! ]]; then
      printf -v "${found%!}" %s "${found%!}"
    elif [ $# -gt 1 ]; then
      printf -v "${found#*=}" %s "$2"
      shift
    else
      echo "$(basename "$0"): $1 needs a value" >&2
      exit 2
    fi
    shift
  done
  rest=("$@")
}

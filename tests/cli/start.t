# The first minutes: weft, help, words that weft does not know.

== weft alone says what to begin with.
$ weft
out weft emu TRACE
out weft stat TRACE
out weft help
empty err

== make says what to do next, the first time and the second.
sh mkdir done once; printf 'build installed: phony\n' >done/build.ninja
sh printf 'rule cc\n command = echo warning: odd >&2; touch once\nbuild installed: cc\n' >once/build.ninja
$ make --no-print-directory -C "$SOURCE" BUILD="$PWD/done"
out done/weft is built
no out no work to do
empty err
$ make --no-print-directory -C "$SOURCE" BUILD="$PWD/once"
out warning: odd
sh printf 'rule cc\n command = echo mistake; false\nbuild installed: cc\n' >once/build.ninja
$ make --no-print-directory -C "$SOURCE" BUILD="$PWD/once"
exit 2
out mistake
no out is built

== help lists every command.
$ weft help
out Usage: weft COMMAND
out   emu  
out   stat  
out   models  
out   events  
out   version  
out   help  
empty err
$ weft --help
out   emu  
$ weft -h
out   emu  

== The help of a command has its options and an example.
$ weft help emu
out Usage: weft emu [OPTIONS] TRACE
out -o, --output DIR
out -f, --format LIST
out -c, --clocks FILE
out -a, --all-models
out --max-findings N
out -q, --quiet
out -h, --help
out Examples:
empty err

== An unknown command is named, with what to do.
$ weft frobnicate
exit 2
empty out
err weft: error: unknown command "frobnicate"; 'weft help' lists them

== An unknown option before the command is no command.
$ weft --frobnicate emu
exit 2
err unknown option --frobnicate before the command; 'weft help' lists the commands

== An empty word is no command.
$ weft ''
exit 2
err unknown command ""

== A command that does not exist has no help.
$ weft help frobnicate
exit 2
empty out
err unknown command "frobnicate"
err weft help

== Control bytes of the command line do not reach the terminal.
$ weft $'evil\e[31m'
exit 2
err unknown command "evil?[31m"

== version says what is in the build.
$ weft version
out weft 0.
out reads
out ovni
out models
out nanos6 1.2.0
out writes
out prv
out csv
out json-c
empty err
$ weft --version
out weft 0.
out  prv, stores of tasks

== A full device is no success.
$ weft help >/dev/full
exit 3
err cannot write to standard output: No space left on device
$ weft version >/dev/full
exit 3
$ weft models >/dev/full
exit 3
$ weft events >/dev/full
exit 3

== A full device is no success of weft alone.
$ weft >/dev/full
exit 3

== Standard output may be closed.
$ weft help >&-
exit 3
err cannot write to standard output: Bad file descriptor


# Usage errors: the exit code is 2, and the message says what is wrong and what
# to do.

== An unknown option is named.
$ weft emu --frobnicate trace
exit 2
empty out
err weft emu: error: unknown option --frobnicate
err Try 'weft help emu'.
$ weft stat -Z trace
exit 2
err weft stat: error: unknown option -Z
err Try 'weft help stat'.

== The words of perf are answered with ours.
$ weft record ./prog
exit 2
err unknown command "record"; did you mean weft run?
$ weft report
exit 2
err unknown command "report"; did you mean weft stat?

== What options are for fits into the width.
$ COLUMNS=80 weft help stat | sed '1,/^Options/d' | awk 'length > 80 { print }'
out is
$ weft help stat
out     --by WHAT              state (all threads together), thread, cpu, label or type (of tasks)

== A missing argument is named.
$ weft emu
exit 2
empty out
err missing argument: TRACE
err Try 'weft help emu'.
$ weft stat -q
exit 2
err missing argument: TRACE

== An argument too many is named.
$ weft sort one two
exit 2
err unexpected argument "two"
no file *.weft

== An option without its argument is named.
$ weft emu trace -o
exit 2
err -o needs an argument
$ weft emu trace --format
exit 2
err --format needs an argument
$ weft emu trace --to
exit 2
err --to needs an argument

== A number must be one.
$ weft emu --max-findings many trace
exit 2
err --max-findings needs a number, not "many"
$ weft emu --max-findings -1 trace
exit 2
err not "-1"
$ weft emu --max-findings 99999999999999999999 trace
exit 2
err --max-findings needs a number
$ weft emu --max-findings '' trace
exit 2
err --max-findings needs a number

== --by takes a few words.
$ weft stat --by host trace
exit 2
err --by takes one of state,thread,cpu,label,type, not "host"
err Try 'weft help stat'.

== An output format that does not exist is named, with those that do.
trace t
$ weft emu -f nosuch t -o out || true
err unknown output format "nosuch"; there are: prv, csv, index, perfetto
no file out/*
$ weft emu -f prv,nosuch t -o out || true
err "nosuch"
no file out/*
$ weft emu -f '' t -o out || true
err unknown output format ""
empty out

== An unknown output format is a mistake in asking.
trace t
$ weft emu -f nosuch t
exit 2

== A format has one option in every command, and short words for two of them.
trace t
$ weft stat -f csv t >a; weft stat --format csv t >b; weft stat --csv t >c; cmp a b && cmp a c && head -n 1 a
out row,
$ weft stat -f json t >a; weft stat --json t >b; cmp a b && head -c 1 a
out {
$ weft check -f json t >a; weft check --json t >b; cmp a b && head -c 1 a
out {
$ weft dump -f json t >a; weft dump --json t >b; cmp a b && head -c 1 a
out {
$ weft top -f json t >a; weft top --json t >b; cmp a b && head -c 1 a
out {
$ weft emu -q -f csv t -o a1; weft emu -q --csv t -o b1; cmp a1/states.csv b1/states.csv
no file a1/*.prv
no file b1/*.prv
$ weft top -f text t >a; weft top t >b; cmp a b
$ weft stat -f text t >a; weft stat t >b; cmp a b
$ weft check -f text t >a; weft check t >b; cmp a b

== Two formats exclude each other if one has its short word; else the last holds.
trace t
$ weft stat --csv --json t
exit 2
err weft stat: error: --csv and --json exclude each other
$ weft top -f ovnitop --json t
exit 2
err weft top: error: --format ovnitop and --json exclude each other
$ weft mem report --view leaks --tree t
exit 2
err --view leaks and --tree exclude each other
$ weft stat --chart --csv t
exit 2
err --chart and --csv exclude each other
$ weft stat --csv -f csv t | head -n 1
out row,
$ weft stat -f csv -f json t | head -c 1
out {

== What is no format is named, with those that are.
trace t
$ weft stat -f jsn t
exit 2
err --format takes one of text,csv,json, not "jsn"; did you mean json?
$ weft check --format csv t
exit 2
err --format takes one of text,json, not "csv"

== Of all lines of a table, 0 is the number.
trace t
$ weft stat --top 0 t >a; weft stat t >b; cmp a b
$ weft stat --open --top 0 t
exit 2
err --top cannot be combined with it

== An unknown type is a mistake in asking.
trace t
$ weft stat --type nosuch t
exit 2

== Options may stand after the trace, and be shortened.
trace t
$ weft emu t -q --ou out
file out/thread.prv

== Two dashes end the options.
trace -t
$ weft emu -o out -- -t
file out/thread.prv

== With -q a command says nothing that nobody asked for.
trace t
$ weft emu -q t -o out && weft check -q t && weft sort -q t -o s && weft sort -q --check t
empty out
empty err
$ weft emu t -o out --quiet
empty out
$ weft top -q t | head -n 1
out event
$ weft stat -q t
out Running
empty err
$ weft run -q -o r true
empty out
empty err

== With -q, errors and warnings are still said.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
$ weft emu -q t -o out
exit 1
empty out
err is not dead
no err the trace has
$ weft check -q t | grep -vc 'error: '
exit 1
out is
| 0
$ weft check -q --repair t -o whole
out is not dead
no out output:
file whole/loom.n.0/proc.9/thread.10/stream.obs

== A value of an option that is nearly one of those that it takes.
trace t
$ weft stat --by thraed t
exit 2
err did you mean thread?
$ weft top --by evnt t
exit 2
err did you mean event?
$ weft top --format jsn t
exit 2
err did you mean json?
$ weft dump --format jsno t
exit 2
err did you mean json?
$ weft emu -f csv,prw t
exit 2
err there are: prv, csv, index, perfetto,
err did you mean prv?
$ weft dump --only-model nanos7 t
exit 2
err did you mean nanos6?
$ weft mem report --view peek t
exit 2
err did you mean peak?
$ weft stat --by zzz t
exit 2
no err did you mean

== Paths to copy into a shell: quoted, and no options.
trace t
$ weft emu t -o 'a b'
out open in Paraver: 'a b/thread.prv'
$ weft emu t -o -dash
out open in Paraver: ./-dash/thread.prv

== The numbers of weft view have limits.
$ weft view --mem 15 t
exit 2
err weft view: error: --mem is 16 to 1000000 MB
$ weft view --mem 1000001 t
exit 2
err weft view: error: --mem is 16 to 1000000 MB
$ weft view --port 65536 t
exit 2
err weft view: error: --port is at most 65535

== Options of weft view that contradict each other are refused.
$ weft view --relate b=a+1s a b
exit 2
err weft view: error: --relate and --side-by-side need --together
$ weft view --report - t
exit 2
err weft view: error: --report needs the name of a file
$ weft view --report r.html --port 4000 t
exit 2
err weft view: error: --report starts no server: leave out --port
$ weft view --report r.html 't#a=1'
exit 2
err weft view: error: a report holds the whole trace: leave out what follows #

# ctf2prv by its name; golden/views has the traces.

== Usage.
$ (exec -a ctf2prv weft)
exit 1
err Usage: ctf2prv [--fast] [-jq] [-o DIR] [-f TYPES] TRACE

== What is no trace.
$ (exec -a ctf2prv weft nosuch)
exit 1
err ctf2prv: error: nosuch
no file nosuch

== A trace of another kind.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
$ (exec -a ctf2prv weft -o out t)
exit 1
err no CTF trace of Nanos6

== A view is named, or a mistake.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 6W]
  event 60 OHe
$ weft emu t -q --view subsystem,idle --thread 10 --to csv -o out
$ cut -d, -f4 out/states.csv
out nanos6.subsystem
out nanos6.idle
no out nanos6.rank
no out ovni.
$ weft emu t -q --view nosuch
exit 2
err there is no view "nosuch"; there are: status

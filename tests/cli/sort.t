# weft sort: unsorted regions.

== A region is sorted into what stands before it, in a copy.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 30 6W[
  event 40 6W]
  event 50 OU[
  event 20 OB.
  event 60 OU]
  event 70 OHe
$ weft sort t
out 4 events of 7 moved, 1 region
no file t.sorted/*.tmp*
empty err
$ weft sort --check t
exit 1
out thread.10/stream.obs: byte 72: goes backwards 50 -> 20 ns, in all 1 time in 7 events
out 1 stream, 1 not in order
$ weft sort --check t.sorted
out in order, 7 events
out 1 stream, 0 not in order
$ cmp t/loom.n.0/proc.9/thread.10/stream.json t.sorted/loom.n.0/proc.9/thread.10/stream.json
$ weft check t.sorted
out 0 errors, 0 warnings

== The last line says where the copy is.
trace t
$ weft sort t -o out/deep
out 1 stream, 2 events, 0 regions, 0 events moved
out output: out/deep
$ cmp t/loom.n.0/proc.9/thread.10/stream.obs out/deep/loom.n.0/proc.9/thread.10/stream.obs

== Offsets of clocks come along, other files do not.
unchecked one is no file of Paraver's
trace t
sh echo x > t/clock-offsets.txt; echo x > t/thread.prv
$ weft sort t
file t.sorted/clock-offsets.txt
no file t.sorted/thread.prv

== A folder that has something in it is refused.
trace t
$ weft sort t
$ weft sort t
exit 3
err t.sorted is not empty

== A folder in the trace is refused.
trace t
$ weft sort -o t/sorted t
exit 3
err lies in the trace
no file t/sorted

== What lies further back than allowed.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 30 6W[
  event 40 6W]
  event 50 OU[
  event 20 OB.
  event 60 OU]
  event 70 OHe
$ weft sort --look-back 2 t
exit 3
err byte 84: cannot find a event previous to clock 20
$ weft sort --look-back 5 t
$ weft sort --look-back 0 t -o u
exit 2
err --look-back needs a number above 0

== An empty region is odd.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OU[
  event 60 OU]
  event 70 OHe
$ weft sort t
err warning: t/loom.n.0/proc.9/thread.10/stream.obs: byte 48: the unsorted region is empty
out 1 region

== What is outside of regions stays, with a warning.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 6W[
  event 40 6W]
  event 70 OHe
$ weft sort t
err still goes backwards 1 time, outside of regions
$ weft sort --check t.sorted
exit 1

== A stream that is cut is copied up to the cut.
trace t
  cut 5
$ weft sort t
err byte 36: the last event is incomplete: 7 bytes are left out
$ weft check t.sorted
exit 1
no out incomplete

== A damaged stream is copied up to the damage, and the code is 1.
trace t
  bytes 1f 41 41 41
$ weft sort t
exit 1
err byte 48: no event begins here: 4 bytes are left out

== What is no stream is copied as it is.
trace t
trace u
  header 0001
$ weft sort u
exit 1
err not an ovni stream
$ cmp u/loom.n.0/proc.9/thread.10/stream.obs u.sorted/loom.n.0/proc.9/thread.10/stream.obs
$ weft sort --check u
exit 1
err not an ovni stream

== No trace at all.
sh mkdir empty
$ weft sort empty
exit 3
err empty: the directory is empty
$ weft sort nothing
exit 3
err nothing

== The current folder has a name, too.
trace d/t
$ cd d/t && weft sort .
out d/t.sorted

== A folder that cannot be read is not one without streams only.
needs root
trace t
sh chmod 0 t/loom*
$ nobody: weft sort t
exit 3
err left out: Permission denied
err no stream.obs that can be read
sh chmod 755 t/loom*

== A folder that cannot be written to.
needs root
trace t
sh chmod 555 .
$ nobody: weft sort t
exit 3
err t.sorted

# The names of the ovni tools: options, places, texts and codes that scripts know.

== ovniemu writes into the trace and says so.
trace t
sh cp -r t u
$ (exec -a ovniemu weft u)
err ovniemu: INFO: loaded 1 streams
err ovniemu: INFO: emulation finished ok
file u/thread.prv
file u/cpu.pcf

== ovniemu without a trace, or with a bad option, prints its usage.
$ (exec -a ovniemu weft)
exit 1
err Usage: ovniemu [-c offsetfile] [-abdlh] tracedir
err Available emulation models:
err   6 nanos6 1.1.0
$ (exec -a ovniemu weft -z t)
exit 1
err Usage: ovniemu
$ (exec -a ovniemu weft nosuch)
exit 1
err ovniemu: ERROR: nosuch

== A missing finish is refused.
trace t
  json ovni.finished
sh cp -r t u
$ (exec -a ovniemu weft u)
exit 1
err missing ovni.finished
no file u/thread.prv

== No CPUs, a taken index, another version.
trace t
  json ovni.loom_cpus
sh cp -r t u
$ (exec -a ovniemu weft u)
exit 1
err has no physical CPUs
trace v
  json ovni.loom_cpus [{"index": 0, "phyid": 1}, {"index": 0, "phyid": 2}]
sh cp -r v w
$ (exec -a ovniemu weft w)
exit 1
err cpu with index 0 already taken
trace x
  json ovni.require {"ovni": "666.66.6"}
sh cp -r x y
$ (exec -a ovniemu weft y)
exit 1
err unsupported ovni model version (want 666.66.6, have

== The same value twice ends the run.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6W[
  event 40 OHe
sh cp -r t u
$ (exec -a ovniemu weft u)
exit 1
err same value as last_value
err emulation failed
file u/thread.prv

== Bodies are refused with the words of the old tool.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 str "a"
  event 30 6Tc u32 1 u32 1
  event 40 6Tx u32 1
  event 50 6Tp u32 1
  event 60 6Tx u32 1
sh cp -r t u
$ (exec -a ovniemu weft u)
exit 1
err body_execute: refusing to run body(id=1,taskid=1) in Paused state, needs to resume intead
trace v
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 str "a"
  event 30 6Tc u32 1 u32 1
  event 40 6Tx u32 1
  event 50 6Tx u32 1
sh cp -r v w
$ (exec -a ovniemu weft w)
exit 1
err body_execute: body(id=1,taskid=1) state must be Created but is Running
trace x
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 str "a"
  event 30 6Tc u32 1 u32 1
  event 40 6Tx u32 1
  event 50 6Te u32 1
  event 60 6Tx u32 1
sh cp -r x y
$ (exec -a ovniemu weft y)
exit 1
err body_execute: body(id=1,taskid=1) is not allowed to run again

== The linter names what stays open.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 40 OHe
sh cp -r t u
$ (exec -a ovniemu weft u)
$ (exec -a ovniemu weft -l u)
exit 1
err thread 10 ended with 1 stacked nanos6 subsystems

== All models on request.
trace t
sh cp -r t u
$ (exec -a ovniemu weft -a u)
err models are enabled

== ovnidump and ovnitop print what they did; ovniver answers.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 40 OHe
$ (exec -a ovnidump weft t)
out         10  OHx  loom.n.0/proc.9/thread.10  begins the execution on CPU 0
$ (exec -a ovnitop weft t)
out OHe
$ (exec -a ovnidump weft nosuch) || echo code $?
out code 255
$ (exec -a ovniver weft)
out LD_LIBRARY_PATH

== ovnisort sorts in place, and -c only looks.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OU[
  event 30 6W[
  event 40 6W]
  event 60 OU]
  event 70 OHe
sh cp -r t u
$ (exec -a ovnisort weft -c u)
exit 1
err backwards jump in time 50 -> 30
$ (exec -a ovnisort weft u)
$ (exec -a ovnisort weft -c u)
$ (exec -a ovnidump weft u) | cut -c1-15 | tr '\n' ' '
out         10  OHx         30  6W[         40  6W]         50  OU[

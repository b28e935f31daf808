# The names of the ovni tools: options, directories, texts and exit codes that
# scripts know.

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
no err linux
no err nanos6-ctf
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
err emulation finished with errors
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

== The linter names the sections of each model.
trace t
  json ovni.require {"ovni": "1.1.0", "tampi": "1.0.0", "mpi": "1.0.0", "openmp": "1.2.1", "nodes": "1.0.0", "nosv": "2.7.0", "kernel": "1.0.0"}
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 TLi
  event 21 MS[
  event 22 PBb
  event 23 DC[
  event 24 VU[
  event 30 OHe
  event 40 KCO
sh cp -r t u
$ (exec -a ovniemu weft u)
$ (exec -a ovniemu weft -l u)
exit 1
err thread 10 ended with 1 stacked tampi subsystems
err thread 10 ended with 1 stacked mpi functions
err thread 10 ended with 1 stacked openmp subsystems
err thread 10 ended with 1 stacked nodes subsystems
err thread 10 ended with 1 stacked nosv subsystems
no err kernel context_switch

== The same MPI function twice, and an event of a thread that is out of the CPU.
trace t
  json ovni.require {"ovni": "1.1.0", "mpi": "1.0.0"}
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 MS[
  event 21 MS[
sh cp -r t u
$ (exec -a ovniemu weft u)
exit 1
err same value as last_value
trace v
  json ovni.require {"ovni": "1.1.0", "kernel": "1.0.0", "nosv": "2.7.0"}
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 KCO
  event 21 VU[
sh cp -r v w
$ (exec -a ovniemu weft w)
exit 1
err current thread 10 out of CPU

== A model that no thread requires, and one of an older major version.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 VU[
sh cp -r t u
$ (exec -a ovniemu weft u)
exit 1
err model nosv not enabled for event
trace v
  json ovni.require {"ovni": "1.1.0", "nosv": "1.0.0"}
  event 10 OHx i32 0 i32 -1 u64 0
sh cp -r v w
$ (exec -a ovniemu weft w)
exit 1
err unsupported nosv model version

== A breakdown of nosv needs a word of each thread.
trace t
  json ovni.require {"ovni": "1.1.0", "nosv": "2.7.0"}
  event 10 OHx i32 0 i32 -1 u64 0
  event 40 OHe
sh cp -r t u
$ (exec -a ovniemu weft u)
$ (exec -a ovniemu weft -b u)
exit 1
err missing nosv.can_breakdown key
$ weft emu -q -b -o free t
err no breakdown of nOS-V: 1 of 1 threads do not say that they can be part of one (nosv.can_breakdown)
no file free/nosv-breakdown.prv
trace v
  json ovni.require {"ovni": "1.1.0", "nosv": "2.7.0"}
  json nosv.can_breakdown false
  event 10 OHx i32 0 i32 -1 u64 0
  event 40 OHe
sh cp -r v w
$ (exec -a ovniemu weft -b w)
err WARN: cannot enable breakdown for nOS-V model
no file w/nosv-breakdown.prv
trace x
  json ovni.require {"ovni": "1.1.0", "nosv": "2.7.0"}
  json nosv.can_breakdown true
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 VU[
  event 40 OHe
sh cp -r x y
$ (exec -a ovniemu weft -b y)
file y/nosv-breakdown.prv

== The counters of nosv are "0", "1"..., with names.
trace t
  json ovni.require {"ovni": "1.1.0", "nosv": "2.7.0"}
  json nosv.hwc {"0": {"name": "A"}, "2": {"name": "B"}}
  event 10 OHx i32 0 i32 -1 u64 0
  event 40 OHe
sh cp -r t u
$ (exec -a ovniemu weft u)
exit 1
err its counters must be "0", "1"..., each with a name
trace v
  json ovni.require {"ovni": "1.1.0"}
  json nosv.hwc {"0": {"name": "A"}, "2": {"name": "B"}}
  event 10 OHx i32 0 i32 -1 u64 0
  event 40 OHe
sh cp -r v w
$ (exec -a ovniemu weft w)

== A killed thread that was out of the CPU is switched in by a repair.
trace t
  json ovni.require {"ovni": "1.1.0", "kernel": "1.0.0"}
  json ovni.finished
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 KCO
$ weft emu -q t -o out -f csv
out
$ grep 'context_switch' out/states.csv
out kernel.context_switch,3,Context switch: Out of the CPU
out 10,thread,TH 1.10,kernel.context_switch,,
$ weft check --repair t
$ weft dump t.repaired
out KCI
$ (exec -a ovniemu weft t.repaired)

== All models on request.
trace t
sh cp -r t u
$ (exec -a ovniemu weft -a u)
err models are enabled
err all 8 models are enabled

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

== ovniver names the library that LD_LIBRARY_PATH gives a program.
$ LD_LIBRARY_PATH="$WEFT_STORE_DIR/../inproc" bash -c 'exec -a ovniver weft'
out LD_LIBRARY_PATH set to /
out libovni: build 1.14.0 (weft-
out , dynamic 1.14.0 (weft-
$ env LD_LIBRARY_PATH=/nosuch bash -c 'exec -a ovniver weft'
out LD_LIBRARY_PATH set to /nosuch
out libovni: build 1.14.0 (weft-
$ env -u LD_LIBRARY_PATH bash -c 'exec -a ovniver weft'
out LD_LIBRARY_PATH not set
$ (exec -a ovniver weft x)
exit 1
err Usage: ovniver

== ovnievents lists the events of ovni's models, in the order of their letters.
$ (exec -a ovnievents weft) >page; grep -c '^<dt>' page
out is
| 365
$ (exec -a ovnievents weft) | grep -c '^Built on [A-Z]'
out is
| 1
$ (exec -a ovnievents weft) | grep '^## '
out is
| ## Model nanos6
| ## Model nodes
| ## Model kernel
| ## Model mpi
| ## Model ovni
| ## Model openmp
| ## Model tampi
| ## Model nosv
$ (exec -a ovnievents weft) | grep -A1 -F -e '6O[' -e OHx -e 'OU]' -e 6TC
out is
| <dt><a id="6O[" href="#6O["><pre>6O[</pre></a></dt>
| <dd>begins running the task body as taskfor collaborator</dd>
| --
| <dt><a id="OHx" href="#OHx"><pre>OHx(i32 cpu, i32 tid, u64 tag)</pre></a></dt>
| <dd>begins the execution on CPU %{cpu} created from %{tid} with tag %{tag}</dd>
| --
| <dt><a id="OU]" href="#OU]"><pre>OU]</pre></a></dt>
| <dd>bounds a region of unsorted events</dd>
$ (exec -a ovnievents weft nosv)
exit 1
err Usage: ovnievents

== Events that need no payload, and those with any third letter, are taken.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OB[
  event 21 OB~
  event 22 OCn
  event 23 OU.
  event 40 OHe
sh cp -r t u
$ (exec -a ovniemu weft u)
err emulation finished ok

== ovnidump -x has the column of the payload in every line.
trace t
$ (exec -a ovnidump weft -x t)
out is
|         10  OHx  loom.n.0/proc.9/thread.10  :00:00:00:00:ff:ff:ff:ff:00:00:00:00:00:00:00:00
|         50  OHe  loom.n.0/proc.9/thread.10  

== ovnidump prints clocks as they are in the streams, also where they go back.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OU[
  event 30 6W[
  event 40 6W]
  event 60 OU]
  event 70 OHe
$ (exec -a ovnidump weft t) | cut -c1-15 | tr '\n' ' '
out         10  OHx         50  OU[         30  6W[         40  6W]         60  OU]         70  OHe
$ (exec -a ovnidump weft t)
empty err

== A trace without an event is no error for those that only read it.
trace t
  cut 40
$ (exec -a ovnidump weft t)
empty out
$ (exec -a ovnitop weft t)
empty out

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

== Views of ovniemu have the names and the colours of ovni's; those of emu mean something.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6C[
  event 40 6C]
  event 50 6W]
  event 60 OHe
sh cp -r t u
$ (exec -a ovniemu weft u)
$ grep -h color_palette u/cfg/thread/nanos6/subsystem.cfg u/cfg/thread/ovni/state.cfg
out {3:99,131,0},{4:53,121,221}
out {1:0,100,0},{2:110,110,110},{3:136,0,0},{4:204,178,0}
file u/cfg/cpu/ovni/number-running-threads.cfg
file u/cfg/cpu/ovni/pid.cfg
file u/cfg/cpu/ovni/tid.cfg
file u/cfg/thread/ovni/affinity.cfg
$ head -1 u/cpu.prv
out _ns:0:1:1(
$ grep -A1 "LEVEL NODE" u/cpu.row
out hostname
$ weft emu -q -o out t
$ grep -h color_palette out/cfg/thread/nanos6/subsystem.cfg
out {19:101,103,101},
out ,{3:209,198,154},
file out/cfg/cpu/ovni/number-running-threads.cfg
$ weft emu -q --no-cfg --view ovni/affinity,ovni/number-running-threads -f csv -o named t
$ cut -d, -f4 named/states.csv
out ovni.cpu
out ovni.running
no out ovni.state

== ovniemu has the views of breakdowns among those of CPUs, as ovni does.
trace t
  json ovni.require {"ovni": "1.1.0", "nosv": "2.7.0", "nanos6": "1.1.0", "openmp": "1.2.1"}
  json nosv.can_breakdown true
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 VU[
  event 20 6W[
  event 20 PBb
  event 60 OHe
sh cp -r t u
$ (exec -a ovniemu weft -b u)
file u/cfg/cpu/nanos6/breakdown.cfg
file u/cfg/cpu/nosv/breakdown.cfg
file u/cfg/cpu/openmp/breakdown.cfg
no file u/cfg/nosv-breakdown
$ weft emu -q -b -o out t
file out/cfg/nosv-breakdown/nosv/breakdown.cfg

== ovniemu keeps views that are in the trace.
unchecked one of the views is no view
trace t
sh cp -r t u
$ (exec -a ovniemu weft u)
no err cfg exists
sh echo edited >u/cfg/thread/ovni/state.cfg; rm u/cfg/thread/ovni/tid.cfg
$ (exec -a ovniemu weft u)
err ovniemu: WARN: u/cfg exists
$ head -n 1 u/cfg/thread/ovni/state.cfg u/cfg/thread/ovni/tid.cfg
out edited
out #ParaverCFG

== ovniemu takes views from OVNI_CONFIG_DIR.
unchecked two of the views are no views
trace t
sh mkdir -p views/thread/ovni views/cpu; echo mine >views/thread/ovni/state.cfg; echo own >views/cpu/own.cfg
sh cp -r t u
$ OVNI_CONFIG_DIR=views; export OVNI_CONFIG_DIR; (exec -a ovniemu weft u)
$ cat u/cfg/thread/ovni/state.cfg u/cfg/cpu/own.cfg; head -n 1 u/cfg/thread/ovni/tid.cfg
out is
| mine
| own
| #ParaverCFG
sh echo other >views/cpu/own.cfg
$ OVNI_CONFIG_DIR=views; export OVNI_CONFIG_DIR; (exec -a ovniemu weft u)
err u/cfg exists
$ cat u/cfg/cpu/own.cfg
out is
| own
sh cp -r t v
$ OVNI_CONFIG_DIR=nosuch; export OVNI_CONFIG_DIR; (exec -a ovniemu weft v)
exit 1
err ovniemu: ERROR: OVNI_CONFIG_DIR: nosuch: No such file or directory

== A simulator's times are ps in Paraver, or ns if asked.
write run.tt
| thread a
| 0 a OHx 0 -1 0
| 9 a OHe
$ weft emu --time-unit ps run.tt
exit 2
err --time-unit ps: the times of run.tt are in ns
$ weft emu -q --time-unit ns run.tt -o out
file out/thread.prv

== ovnisync of a process alone writes its host, without MPI.
$ WEFT_MPI_DIR=none; export WEFT_MPI_DIR; (exec -a ovnisync weft)
file ovni/clock-offsets.txt
$ awk 'NR == 1 || NF != 5 || $3 != 0' ovni/clock-offsets.txt
out rank       hostname             offset_median        offset_mean          offset_std
no out 0
$ OVNI_TRACEDIR=a/b; export OVNI_TRACEDIR; (exec -a ovnisync weft -n 1 -v)
out rank=0  sample=0  delta=0  ref=
file a/b/clock-offsets.txt

== ovnisync refuses what it cannot do, and writes nothing.
$ (exec -a ovnisync weft -h)
exit 1
err Usage: ovnisync [-o file] [-d ndrift] [-w seconds] [-n nsamples] [-v] [-h]
$ (exec -a ovnisync weft -z -o t)
exit 1
err Usage: ovnisync
$ (exec -a ovnisync weft -o t more)
exit 1
err error: unexpected extra arguments
$ (exec -a ovnisync weft -o t -n 0)
exit 1
err ovnisync: ERROR: -n 0: not a number from 1 to 1000000
$ (exec -a ovnisync weft -o t -n 1.5)
exit 1
err ovnisync: ERROR: -n 1.5: not a whole number
$ (exec -a ovnisync weft -o t -d -3)
exit 1
err ovnisync: ERROR: -d -3: not a number from 0 to 1000000
$ (exec -a ovnisync weft -o t -w nan)
exit 1
err ovnisync: ERROR: -w nan: not a number
$ (exec -a ovnisync weft -o t -w "")
exit 1
err ovnisync: ERROR: -w : not a number
$ (exec -a ovnisync weft -o /dev/null/t)
exit 1
err ovnisync: ERROR: cannot
no file t

== A full device, also after the first block was lost.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  repeat 2000 event 100 OB.
  event 5000 OHe
$ (exec -a ovnidump weft t) >/dev/full
exit 1
err ovnidump: ERROR: cannot write to standard output
$ (exec -a ovnitop weft t) >/dev/full
exit 1
err ovnitop: ERROR: cannot write to standard output
$ (exec -a ovnievents weft) >/dev/full
exit 1
err ovnievents: ERROR: cannot write to standard output
$ (exec -a ovniver weft) >/dev/full
exit 1
err ovniver: ERROR: cannot write to standard output

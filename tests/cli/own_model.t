# Models from a text file; the first case runs docs/user/own-model.md.

== The page does what it says: its files, its commands, their output.
sh sed -n '/^```model/,/^```$/{//!p}' "$SOURCE/docs/user/own-model.md" >pool.model
sh sed -n '/^```tt/,/^```$/{//!p}' "$SOURCE/docs/user/own-model.md" >pool.tt
sh sed -n '/^```farm-model/,/^```$/{//!p}' "$SOURCE/docs/user/own-model.md" >farm.model
sh sed -n '/^```farm-tt/,/^```$/{//!p}' "$SOURCE/docs/user/own-model.md" >farm.tt
sh sed -n '/^```console/,/^```$/{//!p}' "$SOURCE/docs/user/own-model.md" >page
write play
| while IFS= read -r line; do
|     [ "${line#$ }" != "$line" ] || continue
|     echo "$line"
|     eval "${line#$ }" 2>&1 </dev/null
| done
$ bash play <page >got; diff page got
empty err

== Models are listed with the others.
write a.model
| model mine 1.0.0 X "what it shows"
| channel s stack 900 "S"
| channel c single 901 "C" of=cpu
| channel y single 902 "Y" of=system show=number
| XAa|XAb(i64 t) push s 1 "One" since=t says="begins at %t"
| XAc set c none
| XAd(i32 tid) replace s 2 of=tid
| XAe sub y 4
| XAf ignore
| panel p "Both" s c
$ weft models --model a.model
out mine       1.0.0    X       900-902          what it shows
out nanos6
$ weft models --model a.model mine
out 6 rows of events: weft events --model a.model mine
out mine.s                     900     stack   while active   S
out mine.c                     901     single  (CPU only)     C
out mine.y                     902     single  (system only)  Y
out mine.p                     Both (s c)
$ weft events --model a.model mine
out is
| mine 1.0.0
| XAa(i64 t)                         begins at %t  [s: pushes 1 "One", since the time in an argument]
| XAb(i64 t)                         begins at %t  [s: pushes 1 "One", since the time in an argument]
| XAc                                  [c: sets nothing (channel of the CPU)]
| XAd(i32 tid)                         [s: replaces the top by 2 (channel of the thread it names)]
| XAe                                  [y: subtracts 4 (channel of the system)]
| XAf                                  [shows nothing]
$ weft events --model a.model
out OHx(
out XAe

== A row without a sentence says what follows from it.
write a.model
| model mine 1.0.0 X "what it shows"
| channel s stack 900 "S"
| channel n single 901 "N" of=system show=number
| XAa push s 1 "100 % One"
| XAb pop s 1
| XAc push s 2 "Two"
| XAd(u32 id) pop s 2
| XAe(u32 id, i64 x) add n %x
| XAf+(str name) ignore
write a.tt
| thread a
| 0 a OHx 0 -1 0
| 10 a XAa
| 20 a XAc
| 30 a XAd 7
| 40 a XAb
| 50 a XAe 8 -3
| 60 a XAf+ "job"
| 70 a OHe
$ weft dump --model a.model --event XA? a.tt
out is
|           10  1  XAa  XAa
|           20  1  XAc  enters "Two"
|           30  1  XAd  leaves "Two": id 7
|           40  1  XAb  XAb
|           50  1  XAe  XAe: id 8, x -3
|           60  1  XAf  XAf: name job

== Values since earlier are in order in every output, and filters still cut.
write past.model
| model past 1.0.0 X "what was before"
| channel wait stack 900 "Wait" track=none
| XWt(i64 ns) point wait 1 "Waiting" since=-ns
write past.tt
| thread a
| thread b
| 0 a OHx 0 -1 0
| 0 b OHx 1 -1 0
| 50 a XWt 45
| 60 b XWt 50
| 100 a OHe
| 100 b OHe
$ weft emu -q --model past.model past.tt -o out -f prv,csv
$ grep -h ',past.wait,1,' out/states.csv
out is
| 5,thread,TH 1.1,past.wait,1,Waiting,0
| 5,cpu,CPU 0.0,past.wait,1,Waiting,0
| 10,thread,TH 1.2,past.wait,1,Waiting,0
| 10,cpu,CPU 0.1,past.wait,1,Waiting,0
$ for f in out/*.prv; do sed 1d $f | cut -d: -f6 | sort -nc; done
empty err
$ weft stat --model past.model past.tt --type past.wait --from 20 --to 55
out (past.wait, 2 threads, 35 ns)
out 65   92.9 %         2  Waiting
$ weft emu -q --model past.model past.tt -o cut -f csv --from 20 --to 55
$ grep -h ',TH .*,past.wait,' cut/states.csv
out is
| 20,thread,TH 1.1,past.wait,1,Waiting,0
| 20,thread,TH 1.2,past.wait,1,Waiting,0
| 50,thread,TH 1.1,past.wait,,,0
$ weft check --model past.model past.tt
$ weft check past.tt
exit 1

== A time that an event tells is corrected as its clock is.
write past.model
| model past 1.0.0 X "what was before"
| channel wait stack 900 "Wait" track=none
| XWt(i64 t) point wait 1 "Waiting" since=t
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 60 XWt i64 40
  event 2000 OHe
  thread 11
  json ovni.loom "m.0"
  json ovni.pid 8
  event 100 OHx i32 0 i32 -1 u64 0
  event 150 XWt i64 120
  event 160 XWt i64 161
  event 500 OHe
write clocks.txt
| rank       hostname             offset_median        offset_mean          offset_std
| 0          n                    -4                   0                    0
| 1          m                    1000                 1000                 0
$ weft emu --model past.model -c clocks.txt t -o out -f csv
exit 1
err at 1154 ns: its argument says time 161, which is later than the event
$ grep -h ',TH .*,past.wait,' out/states.csv
out is
| 30,thread,TH 1.10,past.wait,1,Waiting,0
| 50,thread,TH 1.10,past.wait,,,0
| 1114,thread,TH 1.11,past.wait,1,Waiting,0
| 1144,thread,TH 1.11,past.wait,,,0
| 1154,thread,TH 1.11,past.wait,1,Waiting,0
| 1154,thread,TH 1.11,past.wait,,,0

== The end of a killed thread ends what keeps it out of the CPU, as its repaired copy does.
trace k
  json ovni.finished
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 Zdp u32 7
  event 30 Zdp u32 8
  event 40 Zgo
write sleep.model
| model sleep 1.0.0 Z "who sleeps"
| need nothing
| channel away single 901 "Asleep" track=none away
| channel deep stack 902 "Asleep deeply" track=none away
| Zgo set away 1 "Asleep"
| Zin set away none
| Zdp(u32 how) push deep %how
| ZdP(u32 how) pop deep %how
$ weft emu --model sleep.model k -o killed
err inferred: thread 10 ends here
no err error:
$ weft check -q --model sleep.model --repair -o r k >said
$ weft dump --model sleep.model r | tail -n 4
out is
|           30  10  Zin  Zin
|           30  10  ZdP  ZdP: how 8
|           30  10  ZdP  ZdP: how 7
|           30  10  OHe  ends the execution
$ weft check --model sleep.model r
out 0 errors, 0 warnings
$ weft emu -q --model sleep.model r -o repaired && cmp killed/thread.prv repaired/thread.prv && cmp killed/cpu.prv repaired/cpu.prv
empty err

== A mistake names file, line and column, and shows the row.
write bad.model
| model pool 1.0.0 X "a pool"
| channel state stack 900 "Pool"
| XWs psh state 1
write t.tt
| thread a
| 0 a OHx 0 -1 0
| 1 a OHe
$ weft emu --model bad.model t.tt
exit 3
err bad.model: line 3: column 5: expected push, pop, set
err XWs psh state 1

== Letters, keys and arguments are checked.
write t.tt
| thread a
| 0 a OHx 0 -1 0
| 1 a OHe
write a.model
| model mine 1.0.0 6 "taken"
$ weft emu --model a.model t.tt
exit 3
err nanos6 has the letter 6
write b.model
| model mine 1.0.0 X "x"
| XWs push state 1
$ weft emu --model b.model t.tt
exit 3
err line 2: column 10: expected a channel declared above
write c.model
| model mine 1.0.0 X "x"
| channel n single 900 "N"
| XWs set n %none
$ weft emu --model c.model t.tt
exit 3
err expected an integer argument of the event, not none
write d.model
| channel n single 900 "N"
| XWs set n 1
$ weft emu --model d.model t.tt
exit 3
err expected the model line first
$ weft emu --model none.model t.tt
exit 3
err none.model: cannot be found, check the path

== Views and panels stand beside each other.
write t.tt
| mark 1 stack "Phase"
| mark 2 single "Step"
| thread a require nanos6 1.0.0
| 0 a OHx 0 -1 0
| 5 a OM= 7 2
| 10 a 6W[
| 20 a 6W]
| 30 a OHe
write my.model
| model my 1.0.0 X "over another model"
| channel s single 900 "S"
| panel both "Mine and nanos6" s nanos6.subsystem
| panel off "Of a model that is off" s other.x
$ weft emu -q --model my.model t.tt -o out
file out/cfg/thread/nanos6/subsystem.cfg
file out/cfg/thread/nanos6/status.cfg
file out/cfg/cpu/nanos6/activity.cfg
file out/cfg/thread/ovni/marks.cfg
file out/cfg/cpu/ovni/marks.cfg
file out/cfg/thread/my/both.cfg
file out/cfg/cpu/my/both.cfg
no file out/cfg/thread/my/off.cfg
$ grep -h 'operation\|filter_module evt_type ' out/cfg/thread/my/both.cfg
out is
| window_filter_module evt_type 2 900 37
| window_filter_module evt_type 1 900
| window_filter_module evt_type 1 37
| window_operation add
| window_operation maximum

== A finding names the version that a trace requires and those that are supported.
write my.model
| model my 1.2.0 X "mine"
| channel s single 900 "S"
| XAa set s 1
write t.tt
| thread a require my 1.3.0
| 0 a OHx 0 -1 0
| 5 a XAa
| 9 a OHe
$ weft emu -q --model my.model t.tt -o out
exit 1
err the trace requires version 1.3.0 of model my, but this weft supports only 1.x up to 1.2.0

# weft stat: where the time went.

== The table of a small trace, to the byte.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 6W]
  event 60 OHp
  event 100 OHr
  event 110 OHe
$ weft stat --type nanos6.subsystem t
out is
| Nanos6 subsystem of the ACTIVE thread  (nanos6.subsystem, 1 thread, 100 ns)
|         time ns    share     times  state
|              30   30.0 %         1  Worker: Looking for work
|              70   70.0 %         2  No subsystem
|   100 % is the lifetimes of all threads: 100 ns
empty err

== By thread and by CPU.
trace t
  thread 11
  event 10 OHx i32 1 i32 -1 u64 0
  event 50 OHe
$ weft stat --by thread t
out TH 1.10
out TH 1.11
out (ovni.state, 2 threads, 40 ns)
$ weft stat --by cpu t
out CPU 0.1
out CPU 0.3
no out TH 1.10
$ weft stat --by state t
no out TH 1.10
out (ovni.state, 2 threads, 40 ns)

== A type may be a key or Paraver's number.
trace t
$ weft stat --type ovni.cpu t
out ovni.cpu
no out ovni.state
$ weft stat --type 6 t
out ovni.cpu
no out ovni.state

== Times are rows times duration, in any trace.
trace t
$ weft stat --type 4 t
out 40  100.0 %         1  Running

== A trace with errors is counted, and the code is 1.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OZz
  event 50 OHe
$ weft stat t
exit 1
err event OZz
out ovni.state

== stat writes no files.
trace t
$ weft stat t
no file *.weft

== A trace where nothing runs.
write t.tt
| thread a
| 10 a OB.
$ weft stat t.tt
exit 1
out no state was entered

== For programs: the same numbers, in columns that stay.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 6W]
  event 60 OHp
  event 100 OHr
  event 110 OHe
$ weft stat --csv --type nanos6.subsystem t
out is
| type,number,row,value,label,time_ns,times,runs,mean_ns
| nanos6.subsystem,37,,19,Worker: Looking for work,30,1,0,30
| nanos6.subsystem,37,,,No subsystem,70,2,0,35
$ weft stat --csv --by thread --type nanos6.subsystem t
out nanos6.subsystem,37,TH 1.10,19,Worker: Looking for work,30,1,0,30
$ weft stat --json --type 37 t
out is
| {"from_ns":0,"duration_ns":100,"types":[
| {"type":"nanos6.subsystem","number":37,"title":"Nanos6 subsystem of the ACTIVE thread","class":"thread","rows":1,"tables":[
| {"row":null,"lived_ns":100,"lost_ns":0,"states":[
| {"value":19,"label":"Worker: Looking for work","time_ns":30,"times":1,"runs":0,"mean_ns":30},
| {"value":null,"label":"No subsystem","time_ns":70,"times":2,"runs":0,"mean_ns":35}
| ]}
| ]}
| ]}
$ weft stat --json --by thread t | python3 -m json.tool
out "row": "TH 1.10"

== Nothing to say is still a table, and JSON.
trace t
$ weft stat --csv --type 37 t
out is
| type,number,row,value,label,time_ns,times,runs,mean_ns
$ weft stat --json --type 37 t
out is
| {"from_ns":0,"duration_ns":40,"types":[]}

== Quotes and backslashes in a label do not break a format.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6Yc+ u32 1 str "a \"b\", c\nd"
  event 21 6Tc u32 1 u32 1
  event 30 6Tx u32 1
  event 40 6Te u32 1
  event 50 OHe
$ weft stat --by type --csv t | head -2 | tail -1
out ,"a ""b"", c
$ weft stat --by type --json t | python3 -m json.tool
out "label": "a \"b\", c\\nd"

== Executions of a task are counted, not its stretches.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 11 6Yc+ u32 1 str big
  event 12 6Yc+ u32 2 str small
  event 13 6Tc u32 1 u32 1
  event 13 6Tc u32 2 u32 2
  event 13 6Tc u32 3 u32 2
  event 20 6Tx u32 1
  event 30 6Tp u32 1
  event 40 6Tr u32 1
  event 50 6Te u32 1
  event 60 6Tx u32 2
  event 64 6Te u32 2
  event 64 6Tx u32 3
  event 70 6Te u32 3
  event 80 OHe
$ weft stat --by type t
out is
| Nanos6 task type of the RUNNING thread  (nanos6.task_type, 1 thread, 70 ns)
|         time ns    share      runs           mean  task type
|              20   66.7 %         1          20 ns  big
|              10   33.3 %         2           5 ns  small
|              40        -         0              -  No task
|   100 % is the time in tasks: 30 ns
$ weft stat --by type --sort times --top 1 t
out is
| Nanos6 task type of the RUNNING thread  (nanos6.task_type, 1 thread, 70 ns)
|         time ns    share      runs           mean  task type
|              10   33.3 %         2           5 ns  small
|              20   66.7 %         1          20 ns  (1 more)
|              40        -         0              -  No task
|   100 % is the time in tasks: 30 ns
$ weft stat --by type --sort name --csv t | cut -d, -f5
out is
| label
| big
| small
| No task

== Of numbers a few are printed, for programs all.
write m.model
| model m 1.0.0 X "m"
| channel n single 900 "N" show=number
| XNs(u32 n) show n %n
sh { echo thread a; echo 0 a OHx 0 -1 0; for i in $(seq 22); do echo $i a XNs $i; done; echo 30 a OHe; } >n.tt
$ weft stat --model m.model --type m.n n.tt
out   6.7 %         2  (2 more)
$ weft stat --model m.model --type m.n --csv n.tt | wc -l
out 24
$ weft stat --model m.model --type m.n --top 22 n.tt
no out more
$ weft stat --model m.model --type m.n --top 0 n.tt >all; weft stat --model m.model --type m.n -n 22 n.tt | cmp - all

== Labels: one line each, also those that never were.
trace t
$ weft stat --by label --type 4 t
out is
| Thread: thread state  (ovni.state, 1 thread, 40 ns)
|         time ns    share     times           mean  state
|              40  100.0 %         1          40 ns  Running
|               0    0.0 %         0              -  Paused
|               0    0.0 %         0              -  Cooling
|               0    0.0 %         0              -  Warming
|   100 % is the lifetimes of all threads: 40 ns
$ weft stat --by label --type 4 --top 1 t
out   0    0.0 %         0              -  (3 more)

== A chart: cells, their times, and a bar a state.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 14 6W[
  event 18 6S[
  event 22 6S]
  event 26 6W]
  event 34 OHe
$ LC_ALL=C weft stat --chart t
out is
| Nanos6 subsystem of the ACTIVE thread  (nanos6.subsystem, 24 ns)
|  TH 1.10         |....AAAABBBBAAAA........|
|                   0 ns               24 ns
|
|  A Worker: Looking for work           ######              33.3 %          8 ns
|  B Scheduler: Serving tasks           ###                 16.7 %          4 ns
|  . No subsystem                       #########           50.0 %         12 ns
$ weft stat --chart t --from 8 --to 14
out is
| Nanos6 subsystem of the ACTIVE thread  (nanos6.subsystem, 6 ns)
|  TH 1.10         │AAAABB│
|                   8 ns 14 ns
|
|  A Scheduler: Serving tasks           ████████████        66.7 %          4 ns
|  B Worker: Looking for work           ██████              33.3 %          2 ns
$ TERM=dumb weft stat --chart t --by cpu
out  CPU 0.3         |....AAAABBBBAAAA........|
$ LC_ALL= LANG=en_US.utf8 weft stat --chart t
out │····AAAA
$ weft stat --chart --csv t
exit 2
$ weft stat --chart --type 4,6 t
out (ovni.state,
out (ovni.cpu,

== A long trace is drawn in cells of one length.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 500010 6W[
  event 1000010 OHe
$ LC_ALL=C weft stat --chart t | sed -n 2p
out is
|  TH 1.10         |.............................AAAAAAAAAAAAAAAAAAAAAAAAAAAAA|

== More rows than fit are counted.
trace t
  threads 20
$ weft stat --chart t --type 4
exit 1
out (16 of 21 rows; choose with --rows, --thread and --cpu)
$ weft stat --chart --rows 3 t --type 4 | grep -c '│'
out is
| 3

== Colours on a terminal, letters without.
needs tty
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 14 6W[
  event 34 OHe
$ script -qec 'weft stat -q --chart t' /dev/null | grep -c $'\e\[34m█'
out is
| 2
$ NO_COLOR=1 script -qec 'weft stat -q --chart t' /dev/null | grep -c $'\e\[34m'
out is
| 0
exit 1

== Dead time is no state, and shares are of the time that threads lived.
write short.tt
| thread a
| thread b
| 0 a OHx 0 -1 0
| 10 b OHx 1 -1 0
| 20 b OHe
| 100 a OHe
$ weft stat --type ovni.state short.tt
no out Dead
no out (nothing)
out 110  100.0 %         2  Running
out 100 % is the lifetimes of all threads: 110 ns
$ weft stat --by thread --type ovni.state short.tt
out 10  100.0 %         1  Running

== Lost events are a state, and the foot says how much is unknown.
write lost.tt
| thread a
| 0 a OHx 0 -1 0
| 100 a OHe
| lost a 20 45 3
$ weft stat --type ovni.state lost.tt
out 25   25.0 %         1  Lost
out unknown

== Types of rows of processes and of breakdowns are shown.
ctf c nanos6-fib
$ weft stat --type nanos6-ctf.created_tasks c
out (nanos6-ctf.created_tasks, 1 process,
$ weft stat --chart --type nanos6-ctf.created_tasks c
out (nanos6-ctf.created_tasks,
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 6W]
  event 110 OHe
$ weft stat --type nanos6.breakdown t
out (nanos6.breakdown,
out Worker: Looking for work
$ weft stat --chart --type nanos6.breakdown t
out (nanos6.breakdown,
$ weft stat --type nanos6.subsistem t
exit 2
err did you mean nanos6.subsystem?

== A recording of switches shows which threads CPUs ran.
write t.tt
| thread a
| thread b
| 0 a OHx 0 -1 0
| 60 a OHp
| 60 b OHx 0 -1 0
| 100 b OHe
| 100 a OHr
| 120 a OHe
$ weft stat t.tt | head -1
out CPU: TID of the RUNNING thread
$ weft stat --by cpu t.tt
out 80   66.7 %         2  1
out 40   33.3 %         1  2
$ LC_ALL=C weft stat --chart --by cpu t.tt
out (ovni.tid,

== A column that states share shows each by its share.
sh { echo thread a; echo 0 a OHx 0 -1 0; for i in $(seq 3000); do echo $((i*100)) a OHp; echo $((i*100+25)) a OHr; done; echo 300100 a OHe; } >mix.tt
$ LC_ALL=C weft stat --chart --type ovni.state mix.tt | sed -n 2p | tr -cd a | wc -c
out is
| 44
$ LC_ALL=C weft stat --chart --type ovni.state mix.tt | sed -n 2p | tr -cd b | wc -c
out is
| 15

== A chart is as wide as COLUMNS says.
trace t
$ COLUMNS=40 weft stat --chart t | awk '{ if (length($0) > 40) print }'
out is
$ COLUMNS=24 weft stat --chart t | wc -l
out is
| 7
$ COLUMNS=120 weft stat --chart t | awk '{ if (length($0) > 100) n++ } END { print (n > 0) }'
out is
| 1

== Where there is room, no label of a chart is cut.
trace t
sh long="a region whose name takes more than thirty-four columns"; printf '0 a OHx 0 -1 0\n1 a 6Yc+ 1 "%s"\n2 a 6Tc 1 1\n3 a 6Tx 1\n9 a 6Te 1\n10 a OHe\n' "$long" | sed '1i thread a require nanos6 1.1.0' >long.tt
$ COLUMNS=120 weft stat --chart --type nanos6.task_type long.tt
out A a region whose name takes more than thirty-four columns
$ COLUMNS=120 weft stat --chart --type nanos6.task_type long.tt | awk 'length > 300'
out is
$ COLUMNS=80 weft stat --chart --type nanos6.task_type long.tt
no out more than thirty-four columns

== Words that do not exist are explained.
trace t
$ weft stat --sort length t
exit 2
err --sort takes one of time,times,name, not "length"
$ weft stat --by type --type 4 t
exit 2
err --by type excludes --type

== A region is entered when it is pushed, also on itself.
trace t
  json ovni.mark {"1": {"title": "work", "chan_type": "stack", "labels": {"1": "fib"}}}
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OM[ i64 1 i32 1
  event 30 OM[ i64 1 i32 1
  event 40 OM[ i64 1 i32 1
  event 50 OM] i64 1 i32 1
  event 60 OM] i64 1 i32 1
  event 70 OM] i64 1 i32 1
  event 110 OHe
$ weft stat --type ovni.mark1 t
out 50   50.0 %         3  fib
$ weft stat --by label --type ovni.mark1 t
out 3          16 ns  fib

== A region that is uncovered, or whose thread goes on, is not entered again.
trace t
  json ovni.mark {"1": {"title": "work", "chan_type": "stack", "labels": {"1": "outer", "2": "inner"}}}
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OM[ i64 1 i32 1
  event 30 OM[ i64 2 i32 1
  event 40 OM] i64 2 i32 1
  event 50 OM[ i64 2 i32 1
  event 60 OM] i64 2 i32 1
  event 70 OHp
  event 80 OHr
  event 90 OM] i64 1 i32 1
  event 100 OM[ i64 1 i32 1
  event 105 OM] i64 1 i32 1
  event 110 OHe
$ weft stat --type ovni.mark1 t
out 2  outer
out 2  inner

== A type that other rows show is answered with these rows.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OHe
$ weft stat --by cpu --type ovni.state t
exit 2
err ovni.state is not shown by rows of class cpu, only by rows of class thread: --by thread
$ weft stat --by thread --type ovni.pid t
exit 2
err --by cpu

== Rows that show nothing are there, so that rows add up to all of them.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6W]
  event 50 OHe
  thread 11
  event 10 OHx i32 1 i32 -1 u64 0
  event 50 OHe
$ weft stat --by thread --csv --type nanos6.subsystem t
out nanos6.subsystem,37,TH 1.10,,No subsystem,30
out nanos6.subsystem,37,TH 1.11,,No subsystem,40
$ weft stat --by cpu --type nanos6.subsystem t
out CPU 0.1
out CPU 0.3

== What --top leaves out has a key of its own in JSON.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6S[
  event 35 6S]
  event 37 6W]
  event 50 OHe
$ weft stat --json --top 1 --type nanos6.subsystem t
out {"value":null,"more":1,"label":"(1 more)"

== A short life is seen in a chart of long ones.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 100010 OHe
  thread 11
  event 50000 OHx i32 1 i32 -1 u64 0
  event 50003 OHe
$ COLUMNS=60 LC_ALL=C weft stat --chart --type ovni.state t
out TH 1.10          |AAAAA
out .....A.....

== A virtual CPU counts while threads run there, and is left out if none does.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 6W]
  event 60 OHe
$ weft stat --by cpu --type nanos6.idle t
out (nanos6.idle, 2 CPUs, 50 ns)
no out vCPU
out 100 % is the duration (in all 100 ns)
$ weft stat --json --by cpu --type nanos6.idle t
out "rows":2,
no out vCPU
trace u
  event 10 OHx i32 -1 i32 -1 u64 0
  event 20 6W[
  event 30 6W]
  event 40 OHp
  event 100 OHr
  event 100 OHe
$ weft stat --by cpu --type nanos6.subsystem u
out is
| Nanos6 subsystem of the RUNNING thread  (nanos6.subsystem, 2 CPUs + 1 virtual, 90 ns)
|         time ns    share     times  state
|  CPU 0.1
|              90  100.0 %         0  No subsystem
|  CPU 0.3
|              90  100.0 %         0  No subsystem
|  vCPU 0.*
|              10   33.3 %         1  Worker: Looking for work
|              20   66.7 %         2  No subsystem
|   100 % is the duration (in all 210 ns)
|   (a virtual CPU counts only while threads run on it)
$ weft stat --csv --by cpu --type nanos6.idle u
out nanos6.idle,40,vCPU 0.*,100,Progressing,30,1,0,30
no out vCPU 0.*,101
$ weft stat --by cpu --type ovni.running --from 35ns --to 80ns u
no out vCPU

== A heading says what the rows of its table are.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OHe
$ weft stat --type ovni.state,ovni.pid t
out (ovni.state, 1 thread, 40 ns)
out (ovni.pid, 2 CPUs, 40 ns)

== By state is the default, whatever else is asked for.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 30 6W]
  event 50 OHe
$ diff <(weft stat --cpu 1 t) <(weft stat --by state --cpu 1 t)
$ weft stat --by state --cpu 3 t
out (nanos6.subsystem, 1 CPU, 40 ns)
$ weft stat --by label --cpu 3 t
out (nanos6.subsystem, 1 CPU, 40 ns)

== By thread and by CPU do not show other rows: what leaves none is refused.
trace t
$ weft stat --by thread --cpu 1 t
exit 2
err --by thread shows threads, but --cpu leaves none of them in: add --thread
$ weft stat --by type --cpu 1 t
exit 2
err --by type shows threads, but --cpu leaves none of them in
$ weft stat --by cpu --thread 10 t
exit 2
err --by cpu shows CPUs, but --thread leaves none of them in: add --cpu
$ weft stat --by thread --cpu 1 --thread 10 t
out ovni.state
ctf k nanos6-kernel
$ weft stat --by thread --only-model linux k
out no state was entered
$ weft stat --only-model linux k
out (linux.syscalls, 2 CPUs + 2 virtual, 32.383 ms)

== What was open at the end of a CTF trace that was cut is listed.
ctf t nanos6-fib
$ weft stat --open t
out nothing was open at the end
sh for f in t/0/ctf/user/channel_[01]; do truncate -s 8000 $f; done
$ weft stat --open t
out Runtime Subsystems: "Runtime" > "

== Where nothing can be open --open says why, and what to do.
ctf t lttng-1
$ weft stat --open t
exit 2
err --open needs a model with states that threads enter and leave
err --model FILE
empty out

== Several threads on a virtual CPU are a line of their own, no idle time.
write t.tt
| node n 0:0 1:1
| thread a require nanos6 1.1.0
| thread b
| 0 a OHx -1 -1 0
| 10 a 6W[
| 20 b OHx -1 -1 0
| 50 b OHe
| 60 a 6W]
| 80 a OHe
$ weft stat -q --by cpu --type nanos6.subsystem,nanos6.idle,ovni.running --csv t.tt | grep vCPU
out is
| nanos6.subsystem,37,vCPU 0.*,,(several threads),30,1,0,30
| nanos6.subsystem,37,vCPU 0.*,19,Worker: Looking for work,20,2,0,10
| nanos6.subsystem,37,vCPU 0.*,,No subsystem,30,2,0,15
| nanos6.idle,40,vCPU 0.*,100,Progressing,50,2,0,25
| nanos6.idle,40,vCPU 0.*,,(several threads),30,1,0,30
| ovni.running,3,vCPU 0.*,1,,50,2,0,25
| ovni.running,3,vCPU 0.*,2,,30,1,0,30

== Two hundred threads on two CPUs.
sh python3 -c 'print("node n 0:0 1:1\n" + "".join(f"thread t{i} require nanos6 1.1.0\n" for i in range(200)) + "".join(f"{20*i} t{i} OHx {i % 2} -1 0\n{20*i} t{i} 6W[\n{20*i+15} t{i} 6W]\n{20*i+18} t{i} OHe\n" for i in range(200)))' > t.tt
$ weft stat -q --by cpu --type nanos6.subsystem t.tt
out is
| Nanos6 subsystem of the RUNNING thread  (nanos6.subsystem, 2 CPUs, 3998 ns)
|         time ns    share     times  state
|  CPU 0.0
|            1500   37.5 %       100  Worker: Looking for work
|            2498   62.5 %       100  No subsystem
|  CPU 0.1
|            1500   37.5 %       100  Worker: Looking for work
|            2498   62.5 %       101  No subsystem
|   100 % is the duration (in all 7996 ns)

== On a narrow screen numbers stand closer, then each value has a line.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 6W[
  event 50 6W]
  event 110 OHe
$ COLUMNS=60 weft stat --by label --type nanos6.subsystem t
out   time ns   share  times   mean  state
out        30  30.0 %      1  30 ns  Worker: Looking for work
out        70  70.0 %      2      -  No subsystem
$ COLUMNS=40 weft stat --by label --type nanos6.subsystem t
out   time ns: 30
out   state: Worker: Looking for work

== With --strict, states of CPUs have no title and are named by their keys.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OHe
$ weft stat --strict t
out ovni.state
$ weft stat --strict --by cpu --type ovni.tid t
out ovni.tid  (ovni.tid, 2 CPUs, 40 ns)

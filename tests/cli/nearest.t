# A name that does not exist is answered with the nearest one that does.

== Questions about tasks, actions on a memory profile, and commands.
$ weft tasks slwest run.db
exit 2
err not one of: info, slowest, groups, tree, where, hang, runs, load; did you mean slowest?
$ weft mem reprt measurement
exit 2
err not one of: report, merge, diff, dump, bounds, struct, link; did you mean report?
$ weft mem report --view leeks measurement
exit 2
err did you mean leaks?
$ weft help emo
exit 2
err did you mean weft emu?

== Words of options, also in lists.
trace t
  event 10 OHx i32 0 i32 -1 u64 0
  event 50 OHe
$ weft stat --by treads t
exit 2
err --by takes one of state,thread,cpu,label,type, not "treads"; did you mean thread?
$ weft stat --sort nmae t
exit 2
err did you mean name?
$ weft top --by modle t
exit 2
err did you mean model?
$ weft emu -f prv,cvs t
exit 2
err did you mean csv?
$ weft emu --compat=pyhton t
exit 2
err did you mean python?
$ weft dump --event OHX t
empty out
err no event is called "OHX" (weft top TRACE lists all events); did you mean OHx?
$ weft top --event 'OHe,zzzzzz' t
err no event is called "zzzzzz" (weft top TRACE lists all events)
no err did you mean

== Models, types and views.
trace t
$ weft events nanos
exit 2
err there is no model "nanos"; 'weft models' lists them; did you mean nanos6?
$ weft models ovny
exit 2
err did you mean ovni?
$ weft stat --only-model ovnj t
exit 2
err there are: ovni, nanos6; did you mean ovni?
$ weft dump --only-model nanoss t
exit 2
err did you mean nanos6?
$ weft stat --type ovni.stat t
exit 2
err did you mean ovni.state?
$ weft stat --type flsh t
exit 2
err did you mean ovni.flush?
$ weft stat --view ovni.statr t
exit 2
err there are: status, activity, and each type
err did you mean ovni.state?
$ weft emu --view statsu t
exit 2
err did you mean status?

== Threads, CPUs and looms are listed; the nearest one is named if numbers are long.
trace t
  thread 12345
$ weft stat --thread 12354 t
exit 2
err the trace has no thread "12354"; there are: 10, 12345; did you mean 12345?
$ weft stat --thread 11 t
exit 2
err the trace has no thread "11"; there are: 10, 12345
no err did you mean
$ weft stat --cpu 7 t
exit 2
err the trace has no CPU "7"; there are:
$ weft stat --loom m.0 t
exit 2
err the trace has no loom "m.0"; there are: n.0

== Kinds of stores in addresses; a file may have any name.
$ weft tasks info sqlit:run.db
exit 3
err sqlit:run.db: not a kind of store; there are: sqlite, csv, json, stream, mariadb, mysql, mongodb; did you mean sqlite?
$ weft tasks info maridb://host/runs
exit 3
err did you mean mariadb?
$ weft tasks info disk:run.db
exit 3
err disk:run.db: cannot be found, check the path
$ touch sqlit:run.db; weft tasks info sqlit:run.db
exit 3
err sqlit:run.db: an empty file

== What -e of run does not know.
$ weft run -e datacentrc true
exit 2
err did you mean datacentric?
$ weft run -e nanos6:tsk true
exit 2
err did you mean task?

== Names that fit no task, and those that tasks have.
write run.json
| {"table":"weft_schema","tab":"tasks","col":"id","type":"uint","nullable":false,"indexed":true}
| {"table":"weft_schema","tab":"tasks","col":"parent","type":"uint","nullable":true,"indexed":true}
| {"table":"weft_schema","tab":"tasks","col":"kind","type":"name","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"tasks","col":"what","type":"name","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"tasks","col":"location","type":"name","nullable":false,"indexed":true}
| {"table":"weft_schema","tab":"tasks","col":"start","type":"int","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"tasks","col":"end","type":"int","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"tasks","col":"open","type":"flag","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"milestones","col":"task","type":"uint","nullable":false,"indexed":true}
| {"table":"weft_schema","tab":"milestones","col":"time","type":"int","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"milestones","col":"kind","type":"name","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"milestones","col":"what","type":"name","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"milestones","col":"location","type":"name","nullable":true,"indexed":false}
| {"table":"weft_schema","tab":"tags","col":"task","type":"uint","nullable":false,"indexed":true}
| {"table":"weft_schema","tab":"tags","col":"time","type":"int","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"tags","col":"what","type":"name","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"tags","col":"step","type":"flag","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"meta","col":"property","type":"text","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"meta","col":"value","type":"text","nullable":false,"indexed":false}
| {"table":"weft_schema","tab":"memory","col":"id","type":"int","nullable":false,"indexed":false}
| {"table":"meta","property":"unit","value":"ps"}
| {"table":"tasks","id":1,"kind":"Simulation","what":"main","location":"Engine","start":0,"end":200000,"open":false}
| {"table":"tasks","id":2,"parent":1,"kind":"req_out","what":"read","location":"Core[0]","start":0,"end":120000,"open":false}
$ weft tasks groups run.json --by knd,what
exit 2
err --by takes kind,what,location, not "knd"; did you mean kind?
$ weft tasks slowest run.json --kind req_uot
out is
| no task to show
err is
| weft tasks: note: no task matches --kind req_uot; there are: Simulation, req_out; did you mean req_out?
$ weft tasks groups run.json -w raed -l 'Cache[*]'
err note: no task matches --what raed; there are: main, read; did you mean read?
err note: no task matches --location Cache[*]; there are: Engine, Core[0]
$ weft tasks info run.json --kind Simulaton
out open tasks  0
err did you mean Simulation?
$ weft tasks slowest run.json --kind req_uot --csv
out is
| duration_ps,start_ps,id,kind,what,location,open
err no task matches --kind req_uot
$ weft tasks slowest run.json --kind Sim* --what read
out is
| no task to show
empty err
$ weft tasks slowest run.json --kind req_out --from 1ms
out is
| no task to show
empty err
$ weft tasks slowest run.json --kind req_uot -q
empty err

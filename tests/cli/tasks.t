# weft tasks: questions about the tasks that a simulator stored.

== What is in a store.
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
| {"table":"meta","property":"unit","value":"ps"}
| {"table":"tasks","id":2,"parent":1,"kind":"req_out","what":"read","location":"Core[0]","start":0,"end":120000,"open":false}
| {"table":"tasks","id":3,"parent":2,"kind":"req_in","what":"read","location":"L1[0]","start":1000,"end":119000,"open":false}
| {"table":"tasks","id":4,"parent":3,"kind":"req_out","what":"read","location":"L1[0]","start":5000,"end":110000,"open":false}
| {"table":"tasks","id":5,"parent":1,"kind":"req_out","what":"write","location":"Core[0]","start":1500,"end":9000,"open":false}
| {"table":"tasks","id":1,"kind":"Simulation","what":"main","location":"Engine","start":0,"end":200000,"open":true}
| {"table":"tasks","id":7,"parent":1,"kind":"req_out","what":"read","location":"Core[1]","start":150000,"end":200000,"open":true}
| {"table":"tasks","id":8,"parent":7,"kind":"req_in","what":"read","location":"L1[1]","start":151000,"end":200000,"open":true}
| {"table":"milestones","task":2,"time":1000,"kind":"queue","what":"L1[0].top"}
| {"table":"milestones","task":3,"time":5000,"kind":"hardware_resource","what":"tags"}
| {"table":"milestones","task":3,"time":110000,"kind":"dependency","what":"dram"}
| {"table":"milestones","task":8,"time":160000,"kind":"queue","what":"mshr"}
$ weft tasks info run.json
out is
| property    value
| unit        ps
| tasks       7
| milestones  4
| tags        0
| open tasks  3
empty err

$ weft tasks slowest run.json --top 3
out is
|   duration    start  id  kind        what  location  open
| 200.000 ns     0 ps   1  Simulation  main  Engine    open
| 120.000 ns     0 ps   2  req_out     read  Core[0]
| 118.000 ns  1000 ps   3  req_in      read  L1[0]
$ weft tasks slowest run.json --kind req* --location *[1] --format json
out is
| [
| {"duration_ps":50000,"start_ps":150000,"id":7,"kind":"req_out","what":"read","location":"Core[1]","open":true},
| {"duration_ps":49000,"start_ps":151000,"id":8,"kind":"req_in","what":"read","location":"L1[1]","open":true}
| ]
$ weft tasks slowest run.json --to 1ns --what read -f csv
out is
| duration_ps,start_ps,id,kind,what,location,open
| 120000,0,2,req_out,read,Core[0],false

$ weft tasks groups run.json
out is
| tasks  open       total   share        mean       least        most  kind
|     4     1  282.500 ns  43.5 %   70.625 ns     7500 ps  120.000 ns  req_out
|     1     1  200.000 ns  30.8 %  200.000 ns  200.000 ns  200.000 ns  Simulation
|     2     1  167.000 ns  25.7 %   83.500 ns   49.000 ns  118.000 ns  req_in
$ weft tasks groups run.json --by kind,what --from 150000 --format csv
out is
| tasks,open,total_ps,share_percent,mean_ps,least_ps,most_ps,kind,what
| 1,1,200000,66.889632,200000,200000,200000,Simulation,main
| 1,1,50000,16.722408,50000,50000,50000,req_out,read
| 1,1,49000,16.387960,49000,49000,49000,req_in,read

$ weft tasks tree run.json 1
out is
| task                  duration    share       start  id  location  open
| Simulation main     200.000 ns  100.0 %        0 ps   1  Engine    open
|   req_out read      120.000 ns   60.0 %        0 ps   2  Core[0]
|     req_in read     118.000 ns   59.0 %     1000 ps   3  L1[0]
|       req_out read  105.000 ns   52.5 %     5000 ps   4  L1[0]
|   req_out write        7500 ps    3.8 %     1500 ps   5  Core[0]
|   req_out read       50.000 ns   25.0 %  150.000 ns   7  Core[1]   open
|     req_in read      49.000 ns   24.5 %  151.000 ns   8  L1[1]     open
$ weft tasks tree run.json 2 --depth 1 --format csv
out is
| depth,duration_ps,share_percent,start_ps,id,kind,what,location,open
| 0,120000,100.000000,0,2,req_out,read,Core[0],false
| 1,118000,98.333333,1000,3,req_in,read,L1[0],false

$ weft tasks where run.json 3
out is
|      since    duration   share  kind               what
|       0 ps     4000 ps   3.4 %  hardware_resource  tags
|    4000 ps  105.000 ns  89.0 %  dependency         dram
| 109.000 ns     9000 ps   7.6 %  (rest)
$ weft tasks where run.json --kind req_in
out is
|      total   share  times        mean  kind               what
| 105.000 ns  62.9 %      1  105.000 ns  dependency         dram
|  49.000 ns  29.3 %      2   24.500 ns  (rest)
|    9000 ps   5.4 %      1     9000 ps  queue              mshr
|    4000 ps   2.4 %      1     4000 ps  hardware_resource  tags

$ weft tasks hang run.json
out is
| open task, and what waits for it    duration       start  id  location  last milestone
| req_in read                        49.000 ns  151.000 ns   8  L1[1]     queue mshr
|   req_out read                     50.000 ns  150.000 ns   7  Core[1]
|     Simulation main               200.000 ns        0 ps   1  Engine

$ weft tasks hang run.json --what write
out is
| no task is open; 1 ended
$ weft tasks hang run.json --what write -f csv | wc -l
out is
| 1
$ weft tasks slowest run.json --location 'L9*'
out is
| no task to show
$ weft emu run.json -o out --from 1ns --to 2ns
out tasks: 4 of 7 tasks in 7 rows, a window of 1000 ps (of 200 ns)
$ weft emu run.json -o out --from 120ns
out tasks: 3 of 7 tasks in 7 rows, a window of 80.000 ns (of 200 ns)
$ weft tasks slowest run.json --top 0 >all; weft tasks slowest run.json --top 1000 | cmp - all; wc -l <all
out is
| 8

== The same from a store of another kind; an import.
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
| {"table":"meta","property":"unit","value":"ps"}
| {"table":"tasks","id":2,"parent":1,"kind":"req_out","what":"read","location":"Core[0]","start":0,"end":120000,"open":false}
| {"table":"tasks","id":3,"parent":2,"kind":"req_in","what":"read","location":"L1[0]","start":1000,"end":119000,"open":false}
| {"table":"tasks","id":4,"parent":3,"kind":"req_out","what":"read","location":"L1[0]","start":5000,"end":110000,"open":false}
| {"table":"tasks","id":5,"parent":1,"kind":"req_out","what":"write","location":"Core[0]","start":1500,"end":9000,"open":false}
| {"table":"tasks","id":1,"kind":"Simulation","what":"main","location":"Engine","start":0,"end":200000,"open":true}
| {"table":"tasks","id":7,"parent":1,"kind":"req_out","what":"read","location":"Core[1]","start":150000,"end":200000,"open":true}
| {"table":"tasks","id":8,"parent":7,"kind":"req_in","what":"read","location":"L1[1]","start":151000,"end":200000,"open":true}
| {"table":"milestones","task":2,"time":1000,"kind":"queue","what":"L1[0].top"}
| {"table":"milestones","task":3,"time":5000,"kind":"hardware_resource","what":"tags"}
| {"table":"milestones","task":3,"time":110000,"kind":"dependency","what":"dram"}
| {"table":"milestones","task":8,"time":160000,"kind":"queue","what":"mshr"}
$ weft tasks load run.json ./run.json
exit 2
err loaded into itself
$ weft tasks load run.json sqlite:run.db
err 12 rows imported
write plan.py
| import sqlite3
| d = sqlite3.connect("run.db")
| for s in ("explain query plan select id from tasks where parent=1 "
|           "order by rowid",
|           "select sql from sqlite_master where name='tasks_parent'"):
|     print(d.execute(s).fetchone()[-1])
$ python3 plan.py
out SEARCH tasks USING INDEX tasks_parent (parent=?)
out WHERE "parent" IS NOT NULL
$ weft tasks load run.json csv:folder
$ weft tasks hang run.json -f csv >a; weft tasks hang run.db -f csv >b; weft tasks hang folder -f csv >c; cmp a b && cmp a c
$ weft tasks tree run.json 1 >a; weft tasks tree run.db 1 >b; weft tasks tree folder 1 >c; cmp a b && cmp a c
$ weft stat -q run.json >a; weft stat -q run.db >b; weft stat -q folder >c; cmp a b && cmp a c
$ weft emu -q csv:folder
file folder.weft/component.prv
$ weft emu -q sqlite:run.db
file run.db.weft/component.prv
no file *:*
$ weft tasks where run.json 3 >a; weft tasks where run.db 3 >b; weft tasks where folder 3 >c; cmp a b && cmp a c

== A store whose writer was killed in the middle of a batch.
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
write kill.py
| import sqlite3, os
| d = sqlite3.connect("run.db", isolation_level=None)
| d.execute("pragma cache_size=1")
| d.execute("begin")
| d.executemany("insert into tasks values(?,1,1,1,1,1,1,0)",
|     [(i,) for i in range(20000)])
| os.kill(os.getpid(), 9)
sh weft tasks load run.json run.db
sh python3 kill.py || test -s run.db-journal
$ weft tasks info run.db
out tasks       0
empty err

== Parents in a circle, and tasks without end.
write c.json
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
| {"table":"tasks","id":1,"parent":2,"kind":"a","what":"b","location":"c","start":1,"end":9,"open":true}
| {"table":"tasks","id":2,"parent":1,"kind":"a","what":"b","location":"c","start":1,"end":9,"open":true}
$ weft tasks tree c.json 1
err 1 task is its own descendant
$ weft tasks hang c.json
err 2 open tasks wait for each other in circles

== What is asked wrongly, what is no store.
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
write other.json
| {"table":"weft_schema","tab":"memory","col":"id","type":"int","nullable":false,"indexed":false}
write broken.json
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
| {"table":"tasks","id":"one"}
write text.json
| hello
write null.json
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
| {"table":"tasks","id":1}
$ weft tasks what run.json
exit 2
err "what" is not one of
$ weft tasks tree run.json
exit 2
err missing argument: tree STORE ID
$ weft tasks tree run.json 1x
exit 2
err "1x" is not the id of a task
$ weft tasks slowest run.json --from soon
exit 2
err --from takes a time such as 500, 10ms, 1.5s, @CLOCK, 14:03:10.5 or 2026-11-23T14:03Z, not "soon"
$ weft tasks slowest run.json --from @5
exit 2
err the trace does not say what its clock was
$ weft tasks groups run.json --by shape
exit 2
err --by takes kind,what,location
$ weft tasks tree run.json 5
exit 3
err there is no task 5
$ weft tasks slowest none.db
exit 3
err none.db: cannot be found, check the path
$ weft tasks slowest other.json
exit 3
err is not a store of tasks: it has no tasks
$ weft tasks slowest broken.json
exit 3
err not a row of table tasks
$ weft tasks slowest null.json
exit 3
err null.json: tasks: a row has no value in the column kind
$ weft tasks slowest text.json
exit 3
err text.json: not a weft store
$ weft tasks slowest oracle://me/x
exit 3
err not a kind of store
$ weft tasks slowest mariadb://me:secret@127.0.0.1/x
exit 3
err do not put a password in the store's address
no err secret
$ weft stat postgres://me:secret@127.0.0.1/x
exit 3
err do not put a password in the store's address
no err secret
$ weft emu MariaDB://me:top/secret@127.0.0.1/x
exit 3
no err secret
$ weft tasks load run.json 'mongodb://127.0.0.1/x?password=secret'
exit 3
no err secret
$ weft check me:secret@127.0.0.1/x
exit 3
no err secret
$ weft mariadb://me:secret@127.0.0.1/x
exit 2
no err secret
$ weft tasks slowest --kind=x://me:secret@y run.json
exit 3
no err secret
$ weft tasks slowest run.json
out is
| no task to show
empty err

== Times of a store are picoseconds in statistics, too.
write stages.json
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
| {"table":"tasks","id":1,"kind":"stage","what":"fetch","location":"Core","start":0,"end":333,"open":false}
| {"table":"tasks","id":2,"kind":"stage","what":"decode","location":"Core","start":333,"end":666,"open":false}
| {"table":"tasks","id":3,"kind":"stage","what":"execute","location":"Core","start":666,"end":1000,"open":false}
$ weft stat stages.json
out is
| Task  (component.task, 1 row, 1000 ps)
|         time ps    share     times  state
|             334   33.4 %         1  execute
|             333   33.3 %         1  fetch
|             333   33.3 %         1  decode
|   100 % is the duration of all rows: 1000 ps
$ weft stat --csv --from 300ps --to 0.5ns stages.json
out is
| type,number,row,value,label,time_ps,times,runs,mean_ps
| component.task,90,,4,decode,167,1,0,167
| component.task,90,,2,fetch,33,1,0,33
$ weft stat --csv --from 300 --to +200 stages.json
out is
| type,number,row,value,label,time_ps,times,runs,mean_ps
| component.task,90,,4,decode,167,1,0,167
| component.task,90,,2,fetch,33,1,0,33
$ weft stat --json stages.json
out {"from_ps":0,"duration_ps":1000,
out "label":"execute","time_ps":334,"times":1,"runs":0,"mean_ps":334
$ weft stat --from 2ns stages.json
err the trace ends at 1000 ps, before --from 2ns
$ weft stat --open stages.json
exit 2
err 'weft tasks hang STORE' lists the tasks of a simulator that never ended
$ weft stat --by type stages.json
exit 2
err weft tasks groups STORE

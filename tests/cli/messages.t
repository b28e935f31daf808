# Messages about wrong input: what is wrong, where, and what to do.

== A memory measurement that is not there, may not be read, or is none.
needs root
write notes.txt
| hello
sh mkdir empty locked; chmod 700 locked
$ weft mem report nosuch
exit 3
err nosuch: cannot be found, check the path: No such file
$ weft mem bounds nosuch
exit 3
err nosuch: cannot be found, check the path
$ nobody: weft mem report locked
exit 3
err locked: cannot be read, check its permissions: Permission denied
$ nobody: weft mem dump locked
exit 3
err locked: cannot be read, check its permissions
$ weft mem report empty
exit 3
err empty: has no memory measurement: record one with weft run -e datacentric
$ weft mem report notes.txt
exit 3
err perf record nor a database of weft mem merge: record one with weft run -e datacentric
$ weft mem dump empty
exit 3
err empty: is a directory; dump prints a file in it
$ weft mem bounds empty
exit 3
err empty: not a regular file

== A store of tasks that is not there, may not be read, or is none.
needs root
write notes.txt
| hello
sh mkdir empty; touch zero.db locked.db; echo x >locked.db; chmod 600 locked.db
$ weft tasks info nosuch
exit 3
err nosuch: cannot be found, check the path: No such file
$ weft tasks info csv:nosuch
exit 3
err csv:nosuch: cannot be found, check the path
$ nobody: weft tasks info locked.db
exit 3
err locked.db: cannot be read, check its permissions: Permission denied
$ weft tasks info notes.txt
exit 3
err notes.txt: not a SQLite file: give the store that the simulator wrote
$ weft tasks info zero.db
exit 3
err zero.db: an empty file: give the store
$ weft tasks info csv:empty
exit 3
err csv:empty: not a weft store; give the one that the simulator wrote
$ weft tasks info csv:notes.txt
exit 3
err csv:notes.txt: not a directory: a CSV store is a directory of .csv files
$ weft tasks load notes.txt
exit 2
err missing argument: load SPOOL STORE
$ weft tasks
exit 2
err missing argument: QUESTION STORE

== A place where nothing can be written is told with the way around it.
needs root
trace t
sh touch file; chmod 755 .
$ weft emu t -o file
exit 3
err cannot create directory file: Not a directory; -o DIR writes elsewhere
$ nobody: weft emu t
exit 3
err cannot create directory t.weft: Permission denied; -o DIR writes elsewhere
$ nobody: weft sort t
exit 3
err cannot create directory t.sorted: Permission denied; -o DIR writes elsewhere
$ nobody: weft check --repair t
exit 3
err cannot create directory t.repaired: Permission denied; -o DIR writes elsewhere
$ nobody: weft run true
exit 3
err cannot create directory true-1.weft: Permission denied; -o DIR writes elsewhere

== A copy is not written among the streams of the trace.
trace t
$ weft sort t/loom.n.0/proc.9/thread.10
exit 3
err thread.10.sorted lies inside another trace and would be read as part of it: choose another directory
$ weft check --repair t/loom.n.0/proc.9/thread.10
exit 3
err lies inside another trace and would be read as part of it
$ weft sort t/loom.n.0/proc.9/thread.10 -o one
out output: one
$ cd t/loom.n.0/proc.9 && weft sort thread.10
exit 3
err thread.10.sorted lies inside another trace and would be read as part of it

== Nor among those of CTF.
ctf t nanos6-fib
$ weft check --repair t/0/ctf/user
exit 3
err t/0/ctf/user.repaired lies inside another trace and would be read as part of it

== A program of this folder needs its path.
write prog
| #!/bin/sh
sh chmod +x prog
$ weft run prog || echo $?
out 127
err prog: cannot start the program: No such file or directory; write ./ before
$ weft run nosuch || echo $?
out 127
no err ./
$ weft run -q ./prog
empty err
sh chmod -x prog; mkdir folder
$ weft run ./prog || echo $?
out 126
err ./prog: cannot start the program: Permission denied; chmod +x makes the file executable
$ weft run ./folder || echo $?
out 126
err ./folder: cannot start the program: Permission denied; it is a directory

== An empty text names the line that it needs.
sh touch a.tt
$ weft check a.tt
exit 3
err a.tt: no thread is declared in it, begin with a line: thread NAME

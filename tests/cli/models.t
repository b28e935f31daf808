# What this build understands.

== models lists them.
$ weft models
out ovni       1.1.0    O       1-4,6-7,100-199
out nanos6     1.2.0    6       35-42
out wait       1.0.0    W       60-64
empty err

== models MODEL lists its channels.
$ weft models nanos6
out nanos6 1.2.0
out nanos6.subsystem           37
out weft events nanos6
$ weft models ovni
out ovni.flush
out ovni.flush                 7       stack   always 
out while active   title of mark type N
$ weft models nanos6-ctf
out nanos6-ctf.task            6400012 single  while it runs  Runtime: Task Code
out nanos6-ctf.ready_tasks     6400018 single  (process only) Number
out panel                                title (channels
out nanos6-ctf.runtime_status_simple     Runtime Status
$ weft models linux
out linux.syscalls             6400102 single  (CPU only) 

== An unknown model is named.
$ weft models nosuch
exit 2
empty out
err there is no model "nosuch"; 'weft models' lists them
$ weft events nosuch
exit 2
err there is no model "nosuch"; 'weft models' lists them
$ weft models ovni nanos6
exit 2
err unexpected argument "nanos6"

== events --markdown is the page of all events.
$ weft events --markdown >page; diff "$SOURCE/docs/user/events.md" page
empty out
$ weft events --markdown kernel | grep -c '^## '
out is
| 1
$ weft events --markdown nosuch
exit 2
err there is no model "nosuch"

== A page escapes what Markdown would take for its own.
write a.model
| model mine 1.0.0 X "what *it* shows"
| channel s stack 900 "S"
| XAa|XAb(i64 t) push s 1 "a|b <c>" says="begins at %t | [x]"
$ weft events --markdown --model a.model mine | tail -1
out is
| | `XAb(i64 t)` | begins at \<t> \| \[x] | s: pushes 1 "a\|b \<c>" |

== events lists those of all models, or of one.
$ weft events
out OHx(i32 cpu, i32 tid, u64 tag)
out 6W[
out pushes 19 "Worker: Looking for work"
$ weft events ovni
out OHe
no out 6W[

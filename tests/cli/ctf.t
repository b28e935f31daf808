# CTF traces of Nanos6, whole and damaged. What a converter of old wrote of them
# is compared in golden/views.

== Executions of tasks are counted by their labels.
ctf t nanos6-fib
$ weft stat --by type t
out is
| Running Task Label  (nanos6-ctf.label, 34 rows x 40.899 ms)
|         time ms    share      runs           mean  task type
|           0.090   59.3 %        66        1362 ns  fib
|           0.055   36.0 %         1      54.540 us  main
|           0.007    4.8 %        34         212 ns  leaf_if0
|        1390.413        -         0              -  No task

== A chart shows what the threads did, not only that they ran.
ctf t nanos6-fib
$ weft stat --chart t
out Runtime Subsystems
out A Scheduler: Lock: Serving tasks

== Nothing has a name that says so; the converter of old called it "End".
ctf t nanos6-fib
$ weft stat t
out No task
out No thread
no out End
$ weft emu -q --compat -o out t
$ grep -A 3 6400013 out/trace.pcf
out 0    End

== Without metadata the threads still are of one process; a leader is no CPU.
ctf t nanos6-fib
sh rm t/0/ctf/user/metadata
$ weft emu -q -o out t
out CTF 1.8: 34 threads of 1 process, 1894 events
err no metadata that can be read: taken for streams of Nanos6 3.0 or newer
$ cat out/cpu.row
out CPU 0.1
no out CPU 0.2
out LT 0.1338

# Traces of the kernel's switches.

== a_preempted_thread_is_not_called_paused
trace t
  json weft.switches true
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OHp u32 1
  event 50 OHr
  event 60 OHp
  event 100 OHr
  event 110 OHe
$ weft stat --type ovni.state t
out is
| Thread: thread state  (ovni.state, 1 thread, 100 ns)
|         time ns    share     times  state
|              40   40.0 %         1  Paused
|              30   30.0 %         3  Running
|              30   30.0 %         1  Preempted
|   100 % is the lifetimes of all threads: 100 ns
empty err
sh cp -r t old
$ (exec -a ovniemu weft old) && ! grep Preempted old/thread.pcf
trace u
  event 10 OHx i32 0 i32 -1 u64 0
  event 20 OHp u32 1
  event 50 OHr
  event 110 OHe
$ weft stat --type ovni.state u
out              30   30.0 %         1  Paused

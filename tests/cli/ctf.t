# CTF traces of Nanos6, whole and damaged. golden/views compares the output with
# that of the original converter.

== Executions of tasks are counted by their labels.
ctf t nanos6-fib
$ weft stat --by type t
out is
| Running Task Label  (nanos6-ctf.label, 34 threads, 40.899 ms)
|         time ms    share      runs           mean  task type
|           0.090   59.3 %        66        1362 ns  fib
|           0.055   36.0 %         1      54.540 us  main
|           0.007    4.8 %        34         212 ns  leaf_if0
|         194.120        -         0              -  No task
|   100 % is the time in tasks: 151.665 us

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
$ weft emu -o out t
out CTF 1.8: 34 threads of 1 process, 1894 events
err no readable metadata: read as streams of Nanos6 3.0 or newer
$ cat out/cpu.row
out CPU 0.1
no out CPU 0.2
out LT 0.1338

== A killed run is made whole: metadata, streams up to their last event.
ctf t nanos6-fib
sh rm -r t/VERSION t/0/ctf/user/metadata; truncate -s -3 t/0/ctf/user/channel_1; : >t/0/ctf/user/channel_2
$ weft check --repair t
out inferred: metadata with 58 events
out channel_1: left out: 8 bytes after the last complete event
out channel_2: left out: 1 file without a packet of the trace
out 3 streams, 1858 events kept, 0 clocks changed, 8 bytes lost
out output: t.repaired
$ weft check t.repaired
out t.repaired: 0 errors, 0 warnings, 0 notes in 1858 events
$ grep -c cpu_list t.repaired/0/ctf/user/metadata
out is
| 1
$ weft dump -q t >a; weft dump -q t.repaired | cmp - a
$ ! command -v babeltrace2 >/dev/null || [ $(babeltrace2 t.repaired | wc -l) = 1858 ]

== Clocks that go back, or cannot be, become the one before.
ctf t nanos6-fib
sh printf '\1\0\0\0\0\0\0\0' | dd of=t/0/ctf/user/channel_0 bs=1 seek=33 conv=notrunc status=none
$ weft check t
exit 1
out channel_0: byte 32: at 11281513 ns: the clock goes back by 11281512 ns
$ weft check --repair t
out channel_0: changed: 1 clock that went backwards or jumped by months
$ weft check t.repaired
out 0 errors, 0 warnings, 0 notes in 1894 events

== A packet is cut behind its last whole event, and says so.
ctf t lttng-1
sh truncate -s 5000 t/ust/uid/0/64-bit/c1_0; printf '\377\377\377\377' | dd of=t/ust/uid/0/64-bit/c1_1 bs=1 seek=700 conv=notrunc status=none
$ weft check --repair t
out c1_0: left out: 904 bytes after the last complete event
out 2 streams, 834 events kept, 0 clocks changed, 4218 bytes lost
$ weft check t.repaired
out 0 errors, 0 warnings, 3 notes in 834 events
$ ! command -v babeltrace2 >/dev/null || [ $(babeltrace2 t.repaired | wc -l) = 834 ]

== A packet that is cut behind its events says how long it is now.
ctf t lttng-1
sh truncate -s 300 t/ust/uid/0/64-bit/c1_0
$ weft check --repair t
out 2 streams, 900 events kept, 0 clocks changed, 0 bytes lost
$ ! command -v babeltrace2 >/dev/null || [ $(babeltrace2 t.repaired | wc -l) = 900 ]

== A whole trace is copied as it is, with what lies beside it.
ctf t nanos6-kernel
sh echo '{}' >t/0/nanos6_kerneldefs.json
$ weft check --repair -o new t
out 6 streams, 3683 events kept, 0 clocks changed, 0 bytes lost
$ diff -r t new
$ weft check --repair -o new t
exit 3
err new

== Streams of CTF are in order: there is nothing to sort.
ctf t nanos6-fib
$ weft sort t
exit 3
err weft check --repair

== Rows are those of nodes, CPUs, processes and threads.
ctf t nanos6-ranks
$ weft emu -q --no-cfg -o out t
$ cat out/cpu.row
out is
| LEVEL CPU SIZE 2
| CPU 0.0
| CPU 1.1
|
| LEVEL NODE SIZE 2
| rank0
| rank1
|
| LEVEL TASK SIZE 2
| Rank 0
| Rank 1
|
| LEVEL THREAD SIZE 6
|  CPU 0.0
| ET 0.16001
| LT 0.16002
|  CPU 1.1
| ET 1.16004
| LT 1.16005
$ head -1 out/cpu.prv
out _ns:2(1,1):1:2(0000000003:1,0000000003:2)

== One process is a level, too; its node has the name that the metadata says.
ctf t nanos6-fib
sh sed -i 's/pid = /hostname = "n17"; pid = /' t/0/ctf/user/metadata
$ weft emu -q --no-cfg -o out t
$ cat out/process.row
out LEVEL NODE SIZE 1
out n17
$ cat out/thread.row
out LEVEL TASK SIZE 1
out Process 1337
$ weft emu -q --no-cfg --compat -o out t
$ head -2 out/trace.row
out is
| LEVEL NODE SIZE 1
| hostname

== System calls have the names of their tracepoints.
ctf t nanos6-kernel
sh sed -i 's/softirq_entry/sys_enter_futex/; s/softirq_exit/sys_exit_futex/' t/0/ctf/kernel/metadata
$ weft emu -q --no-cfg -o out t
$ grep -A 5 6400102 out/cpu.pcf
out 3    futex
$ weft stat --type linux.syscalls t
out futex
$ weft emu -q --no-cfg --compat -o out t
$ grep -A 9 6400102 out/trace.pcf
out 3    futex
sh printf '{\n"sys_enter": {}, "sys_exit_iopl": {},\n"sys_enter_iopl": {},\n"sys_exit_futex": {},\n"sys_enter_futex": {}\n}\n' >t/0/nanos6_kerneldefs.json
$ weft emu -q --no-cfg --compat -o out t
$ grep -A 9 6400102 out/trace.pcf
out 4    futex
$ grep -c '6400102:4' out/trace.prv
out is
| 14

== Metadata that cannot be is shown by its line; what is known of Nanos6 helps.
ctf t nanos6-fib
sh sed -i 's/size = 32;/size = 0;/' t/0/ctf/user/metadata
$ weft check t
exit 1
out error: t/0/ctf/user/metadata: line 4: size: must be 1 to 64 bits
out warning: t/0/ctf/user: no readable metadata: read as streams of Nanos6 3.0
out 1 error, 1 warning, 0 notes in 1894 events

== Metadata that is empty or missing is named.
ctf t lttng-1
sh : >t/ust/uid/0/64-bit/metadata
$ weft check t
exit 3
err t/ust/uid/0/64-bit/metadata: the file is empty, and without it the streams beside it cannot be read: if LTTng still records, lttng rotate or lttng stop writes it; if this is a copy, copy it again
$ weft stat t/ust/uid/0/64-bit/metadata
exit 3
err 64-bit/metadata: the file is empty
sh head -c 100 /dev/zero >t/ust/uid/0/64-bit/metadata
$ weft dump t
exit 3
err t/ust/uid/0/64-bit/metadata: no metadata of CTF begins here (neither "/* CTF 1.8" nor the magic number of a packet), and without it the streams beside it cannot be read
sh rm t/ust/uid/0/64-bit/metadata
$ weft check t
exit 3
err t/ust/uid/0/64-bit: the file "metadata", which describes the CTF streams, is missing: copy it, too

== One of two parts without metadata is left out.
ctf t lttng-1
sh mkdir t/ust/uid/1; cp -r t/ust/uid/0/64-bit t/ust/uid/1; : >t/ust/uid/1/64-bit/metadata
$ weft check t
exit 1
out t/ust/uid/1/64-bit: left out: t/ust/uid/1/64-bit/metadata: the file is empty

== A session of LTTng without events yet.
ctf t lttng-1
sh for f in t/ust/uid/0/64-bit/c1_*; do : >$f; done
$ weft check t
exit 3
err t: no event in its 2 streams; if LTTng still records, lttng rotate or lttng stop writes what it holds in memory

== Metadata that lies: of numbers, of streams.
ctf t nanos6-fib
ctf u nanos6-fib
sh sed -i 's/size = 32;/size = 64;/' t/0/ctf/user/metadata; sed -i 's/stream_id = 2/stream_id = 7/' u/0/ctf/user/metadata
$ weft check t
exit 3
err t/0/ctf/user/channel_0: byte 0: no packet begins here (magic 0x1c1fc1fc1): 11480 bytes left out
$ weft check u
exit 1
out u/0/ctf/user/metadata: 58 of its 116 events belong to streams that it does not declare

== Types that are unknown, or hold themselves.
ctf t nanos6-fib
ctf u nanos6-fib
ctf v nanos6-fib
sh sed -i '2i typealias aa := aa;' t/0/ctf/user/metadata; sed -i '2i struct a { struct a x; };' u/0/ctf/user/metadata
sh (echo '/* CTF 1.8 */'; printf 'struct { %.0s' $(seq 5000)) >v/0/ctf/user/metadata
$ weft check t
exit 1
out t/0/ctf/user/metadata: line 2: no type "aa" is known here
$ weft check u
exit 1
out u/0/ctf/user/metadata: line 2: no type "struct a" is known here
$ weft check v
exit 1
out v/0/ctf/user/metadata: line 2: more than 32 nested levels

== Lengths that are huge cost the rest of the stream, and no memory.
ctf t nanos6-fib
ctf u nanos6-fib
sh sed -i '/task_start/,/uint32_t _id;/s/uint32_t _id;/uint32_t _id[4000000000];/' t/0/ctf/user/metadata
sh sed -i '/task_start/,/uint32_t _id;/s/uint32_t _id;/uint32_t _id; uint32_t _x[_id]; uint8_t _y[_id][_id];/' u/0/ctf/user/metadata
$ weft check t
exit 1
out channel_0: byte 79: a list has too many elements to be read (id 21): 11401 bytes of the file left out
$ weft check u
exit 1
out bytes of the file left out

== Packets that are cut.
ctf t lttng-1
sh truncate -s 4600 t/ust/uid/0/64-bit/c1_1
$ weft check t
exit 1
out c1_1: byte 4096: the file ends within this packet: 504 of its 4018 bytes are there
out c1_1: byte 4580: an event extends beyond the end of its packet, where the file is cut: 20 bytes left out

== Ids that nothing declares: of an event, of a stream, of a CPU.
ctf t nanos6-fib
ctf u nanos6-kernel
ctf v nanos6-fib
sh printf '\377' | dd of=t/0/ctf/user/channel_1 bs=1 seek=10 conv=notrunc status=none
sh cp u/0/ctf/kernel/channel_0 u/0/ctf/user/channel_9
sh printf '\377\377' | dd of=v/0/ctf/user/channel_1 bs=1 seek=8 conv=notrunc status=none
$ weft check t
exit 1
out channel_1: byte 10: the metadata declares no event with this id (id 255): 8746 bytes of the file left out
$ weft check u
exit 1
out channel_9: byte 0: stream 0 is not declared in the metadata: 2450 bytes left out
out 1 error, 0 warnings, 0 notes in 3683 events
$ weft check v
exit 1
out channel_1: byte 0: the stream belongs to CPU 65535, which the metadata does not list
out 0 errors, 1 warning, 0 notes in 1894 events

== The first clock of a stream, of no other event near: the other streams begin then.
ctf t nanos6-fib
sh printf '\20' | dd of=t/0/ctf/user/channel_1 bs=1 seek=18 conv=notrunc status=none; truncate -s 28 t/0/ctf/user/channel_1
$ weft check --repair t
exit 1
out channel_1: byte 10: the first clock differs by months from the clocks of the other streams: the event gets their time
out channel_1: changed: 1 clock that went backwards or jumped by months
$ weft dump t.repaired
no err months
sh weft dump t >damaged 2>said || true; weft dump t.repaired >repaired || true; cmp damaged repaired; grep -q . damaged
sh ! weft dump -q t | grep -E '^ *[0-9]{12}'

== Streams of another trace are read with a warning: by the UUID, or by what threads cannot do.
ctf t lttng-1
ctf u lttng-2
ctf v nanos6-fib
ctf w nanos6-block
sh cp u/ust/pid/*/c1_0 t/ust/uid/0/64-bit/c9_0; cp w/0/ctf/user/channel_0 v/0/ctf/user/channel_1
$ weft check t
exit 1
out c9_0: byte 0: the UUID of this packet belongs to another trace; the packet is read as part of this one
out 0 errors, 1 warning
$ weft check v
exit 1
out channel_0: byte 21: event nanos6:thread_resume: at 9005187 ns: 2 threads run on CPU 0.0 at the same time

== A rank that is missing, or there twice.
ctf t nanos6-ranks
ctf u nanos6-ranks
sh rm -r t/0; sed -i 's/rank = "1"/rank = "0"/' u/1/ctf/user/metadata
$ weft check t
exit 1
out warning: t: 1 of 2 ranks are missing, the first is rank 0: what they did is not shown
$ weft check t/1
out 0 errors, 0 warnings
$ weft check u
exit 1
out u/0/ctf/user/metadata: another directory has rank 0, too
out u/1/ctf/user/metadata: another directory has rank 0, too

== Channels without a byte.
ctf t nanos6-ranks
ctf u nanos6-fib
sh : >t/1/ctf/user/channel_2; for i in 0 1 2 3; do : >u/0/ctf/user/channel_$i; done
$ weft check t
out note: t/1/ctf/user/channel_2: the file is empty
$ weft check u
exit 3
err u/0/ctf/user/channel_3: the file is empty
err u: no event in its 4 streams
sh rm u/0/ctf/user/metadata
$ weft check u
exit 3
err u/0/ctf/user: no metadata, and no event of Nanos6 in its streams

== Views choose, alone and with a time; so do threads, which events tell of.
ctf t nanos6-fib
$ weft stat --view flush,label --from 31ms --to 32ms t
out 66.777    0.3 %       114  fib
$ weft emu -q --no-cfg --view tasks_and_runtime --from 10ms --to 20ms -f csv -o out t
$ cut -d, -f4 out/states.csv | sort -u
out is
| nanos6-ctf.busy
| nanos6-ctf.label
| nanos6-ctf.runtime
| type
$ weft emu -q --view hardware_counters t
exit 2
err there is no view "hardware_counters"
$ weft stat --by thread --type ovni.state t
out TH 0.1339
$ weft stat --thread 1339 --by thread --type ovni.state t
out 1 thread
out TH 0.1339
$ weft top --thread 1339 t
out nanos6:task_start
$ weft stat --thread 1339,7 t
err --thread: no event of thread 7
$ weft stat --thread nobody t
exit 2
err --thread takes TIDs
ctf u nanos6-hwc
$ weft stat --view PAPI_TOT_INS u
out PAPI_TOT_INS

== Events without fields are printed as babeltrace2 prints them.
sh mkdir t
write t/metadata
| /* CTF 1.8 */
| trace { major = 1; minor = 8; byte_order = le; };
| typealias integer { size = 8; align = 8; } := byte;
| clock { name = m; freq = 1000000000; };
| typealias integer { size = 8; align = 8; map = clock.m.value; } := ts;
| stream { event.header := struct { ts t; byte id; }; };
| event { name = "none"; id = 0; };
| event { name = "empty"; id = 1; fields := struct { }; };
sh printf '\001\000\002\001' >t/channel
$ weft dump --format babeltrace t | tr ' ' _
out is
| [00:00:00.000000001]_none:_
| [00:00:00.000000002]_empty:_{_}
$ ! command -v babeltrace2 >/dev/null || TZ=UTC babeltrace2 --no-delta t | cmp - <(weft dump --format babeltrace t)

== Times are printed as babeltrace2 prints them: none without a clock, seconds before 1970.
sh for t in t u v; do mkdir $t; done; printf '/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = le; };\ntypealias integer { size = 8; align = 8; } := byte;\n' >head; printf 'event { name = "a"; id = 0; fields := struct { byte x; }; };\n' >tail
sh { cat head; echo 'stream { event.header := struct { byte id; }; };'; cat tail; } >t/metadata; printf '\000\001\000\002' >t/channel
sh { cat head; echo 'clock { name = m; freq = 1000000000; offset_s = -100000; offset = 3; }; typealias integer { size = 8; align = 8; map = clock.m.value; } := ts; stream { event.header := struct { byte id; ts t; }; };'; cat tail; } >u/metadata; printf '\000\005\001' >u/channel
sh { cat head; echo 'stream { packet.context := struct { byte content_size; byte packet_size; }; event.header := struct { byte id; }; };'; cat tail; } >v/metadata; printf '\040\040\000\001' >v/channel
$ weft dump --format babeltrace t
out is
| a: { x = 1 }
| a: { x = 2 }
$ weft dump --format babeltrace u
out is
| [-99999.999999992] a: { x = 1 }
$ weft dump --format babeltrace v
out is
| a: { x = 1 }
$ ! command -v babeltrace2 >/dev/null || for i in t u v; do TZ=UTC babeltrace2 --no-delta $i 2>/dev/null | cmp - <(weft dump --format babeltrace $i) || exit 1; done

== Times that 64 bits of ns cannot hold are reported once, and a cpu_id of -1 is no CPU.
sh for t in t u; do mkdir $t; printf '/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = le; };\ntypealias integer { size = 8; align = 8; } := byte;\ntypealias integer { size = 32; align = 8; } := u32;\n' >$t/metadata; done
sh echo 'clock { name = m; freq = 1000000000; offset_s = 9223372036; offset = 854775800; }; typealias integer { size = 8; align = 8; map = clock.m.value; } := ts; stream { event.header := struct { ts t; }; }; event { name = "a"; };' >>t/metadata; printf '\001\020\040\060' >t/channel
sh echo 'stream { packet.context := struct { u32 cpu_id; }; event.header := struct { byte id; }; }; event { name = "a"; id = 0; };' >>u/metadata; printf '\377\377\377\377\000\000' >u/channel
$ weft check t
exit 1
out channel: byte 1: with the clock offset in the metadata, times do not fit in 64 bits of ns
out 1 error, 0 warnings
$ weft check u
out 0 errors, 0 warnings, 0 notes in 2 events

== Names of events may be asked for with '*' and '?'.
ctf t nanos6-fib
$ weft top --event 'nanos6:*create_e*er,*:task_???' t
out oc:task_create_enter
out nanos6:task_end
no out task_start
$ weft dump --event '*:nothing*' t
err --event: no event is called "*:nothing*"

== --cpu takes the events whose packets are of that CPU.
ctf t lttng-1
$ weft dump -q --format babeltrace t | grep '{ cpu_id = 1 }' >one; weft dump -q --format babeltrace --cpu 1 t | cmp - one
empty err
$ weft dump -q --format babeltrace t | grep -c '{ cpu_id = 1 }' | grep -vx 0
$ weft top -q --format ovnitop --cpu 1 t | awk '{ n += $2 } END { print n }' >top; wc -l <one | cmp - top

== Threads are those that contexts tell, not the files of CPUs.
ctf t lttng-1
$ weft top -q --by thread t >top; sed 1d top | awk '{ print $4, $1 }' | sort >ours
$ weft dump -q --format babeltrace t | grep -o 'vtid = [0-9]*' | sort | uniq -c | awk '{ print $4, $1 }' | sort | diff - ours
empty out
$ test $(wc -l <ours) -gt 0
$ weft dump -q t | awk '{ print $2, 1 }' | sort -u | cut -d' ' -f1 | join - ours | diff - ours
$ weft dump -q --format json t | grep -vc '"thread":\([0-9]*\),.*"vtid":\1,'
exit 1
out is
| 0
$ weft dump -q --thread $(cut -d' ' -f1 ours | sed -n 1p) --format json t | wc -l | cmp - <(cut -d' ' -f2 ours | sed -n 1p)

== Timestamps without a clock in the metadata are nanoseconds.
sh mkdir t
write t/metadata
| /* CTF 1.8 */
| typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
| typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
| trace { major = 1; minor = 8; byte_order = le;
|   packet.header := struct { uint32_t magic; uint32_t stream_id; }; };
| stream { id = 0; event.header := struct { uint32_t id; uint64_t timestamp; }; };
| event { name = "a:b"; id = 0; stream_id = 0; fields := struct { uint32_t x; }; };
sh python3 -c "import struct; open('t/s', 'wb').write(struct.pack('<II', 0xC1FC1FC1, 0) + struct.pack('<IQI', 0, 5, 1) + struct.pack('<IQI', 0, 1700000000, 2))"
$ weft dump -q --format babeltrace t
out is
| [00:00:00.000000005] a:b: { x = 1 }
| [00:00:01.700000000] a:b: { x = 2 }
$ ! command -v babeltrace2 >/dev/null || { weft dump -q --format babeltrace t >ours; TZ=UTC babeltrace2 --no-delta t | diff - ours; }
empty out
$ weft dump -q t
out 1699999995

== A link to a directory is not followed; a note names it.
ctf t lttng-1
sh mkdir both elsewhere && cp -r t both/a && cp -r both/a elsewhere/b && ln -s ../elsewhere/b both/b
$ weft check both
out note: both/b: left out: a symbolic link to a directory

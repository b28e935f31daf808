# Every mistake in a model file is reported with line and column; the message
# shows the row with a mark under the column. Each line of the lists below has
# the text of the file ("\n" stands for the end of a line and "@" for "%"), then
# the message after "line ". The file begins with the lines of `head`.

== Mistakes in the model line.
write play
| touch -a head
| while IFS= read -r line; do
|     { cat head; printf "${line%% >>> *}\n" | sed 's/@/%/'; } >bad.model
|     weft models --model bad.model >out 2>err
|     [ $? = 3 ] && [ ! -s out ] && [ "$(wc -l <err)" = 3 ] &&
|         grep -qF "bad.model: line ${line##* >>> }" err || { echo "$line"; cat err; }
| done
write list
| channel s stack 900 "S"\nXWs push s 1 >>> 2: column 1: expected the model line first
| model mine 1.0.0 X "x"\nmodel mine 1.0.0 X "x" >>> 2: column 7: expected one model line in a file
| model Mine 1.0.0 X "x" >>> 1: column 7: expected the name of the model in lower-case letters
| model mine 1.0 X "x" >>> 1: column 12: expected a version of the form X.Y.Z, not "1.0"
| model mine 1.0.0 XY "x" >>> 1: column 18: expected one letter, not "XY"
| model mine 1.0.0 X >>> 1: column 19: expected what the model shows, in quotes
| model mine 1.0.0 X "" >>> 1: column 20: expected what the model shows, in quotes that is not empty
| model mine 1.0.0 6 "x" >>> 1: column 7: expected an unused name and an unused letter: nanos6 has the letter 6
| model ovni 1.0.0 X "x" >>> 1: column 7: expected an unused name and an unused letter: ovni has the letter O
| model mine 1.0.0 X "x"\nneed always >>> 2: column 6: expected nothing, running, active or alive, not "always"
$ bash play <list
empty out
empty err

== Mistakes in channels.
write play
| touch -a head
| while IFS= read -r line; do
|     { cat head; printf "${line%% >>> *}\n" | sed 's/@/%/'; } >bad.model
|     weft models --model bad.model >out 2>err
|     [ $? = 3 ] && [ ! -s out ] && [ "$(wc -l <err)" = 3 ] &&
|         grep -qF "bad.model: line ${line##* >>> }" err || { echo "$line"; cat err; }
| done
write head
| model mine 1.0.0 X "x"
write list
| channel >>> 2: column 8: expected the key of the channel
| channel A stack 900 "S" >>> 2: column 9: expected the key of the channel in lower-case
| channel s heap 900 "S" >>> 2: column 11: expected single or stack, not "heap"
| channel s stack nine "S" >>> 2: column 17: expected its Paraver type, a number
| channel s stack 0 "S" >>> 2: column 17: expected a type from 1 to 6400102
| channel s stack 37 "S" >>> 2: column 17: expected an unused Paraver type: nanos6 has 37
| channel s stack 150 "S" >>> 2: column 17: expected an unused Paraver type: ovni has 150
| channel s stack 900 "S"\nchannel t stack 900 "T" >>> 3: column 17: expected an unused Paraver type: s has 900
| channel s stack 900 >>> 2: column 20: expected its title, in quotes
| channel s stack 900 "S >>> 2: column 23: expected the closing quote
| channel s stack 900 "S"\nchannel s stack 905 "S" >>> 3: column 9: expected a new key: there is a channel s
| channel s stack 900 "S" sometimes >>> 2: column 25: expected of=, track=
| channel s stack 900 "S" when=now >>> 2: column 25: expected no "when=" here
| channel s stack 900 "S" of=nobody >>> 2: column 28: expected thread, cpu, process or system, not "nobody"
| channel s stack 900 "S" track=running of=cpu >>> 2: column 25: expected this option only for a channel of threads
| channel s stack 900 "S" none="" >>> 2: column 30: expected a label in quotes that is not empty
$ bash play <list
empty out
empty err

== Mistakes in rows.
write play
| touch -a head
| while IFS= read -r line; do
|     { cat head; printf "${line%% >>> *}\n" | sed 's/@/%/'; } >bad.model
|     weft models --model bad.model >out 2>err
|     [ $? = 3 ] && [ ! -s out ] && [ "$(wc -l <err)" = 3 ] &&
|         grep -qF "bad.model: line ${line##* >>> }" err || { echo "$line"; cat err; }
| done
write head
| model mine 1.0.0 X "x"
| channel s stack 900 "S"
| channel n single 901 "N" show=number
| channel c single 902 "C" of=cpu
| channel y stack 903 "Y" of=system
write list
| XWs jump s 1 >>> 6: column 5: expected push, pop, set
| YWs push s 1 >>> 6: column 1: expected an event that begins with X
| XWs(u33 a) push s 1 >>> 6: column 1: "XWs(u33 a)": column 5: expected a type such as u32 or str
| XWs push >>> 6: column 9: expected the key of a channel
| XWs push t 1 >>> 6: column 10: expected a channel declared above, not t
| XWs push n 1 >>> 6: column 10: expected a stack channel for this action
| XWs set s 1 >>> 6: column 9: expected a single channel for this action
| XWs push s >>> 6: column 11: expected a value, or %ARGUMENT
| XWs push s 0 >>> 6: column 12: expected a state from 1 to 2147483644
| XWs push s 2147483645 >>> 6: column 12: expected a state from 1 to 2147483644
| XWs(u8 a) set n @b >>> 6: column 17: expected an integer argument of the event, not b
| XWs(f64 a) set n @a >>> 6: column 18: expected an integer argument of the event, not a
| XWs push s 1 label >>> 6: column 14: expected of=, since=, says= or the end
| XWs push s 1 "" >>> 6: column 14: expected a label that is not empty
| XWs(u8 a) set n @a "A" >>> 6: column 20: expected no label
| XWs push s 1 of=nobody >>> 6: column 17: expected an integer argument of the event, not nobody
| XWs push s 1 of=cpu >>> 6: column 17: expected a channel that is declared with of=cpu
| XWs set c 1 of=running >>> 6: column 16: expected of=cpu: what the channel belongs to
| XWs push y 1 of=cpu >>> 6: column 17: expected a channel that is declared with of=cpu
| XWs push s 1 since=t >>> 6: column 20: expected an integer argument of the event, not t
| XWs(u64 t) push s 1 since=- >>> 6: column 28: expected an argument that holds a time
| XWs(u64 t) enable s since=t >>> 6: column 21: expected of=, says= or the end
| XWs ignore s >>> 6: column 12: expected says= or the end
| XWs push s 1 says="of @a" >>> 6: column 19:
| XWs push s 1\nXWs pop s 1 >>> 7: column 1: expected one row for each channel that an event changes: XWs
| XWs|XWs push s 1 >>> 6: column 1: expected one row for each channel that an event changes: XWs
| XW? push s 1\nXWs pop s 1 >>> 7: column 1: expected one row with the same name and arguments as its other row: XWs
| XW push s 1 >>> 6: column 1: expected an event of 3 letters or more, not XW
| XWs ignore\nXWs pop s 1 >>> 7: column 1: expected one row that does something, if it has several: XWs
| XWs| push s 1 >>> 6: column 1: expected the name of an event
$ bash play <list
empty out
empty err

== Mistakes in tasks and counters.
write play
| touch -a head
| while IFS= read -r line; do
|     { cat head; printf "${line%% >>> *}\n" | sed 's/@/%/'; } >bad.model
|     weft models --model bad.model >out 2>err
|     [ $? = 3 ] && [ ! -s out ] && [ "$(wc -l <err)" = 3 ] &&
|         grep -qF "bad.model: line ${line##* >>> }" err || { echo "$line"; cat err; }
| done
write head
| model mine 1.0.0 X "x"
| channel s stack 900 "S"
| channel i single 901 "I" show=id
| channel t single 902 "T"
| channel c single 903 "C" of=cpu
| channel b single 904 "B" show=number
write list
| tasks i >>> 7: column 8: expected the key of a channel
| tasks c t >>> 7: column 9: expected a channel of threads
| tasks i c >>> 7: column 9: expected a channel of threads
| tasks i s >>> 7: column 9: expected a single channel here
| tasks i t section=i 1 >>> 7: column 19: expected a stack channel here
| tasks i t section=s 0 >>> 7: column 21: expected a state from 1
| tasks i t often >>> 7: column 11: expected section=, rank=, app=, body=, nests, again
| tasks i t\ntasks i t >>> 8: column 7: expected one line of tasks
| XTx(u32 id) task execute >>> 7: column 1: expected a line with tasks above this one
| tasks i t\nXTx(u32 id) task jump >>> 8: column 18: expected type, create, bodies, execute, end, pause or resume, not "jump"
| tasks i t\nXTx(i64 id) task execute >>> 8: column 1: expected an event of three letters with the arguments (u32 ID)
| tasks i t\nXTxx(u32 id) task execute >>> 8: column 1: expected an event of three letters
| tasks i t body=b\nXTx(u32 id) task execute >>> 8: column 1: expected an event of three letters with the arguments (u32 ID, u32 BODY)
| tasks i t\nXTC(u32 id, u32 type) task bodies >>> 8: column 1: expected body= in the line of tasks
| tasks i t\nXYc(u32 id, str label) task type >>> 8: column 1: expected an event of three letters with the arguments +(u32 ID, str LABEL)
| tasks i t\nXTa|XTb(u32 id) task end >>> 8: column 1: expected the name of one event
| tasks i t\nXTe(u32 id) task end\nXTe(u32 id) ignore >>> 9: column 1: expected one row that does something
| XWC counters 1000 >>> 7: column 1: expected an event of three letters that is a jumbo
| XWC+ counters 850 >>> 7: column 15: expected an unused Paraver type: s has 900
| XWC+ counters 101 >>> 7: column 15: expected an unused Paraver type: ovni has 101
| XWC+ counters 1000\nXWD+ counters 2000 >>> 8: column 1: expected one event with hardware counters
| XWC+ counters 1000\nchannel n single 1099 "N" >>> 8: column 18: expected an unused Paraver type: hwc has 1099
$ bash play <list
empty out
empty err
$ printf 'tasks i t\nXYc+(u32 id, str label) task type\n' | cat head - >bad.model; weft models --model bad.model
exit 3
err bad.model: the tasks have no event with 'task type', or none with 'task create'
$ printf 'tasks i t body=b\nXYc+(u32 id, str l) task type\nXTc(u32 id, u32 t) task create\n' | cat head - >bad.model; weft models --model bad.model
exit 3
err bad.model: the tasks have body=, but no event with 'task bodies'

== Mistakes in labels and panels.
write play
| touch -a head
| while IFS= read -r line; do
|     { cat head; printf "${line%% >>> *}\n" | sed 's/@/%/'; } >bad.model
|     weft models --model bad.model >out 2>err
|     [ $? = 3 ] && [ ! -s out ] && [ "$(wc -l <err)" = 3 ] &&
|         grep -qF "bad.model: line ${line##* >>> }" err || { echo "$line"; cat err; }
| done
write head
| model mine 1.0.0 X "x"
| channel s stack 900 "S"
| channel n single 901 "N" show=number
| channel c single 902 "C" of=cpu
| channel y stack 903 "Y" of=system
write list
| label t 1 "A" >>> 6: column 7: expected a channel declared above, not t
| label s one "A" >>> 6: column 9: expected a value
| label s 1 >>> 6: column 10: expected its label, in quotes
| label s 1 "A" "B" >>> 6: column 15: expected meaning= or the end of the line
| label s 1 "A" meaning=love >>> 6: column 23: expected task, create, scheduler, dependencies, memory, overhead, sync, lock, communication, io, sleep, search, ready, idle, flush, lost or error
| label s 1 "A"\nXWs push s 1 "B" >>> 7: column 14: expected one label for a value: it is "A"
| label s 1 "A"\nlabel s 2 "A" >>> 7: column 11: expected a new label: value 1 has this one
| panel s "P" s >>> 6: column 7: expected a new key: there is a channel or panel s
| panel p >>> 6: column 8: expected its title, in quotes
| panel p "P" >>> 6: column 12: expected the key of a channel
| panel p "P" z >>> 6: column 13: expected a channel declared above, or MODEL.KEY, not z
| panel p "P" s y >>> 6: column 15: expected only channels of the system, or none of them: no row has both
$ bash play <list
empty out
empty err
write none.model
| need active
$ weft models --model none.model
exit 3
err none.model: no model line in it

== The row is shown with a mark, whatever is in it.
write bad.model
| model mine 1.0.0 X "x"
| channel s stack 900 "S"
| 	XWs	push q 1 # here
$ weft models --model bad.model
exit 3
err is
| weft models: error: bad.model: line 3: column 11: expected a channel declared above, not q
|    XWs push q 1 # here
|             ^
sh printf 'model mine 1.0.0 X "x"\n%0200d oops\n' 7 >bad.model
$ weft models --model bad.model
exit 3
err line 2: column 1: 
no err oops

== Two files may not claim the same.
write a.model
| model one 1.0.0 X "x"
| channel s stack 900 "S"
write b.model
| model two 1.0.0 Y "y"
| channel s stack 900 "S"
$ weft models --model a.model,b.model
exit 3
err b.model: line 2: column 17: expected an unused Paraver type: one has 900
$ weft models --model a.model,a.model
exit 3
err a.model: line 1: column 7: expected an unused name and an unused letter: one has the letter X
$ weft models --model a.model,none.model
exit 3
err none.model: cannot be found, check the path

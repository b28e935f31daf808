# Models from a text file; the first case runs what docs/user/own-model.md shows.

== The model of the page does what the page says.
sh sed -n '/^```model/,/^```$/{//!p}' "$SOURCE/docs/user/own-model.md" >pool.model
sh sed -n '/^```tt/,/^```$/{//!p}' "$SOURCE/docs/user/own-model.md" >pool.tt
$ weft stat -q --model pool.model pool.tt --type pool.state
out (pool.state, 2 rows x 80 ns)
out Running a job
out Looking for work
$ weft emu -q --model pool.model pool.tt -o out --to prv,csv
$ grep -c . out/states.csv >/dev/null; grep ',pool.queue,' out/states.csv | cut -d, -f1,3,5 | tr '\n' ' '
out 20,TH 1.2,3
out 40,TH 1.2,2
$ grep ',pool.job,' out/states.csv | cut -d, -f1,3,5 | tr '\n' ' '
out 30,TH 1.1,7
$ grep 'Queue was full' out/states.csv | cut -d, -f1,3 | tr '\n' ' '
out 44,TH 1.2

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
err none.model: cannot open

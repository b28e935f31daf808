# weft convert: what becomes of events. tests/formats has the formats.

== Named arguments of a hand-written trace may come in any order.
write x.tt
| thread a require nanos6 1.1.0
| 0 a OHx tag=7 cpu=0 tid=-1
| 10 a 6Yc+ label="solve" typeid=1
| 11 a 6Yc+ foo=3 typeid=2 label="other"
| 20 a OHe
$ weft convert x.tt -f ctf -o out && weft dump out
out OHx  begins the execution on CPU 0 created from -1 with tag 0x7
out 6Yc  creates task type 1 with label "solve"
out 6Yc  creates task type 2 with label "other"

== Arguments that are wrong stay wrong.
write x.tt
| thread a require nanos6 1.1.0
| 0 a OHx cpu=0 tid=-1 tag=7
| 10 a 6Yc+ 3
| 11 a 6Yc+ typeid="one" label=3
| 20 a OHe
$ weft convert x.tt -f ctf -o out && weft check out
exit 1
out missing payload

== Nothing opens an output without a record.
write x.tt
| thread a
$ weft convert x.tt -o x.prv
exit 1
out output: 
no out Paraver

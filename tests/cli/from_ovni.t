# docs/user/from-ovni.md does what it says: its files, its commands, their output.

== The page of people who come from ovni prints what it says.
unchecked the old names write no titles for the types 1 to 3 of CPUs
sh sed -n '/^```tt/,/^```$/{//!p}' "$SOURCE/docs/user/from-ovni.md" >odd.tt
sh sed -n '/^```differs-tt/,/^```$/{//!p}' "$SOURCE/docs/user/from-ovni.md" >differs.tt
sh sed -n '/^```console/,/^```$/{//!p}' "$SOURCE/docs/user/from-ovni.md" >page
sh cp -r "$SOURCE/tests/golden/ovni-fib/trace" ovni
sh chmod -R u+w ovni
sh mkdir bin; for name in ovniemu ovnidump ovnitop ovnisort ovniver ovnievents; do ln -s "$(type -P weft)" bin/$name; done
write play
| export PATH=$PWD/bin:$PATH LD_LIBRARY_PATH=$WEFT_STORE_DIR/../inproc
| while IFS= read -r line; do
|     [ "${line#$ }" != "$line" ] || continue
|     echo "$line"
|     eval "${line#$ }" 2>&1 </dev/null
| done
$ bash play <page >got; diff page got
empty out
empty err

/* SPDX-License-Identifier: MIT */
/*
 * lock.pml - the lock of the process, in every order of steps: only one thread
 * holds it at a time, and no thread sleeps for ever, even if waiting threads
 * are told to give up.
 *
 * As in lock.c, threads wait in the second queue; the writer and the exit wait
 * in the first. A thread that sleeps on a futex goes on only when another one
 * wakes it. With -DKEEP a thread that gives up does not pass its wake-up on to
 * the next one: the check must fail.
 */
#define THREADS 2
#define WRITER 2
#define EXIT 3
#define TURNS 2 /* how often the writer and the exit take the lock */

byte word, inside;
bool asleep[4], is_away;

inline enter() { inside++; assert(inside == 1) }
inline leave() { inside-- }

inline wake()
{
	atomic {
		if
		:: asleep[WRITER] -> asleep[WRITER] = 0; woke = 1
		:: asleep[EXIT] -> asleep[EXIT] = 0; woke = 1
		:: !asleep[WRITER] && !asleep[EXIT] -> woke = 0
		fi
	};
	atomic {
		if
		:: !woke && asleep[0] -> asleep[0] = 0
		:: !woke && asleep[1] -> asleep[1] = 0
		:: woke || (!asleep[0] && !asleep[1]) -> skip
		fi;
		woke = 0
	}
}

inline sleep()
{
	atomic {
		if
		:: word == 2 -> asleep[_pid] = 1
		:: else -> skip
		fi
	};
	!asleep[_pid]
}

inline is_free()
{
	atomic {
		ok = (word == 0);
		word = (ok -> 1 : word)
	}
}

inline is_free_at_last()
{
	atomic {
		ok = (word == 0);
		word = 2
	}
}

inline unlock()
{
	atomic {
		ok = (word == 2);
		word = 0
	};
	if
	:: ok -> wake()
	:: else -> skip
	fi
}

active [THREADS] proctype thread()
{
	bool ok, woke;

	is_free();
	do
	:: ok -> break
	:: else ->
		if
		:: is_away ->
#ifndef KEEP
			wake();
#endif
			goto gone
		:: else -> skip
		fi;
		is_free_at_last();
		if
		:: ok -> break
		:: else -> sleep()
		fi
	od;
	enter();
	leave();
	unlock();
gone:	skip
}

inline first()
{
	is_free();
	do
	:: ok -> break
	:: else ->
		is_free_at_last();
		if
		:: ok -> break
		:: else -> sleep()
		fi
	od;
	enter();
	leave();
	unlock()
}

active proctype writer()
{
	bool ok, woke;
	byte turn;

	for (turn : 1 .. TURNS) {
		first()
	}
}

active proctype exit()
{
	bool ok, woke;
	byte turn;

	is_away = 1;
	for (turn : 1 .. TURNS) {
		first()
	}
}

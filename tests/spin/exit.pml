/* SPDX-License-Identifier: MIT */
/*
 * exit.pml - threads that end their streams while the process exits, in every
 * order of steps: nobody waits for ever, no stream is ended twice, and none is
 * left without an end.
 *
 * As exit.c and thread.c: a ring is had by one (drainer), the lock of the
 * process is taken by who has a ring, and who holds the lock only tries to have
 * one. -DOTHER_ORDER lets the exit wait for a ring while it holds the lock, and
 * a thread for the lock while it has its ring: each may wait for the other, and
 * the check must fail.
 */
#define THREADS 2
#define NOBODY 9

byte lock = NOBODY, drainer[THREADS] = NOBODY;
bool is_listed[THREADS], is_ended[THREADS], is_closing, is_over;
byte at_work, ends[THREADS];

inline take_lock() { atomic { lock == NOBODY -> lock = _pid } }
inline give_lock() { lock = NOBODY }

inline end_stream(i)
{
	ends[i]++;
	assert(ends[i] == 1)
}

active [THREADS] proctype thread()
{
	byte i = _pid;

	take_lock();
	if
	:: is_closing -> give_lock(); goto gone
	:: else -> is_listed[i] = 1; give_lock()
	fi;
	/* a full ring: drained here */
	at_work++;
	if
	:: atomic { drainer[i] == NOBODY -> drainer[i] = _pid };
	   drainer[i] = NOBODY
	:: else -> skip
	fi;
	at_work--;
	/* the end */
	at_work++;
	if
	:: is_closing -> at_work--; goto gone
	:: else -> skip
	fi;
	/* the exit does not come between: it waits for who is at work */
	if
	:: atomic { drainer[i] == NOBODY -> drainer[i] = _pid };
#ifdef OTHER_ORDER
	   take_lock();
	   is_listed[i] = 0;
	   give_lock();
#endif
	   end_stream(i);
	   is_ended[i] = 1
	:: atomic { drainer[i] == THREADS -> skip } /* the exit has it */
	fi;
	at_work--;
	take_lock();
	if
	:: is_ended[i] -> is_listed[i] = 0
	:: else -> skip
	fi;
	give_lock();
gone:	skip
}

active proctype exit()
{
	byte i;
	bool is_left = 1, is_found;

	is_closing = 1;
	do
	:: is_left ->
		is_left = 0;
		is_found = 0;
		take_lock();
		for (i : 0 .. THREADS - 1) {
			if
			:: is_found || !is_listed[i] || is_ended[i] -> skip
			:: else ->
				if
				:: atomic { drainer[i] == NOBODY ->
					drainer[i] = _pid };
				   end_stream(i);
				   is_ended[i] = 1;
				   is_left = 1;
				   is_found = 1
#ifndef OTHER_ORDER
				:: else -> is_left = 1
#endif
				fi
			fi
		}
		give_lock();
		if
		:: is_left && !is_found -> at_work == 0
		:: else -> skip
		fi
	:: else -> break
	od;
	for (i : 0 .. THREADS - 1) {
		assert(!is_listed[i] || is_ended[i])
	}
	is_over = 1
}

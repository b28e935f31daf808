/* SPDX-License-Identifier: MIT */
/*
 * exit.pml - threads end their streams while the process exits, in every order
 * of steps: no thread waits for ever, and every stream is ended exactly once.
 *
 * As in exit.c and thread.c, one process at a time owns a ring (its drainer).
 * The drainer may wait for the lock of the process, but a holder of the lock
 * must not wait for a ring: it tries only once. Two changes must make the check
 * fail. With -DOTHER_ORDER the exit waits for a ring while it holds the lock,
 * and a thread for the lock while it owns its ring: each may wait for the
 * other. With -DNO_LOOK a thread that ends waits for its ring, which the exit
 * has taken, while the exit waits for all threads at work.
 */
#define THREADS 2
#define NOBODY 9

byte lock = NOBODY, drainer[THREADS] = NOBODY;
bool is_listed[THREADS], is_ended[THREADS], is_leaving, is_closing, is_over;
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
	:: is_leaving -> give_lock(); goto gone
	:: else -> is_listed[i] = 1; give_lock()
	fi;
	/* the ring is full: the thread drains it */
	at_work++;
	if
	:: atomic { drainer[i] == NOBODY -> drainer[i] = _pid };
	   drainer[i] = NOBODY
	:: else -> skip
	fi;
	at_work--;
	/* the thread ends; if its ring is not empty now, the exit drains it */
	at_work++;
	if
	:: is_leaving -> at_work--; goto gone
	:: else -> skip
	fi;
	if
	:: atomic { drainer[i] == NOBODY -> drainer[i] = _pid };
#ifdef OTHER_ORDER
	   take_lock();
	   is_listed[i] = 0;
	   give_lock();
#endif
	   end_stream(i);
	   is_ended[i] = 1
#ifndef NO_LOOK
	:: drainer[i] != NOBODY && is_closing -> at_work--; goto gone
#endif
	fi;
	at_work--;
	if
	:: is_leaving -> goto gone
	:: else -> skip
	fi;
	take_lock();
	if
	:: is_leaving -> skip
	:: else -> is_listed[i] = 0
	fi;
	give_lock();
gone:	skip
}

active proctype exit()
{
	byte i;
	bool is_left = 1, is_found;

	is_leaving = 1;
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

/* SPDX-License-Identifier: MIT */
/*
 * ring.pml - the ring of a thread and its salvage after a crash, in every order
 * of steps.
 *
 * A record is one slot; the ring has RING slots, and positions never wrap. The
 * thread emits EVENTS records, step by step as weft_store() of
 * include/weft/trace.h does. A signal handler may run between any two steps,
 * and a second handler between any two steps of the first. The writer may drain
 * at any moment. The process may crash at any moment as well, so the process
 * "salvage" asserts in every reachable state what salvage must find. Three
 * changes must make the check fail: -DNAIVE publishes reserved slots without
 * asking whether a call was interrupted, -DNO_LOOK takes the time without a
 * look at what came in meanwhile, -DBACK publishes again what a handler has
 * published.
 *
 * With -DOWN each event of the thread may have a clock that its caller took, as
 * with ovni_ev_emit(), and may then wait for room, as in rt/still.c. The event
 * is stored first; the pair OF[ OF] of its wait is stored before the first
 * event that is not earlier. No handler runs between the reading of that clock
 * and the call, nor between the look for room and the store, so such a clock
 * keeps its value. Everything else may come in at any step. Three changes must
 * make the check fail: -DPAIR_FIRST stores the pair at once, -DPAIR_AT_ONCE
 * before the next event whatever its clock, -DOPEN lets handlers run after the
 * wait, before the event is stored.
 */
#ifndef EVENTS
#define EVENTS 4
#endif
#ifdef OWN
#define RING 6
#else
#define RING 4
#endif
#define SLACK 2 /* slots that only signal handlers use */
#define ALL 16	/* positions that a run can reach, at most */

byte res, head, tail, limit = RING - SLACK;
byte clock = 1;

/* The ring, by slot: the position of its record, whether the record is
 * complete, and its time. */
byte owner[RING];
bool whole[RING];
byte stamp[RING];

byte file[ALL]; /* times of the drained records; 0: not yet drained */
bool is_over;

chan enter[2] = [0] of { bit };
chan leave[2] = [0] of { bit };
#ifndef HANDLERS
#define HANDLERS 3
#endif
byte handlers = HANDLERS; /* interruptions that may still come */

/* Begin and end of a wait that the thread has not recorded yet; 0: none. */
byte still_from, still_to;

#define SLOT(p) ((p) % RING)

/* A handler may run here: handler d interrupts the code at depth d. */
inline interrupt(d)
{
	if
	:: d < 2 && handlers > 0 ->
		handlers--;
		enter[d] ! 1;
		leave[d] ? _
	:: skip
	fi
}

/* Stores a record whose time is known, while all signals are blocked. */
inline put(when)
{
	d_step {
		assert(head == res && res < tail + RING);
		owner[SLOT(res)] = res;
		whole[SLOT(res)] = 1;
		stamp[SLOT(res)] = when;
		res++
	};
	head = res
}

/* Records the pair of events if the ring has room for it and the event after
 * it; otherwise drops the pair. */
inline say()
{
	if
	:: still_to != 0 && head == res && res + 3 <= tail + RING - SLACK ->
		put(still_from);
		put(still_to)
	:: else -> skip
	fi;
	d_step { still_from = 0; still_to = 0 }
}

inline wait_at(from)
{
	d_step { clock++; from = clock };
	(tail + RING - SLACK >= res + 3);
	d_step {
		clock++;
		if
		:: still_to == 0 -> still_from = from
		:: else -> skip
		fi;
		still_to = clock;
		limit = 0
	};
#ifdef PAIR_FIRST
	say()
#endif
}

/* Records an event with its caller's clock, which several events may share. If
 * a later event was recorded since, the event takes a new clock. */
inline emit_at(own, time, from)
{
	if
	:: own != 0 && (head == 0 || stamp[SLOT(head - 1)] <= own) -> skip
	:: d_step { clock++; own = clock }
	fi;
	time = own;
	if
	:: res + 1 > limit ->
		if
#ifdef PAIR_AT_ONCE
		:: still_to != 0 -> say()
#else
		:: still_to != 0 && time >= still_to -> say()
#endif
		:: else -> skip
		fi;
		limit = tail + RING - SLACK;
		if
		:: res + 1 > limit -> wait_at(from)
		:: else -> skip
		fi;
		if
		:: still_to != 0 -> limit = 0
		:: else -> skip
		fi;
#ifdef OPEN
		interrupt(0);
#endif
	:: else -> skip
	fi;
	put(time)
}

inline emit(d, pos, time, seen, ok)
{
	/* looks for room; the limit leaves slack for handlers that come after
	 * this look */
	interrupt(d);
	ok = 1;
	if
	:: res + 1 > limit ->
#ifdef OWN
		atomic { /* signals are blocked here */
			if
			:: still_to != 0 -> say()
			:: else -> skip
			fi
		};
#endif
		atomic { limit = tail + RING - SLACK };
		if
		:: res + 1 > limit && (d > 0 || head != res) ->
			/* a handler does not wait: its event is lost, and
			 * counted */
			ok = 0
		:: res + 1 > limit && d == 0 && head == res ->
			(tail + RING - SLACK >= res + 1);
			limit = tail + RING - SLACK
		:: else -> skip
		fi
	:: else -> skip
	fi;
	if
	:: ok ->
		interrupt(d);
		d_step { pos = res; res = res + 1 }; /* xadd */
		interrupt(d);
		d_step { clock++; time = clock }; /* rdtsc */
		interrupt(d);
#ifndef NO_LOOK
		if
		:: res != pos + 1 ->
			interrupt(d);
			if
			:: stamp[SLOT(pos + 1)] < time ->
				time = stamp[SLOT(pos + 1)]
			:: else -> skip
			fi
		:: else -> skip
		fi;
#endif
		/* a store is more than one step */
		d_step {
			/* the slot's old record was drained */
			assert(pos < tail + RING);
			owner[SLOT(pos)] = pos;
			whole[SLOT(pos)] = 0;
			stamp[SLOT(pos)] = 0
		};
		interrupt(d);
		d_step { stamp[SLOT(pos)] = time; whole[SLOT(pos)] = 1 };
		interrupt(d);
#ifdef NAIVE
		head = res
#else
		if
		:: head == pos ->
			do
			:: seen = res;
			   interrupt(d);
			   head = seen;
			   interrupt(d);
			   if
			   :: seen == res -> break
			   :: else -> skip
			   fi;
#ifndef BACK
			   interrupt(d);
			   if
			   :: head != seen -> break
			   :: else -> skip
			   fi
#endif
			od
		:: else -> skip
		fi
#endif
	:: else -> skip
	fi
}

active proctype thread()
{
	byte pos, time, seen, n;
	bool ok;
#ifdef OWN
	byte own, from;
#endif

	do
	:: n < EVENTS -> emit(0, pos, time, seen, ok); n++
#ifdef OWN
	:: n < EVENTS -> emit_at(own, time, from); n++
#endif
	:: else -> break
	od;
	assert(head == res); /* every record was published */
	is_over = 1
}

active [2] proctype handler()
{
	byte pos, time, seen;
	bool ok;
	/* depth of the interrupted code: 0 the thread, 1 the first handler */
	byte me = _pid - 1;

end:	do
	:: enter[me] ? _ ->
		emit(me + 1, pos, time, seen, ok);
		leave[me] ! 1
	od
}

/* Drains what is published, as pwrite() does: the bytes first, then the
 * tail. */
active proctype writer()
{
	byte to, at;

end:	do
	:: tail < head ->
		to = head;
		at = tail;
		do
		:: at < to ->
			d_step { file[at] = stamp[SLOT(at)]; at++ }
		:: else -> break
		od;
		tail = to
	od
}

/* Asserts what salvage finds after a crash: the file, then the ring up to
 * head. */
active proctype salvage()
{
	byte i, last;

end:	do
	:: d_step {
		assert(tail <= head);
		i = 0;
		last = 0;
		do
		:: i < head ->
			if
			:: i < tail ->
				assert(file[i] != 0);
				assert(file[i] >= last);
				last = file[i]
			:: else ->
				assert(owner[SLOT(i)] == i);
				assert(whole[SLOT(i)]);
				assert(stamp[SLOT(i)] >= last);
				last = stamp[SLOT(i)]
			fi;
			i++
		:: else -> break
		od;
		i = 0;
		last = 0
	   }
	od
}

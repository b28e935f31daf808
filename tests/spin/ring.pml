/* SPDX-License-Identifier: MIT */
/*
 * ring.pml - the ring of a thread and its salvage, in every order of steps.
 *
 * A record is one slot; the ring has RING of them, positions never wrap. The
 * thread emits EVENTS records as weft_store() of include/weft/trace.h does,
 * a line here for a step there. A handler may come in between any two steps,
 * and a second handler between any two of its own. The writer drains at any
 * moment. A crash may come at any moment as well: what salvage would find is
 * therefore an invariant, which the process "salvage" asserts in each state
 * that can be reached. -DNAIVE publishes what was reserved without asking for
 * a call that was interrupted, -DNO_LOOK takes the time without a look at what
 * came in meanwhile; the check must then fail.
 *
 * -DOWN: each event of the thread may have a clock that its caller took, as
 * ovni_ev_emit() does, and may then wait for room, as rt/still.c: it is stored
 * first, and the pair OF[ OF] of its wait before the first event that is not
 * earlier. No handler comes in between that clock and the call, or the look for
 * room and the store: such a clock stays as it is. All else may come in at any
 * step. -DPAIR_FIRST stores the pair at once, -DPAIR_AT_ONCE before the next
 * event whatever its clock, -DOPEN lets handlers in after the wait, before the
 * event is stored; the check must then fail.
 */
#ifndef EVENTS
#define EVENTS 4
#endif
#ifdef OWN
#define RING 6
#else
#define RING 4
#endif
#define SLACK 2 /* slots that only handlers use */
#define ALL 16	/* positions that can be reached */

byte res, head, tail, limit = RING - SLACK;
byte clock = 1;

/* The ring: which position's record lies in a slot, whether it is all there,
 * its time. */
byte owner[RING];
bool whole[RING];
byte stamp[RING];

byte file[ALL]; /* times of what was drained; 0: not yet */
bool is_over;

chan enter[2] = [0] of { bit };
chan leave[2] = [0] of { bit };
#ifndef HANDLERS
#define HANDLERS 3
#endif
byte handlers = HANDLERS; /* interruptions still to come */

/* What the thread knows of a wait that is still to be said; 0: none. */
byte still_from, still_to;

#define SLOT(p) ((p) % RING)

/* A handler may run here. The code at depth d is interrupted by handler d. */
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

/* A record whose time is known, with all signals blocked. */
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

/* The pair, if there is room for it and the event behind; else never. */
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

/* An event whose caller takes the clock, or has one that several events share;
 * not if something later has come since. */
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
	/* room: the limit leaves slack for handlers behind this look */
	interrupt(d);
	ok = 1;
	if
	:: res + 1 > limit ->
#ifdef OWN
		atomic { /* signals are blocked */
			if
			:: still_to != 0 -> say()
			:: else -> skip
			fi
		};
#endif
		atomic { limit = tail + RING - SLACK };
		if
		:: res + 1 > limit && (d > 0 || head != res) ->
			/* a handler does not wait: lost, and counted */
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
		/* the store is no single step */
		d_step {
			assert(pos < tail + RING); /* nothing unsaved below */
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
			   fi
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
	assert(head == res); /* nothing stays unpublished */
	is_over = 1
}

active [2] proctype handler()
{
	byte pos, time, seen;
	bool ok;
	byte me = _pid - 1; /* 0: of the thread, 1: of the first handler */

end:	do
	:: enter[me] ? _ ->
		emit(me + 1, pos, time, seen, ok);
		leave[me] ! 1
	od
}

/* Takes what is published, as pwrite does: the bytes first, then the tail. */
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

/* What a crash would leave: file, then ring up to head. */
active proctype salvage()
{
	byte i, last;

end:	do
	:: d_step {
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

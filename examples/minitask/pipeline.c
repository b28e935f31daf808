/* SPDX-License-Identifier: MIT */
/*
 * pipeline [FRAMES [SIZE]] - sends frames of numbers through three stages. A
 * task asks a device, which is a thread of the program, to fill the frame, and
 * is blocked until the frame is full. A task-for squares the numbers. Tasks add
 * them to a sum that a mutex guards. The source waits between two frames. At
 * the end the device injects a frame of its own as a function.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "program.h"

#define GAP_NS 200000

static long frames, size;
static long *numbers; /* buffer of all frames, and of the device's own frame */
static long total;
static struct mt_mutex total_mutex = MT_MUTEX;

/* The device serves one request at a time; task NULL ends it. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool is_asked;
	long frame;
	struct mt_task *task;
} device = { .lock = PTHREAD_MUTEX_INITIALIZER,
	.changed = PTHREAD_COND_INITIALIZER };

static long *
frame_at(long frame)
{
	return numbers + frame * size;
}

static void
ask_device(long frame, struct mt_task *task)
{
	pthread_mutex_lock(&device.lock);
	device.frame = frame;
	device.task = task;
	device.is_asked = true;
	pthread_cond_signal(&device.changed);
	pthread_mutex_unlock(&device.lock);
}

static void
fill(long frame)
{
	for (long i = 0; i < size; i++)
		frame_at(frame)[i] = (frame + i) % 100;
}

/* Stage 1. Its tasks write the device, so one asks after the other. */
static void
acquire(void *arg)
{
	ask_device(*(long *)arg, mt_self());
	mt_block();
}
static struct mt_type acquire_type =
	MT_TYPE("pipeline: acquire", acquire, long);

/* Stage 2. */
static void
square(void *arg, long begin, long end)
{
	long *number = frame_at(*(long *)arg);

	for (long i = begin; i < end; i++)
		number[i] *= number[i];
}
static struct mt_type square_type =
	MT_FOR_TYPE("pipeline: square", square, long);

/* Stage 3. */
static void
add(void *arg)
{
	const long *number = frame_at(*(long *)arg);
	long sum = 0;

	for (long i = 0; i < size; i++)
		sum += number[i];
	mt_lock(&total_mutex);
	total += sum;
	mt_unlock(&total_mutex);
}
static struct mt_type add_type = MT_TYPE("pipeline: add", add, long);

static void
source(void *none)
{
	(void)none;
	for (long f = 0; f < frames; f++) {
		mt_spawn(&acquire_type, &f,
			(struct mt_access[]){ { MT_OUT, frame_at(f) },
				{ MT_INOUT, &device }, { 0 } });
		mt_for(&square_type, &f, size, size / 8,
			(struct mt_access[]){
				{ MT_INOUT, frame_at(f) }, { 0 } });
		mt_spawn(&add_type, &f,
			(struct mt_access[]){ { MT_IN, frame_at(f) }, { 0 } });
		mt_wait_for(GAP_NS);
	}
	mt_taskwait();
	mt_sponge(GAP_NS);
}
static struct mt_type source_type = MT_TYPE("pipeline: source", source, char);

/* Blocks a task and resumes it on another CPU, because its own is busy. */
static struct mt_task *sleeper;
static atomic_int sleeper_cpu = -1, sleeper_is_back;

static void
sleeps(void *none)
{
	(void)none;
	sleeper = mt_self();
	atomic_store(&sleeper_cpu, mt_cpu());
	mt_block();
	atomic_store(&sleeper_is_back, 1);
}
static struct mt_type sleeps_type = MT_TYPE("pipeline: sleeper", sleeps, char);

/* One such task runs on each CPU; the CPU of the sleeping task stays busy. */
static void
keeps_busy(void *arrived)
{
	atomic_int *n = *(atomic_int **)arrived;

	atomic_fetch_add(n, 1);
	while (atomic_load(n) < mt_ncpus())
		sched_yield();
	if (mt_cpu() == (atomic_load(&sleeper_cpu) + 1) % mt_ncpus())
		mt_unblock(sleeper);
	while (mt_cpu() == atomic_load(&sleeper_cpu) &&
		!atomic_load(&sleeper_is_back))
		sched_yield();
}
static struct mt_type busy_type =
	MT_TYPE("pipeline: busy", keeps_busy, atomic_int *);

static void
move(void *none)
{
	atomic_int arrived = 0, *at = &arrived;

	(void)none;
	mt_spawn(&sleeps_type, NULL, NULL);
	while (atomic_load(&sleeper_cpu) < 0)
		mt_wait_for(GAP_NS / 10);
	for (int i = 0; i < mt_ncpus(); i++)
		mt_spawn(&busy_type, &at, NULL);
	mt_taskwait();
}
static struct mt_type move_type = MT_TYPE("pipeline: move", move, char);

static void *
work_of_device(void *last)
{
	struct mt_task *task;

	mt_attach();
	do {
		pthread_mutex_lock(&device.lock);
		while (!device.is_asked)
			pthread_cond_wait(&device.changed, &device.lock);
		device.is_asked = false;
		task = device.task;
		pthread_mutex_unlock(&device.lock);
		fill(device.frame);
		if (task)
			mt_unblock(task);
	} while (task);
	mt_spawn_function(&add_type, last, NULL, NULL);
	mt_detach();
	return NULL;
}

static bool
is_right(void)
{
	long want = 0;

	for (long f = 0; f < frames; f++)
		for (long i = 0; i < size; i++)
			want += (f + i) % 100 * ((f + i) % 100);
	for (long i = 0; i < size; i++)
		want += (frames + i) % 100;
	return total == want;
}

int
main(int argc, char *argv[])
{
	pthread_t thread;
	bool ok;

	frames = argument(argc, argv, 1, 20, 100000);
	size = argument(argc, argv, 2, 10000, 10000000);
	numbers = calloc((size_t)(frames + 1) * (size_t)size, sizeof(long));
	if (!numbers) {
		perror("pipeline");
		return 1;
	}
	mt_start();
	if (pthread_create(&thread, NULL, work_of_device, &frames) != 0)
		return 1;
	mt_run(&source_type, NULL);
	if (mt_ncpus() > 1)
		mt_run(&move_type, NULL);
	ask_device(frames, NULL);
	pthread_join(thread, NULL);
	mt_stop();
	printf("pipeline: %ld frames of %ld numbers, sum %ld\n", frames, size,
		total);
	ok = is_right();
	free(numbers);
	return verdict("pipeline", ok);
}

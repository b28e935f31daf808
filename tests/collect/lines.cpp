// SPDX-License-Identifier: MIT
// lines.cpp - waits inside the library of C++, for the test `causes`.
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex m;
static std::shared_mutex shared;
static std::condition_variable_any ball;
static int turn;

static void hold()
{
	for (int i = 0; i < 6; i++) {
		std::lock_guard<std::mutex> guard(m);
		std::this_thread::sleep_for(2ms);
	}
}

static void share()
{
	for (int i = 0; i < 6; i++) {
		std::unique_lock<std::shared_mutex> guard(shared);
		std::this_thread::sleep_for(2ms);
	}
}

static void play(int me)
{
	for (int i = 0; i < 6; i++) {
		std::unique_lock<std::mutex> guard(m);
		ball.wait(guard, [&] { return turn == me; });
		turn = 1 - me;
		ball.notify_one();
	}
}

static void both(void (*call)())
{
	std::thread one(call), other(call);

	one.join();
	other.join();
}

int main()
{
	both(hold);
	both(share);
	std::thread one(play, 0), other(play, 1);
	one.join();
	other.join();
	std::promise<int> promise;
	std::thread later([&] {
		std::this_thread::sleep_for(10ms);
		promise.set_value(3);
	});
	int result = promise.get_future().get();
	later.join();
	return result;
}

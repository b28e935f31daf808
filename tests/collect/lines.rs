// SPDX-License-Identifier: MIT
//! Waits inside the library of Rust, for the test `causes`.
use std::sync::{mpsc, Arc, Condvar, Mutex};
use std::{process, thread, time::Duration};

fn doze(ms: u64) {
    thread::sleep(Duration::from_millis(ms));
}

fn hold(m: &Mutex<i32>) {
    for _ in 0..6 {
        let mut guard = m.lock().unwrap();
        doze(2);
        *guard += 1;
    }
}

fn play(table: &(Mutex<i32>, Condvar), me: i32) {
    for _ in 0..6 {
        let mut turn = table.0.lock().unwrap();
        while *turn != me {
            turn = table.1.wait(turn).unwrap();
        }
        doze(1);
        *turn = 1 - me;
        table.1.notify_one();
    }
}

fn main() {
    let m = Arc::new(Mutex::new(0));
    let other = m.clone();
    let held = thread::spawn(move || hold(&other));
    hold(&m);
    held.join().unwrap();
    let table = Arc::new((Mutex::new(0), Condvar::new()));
    let theirs = table.clone();
    let played = thread::spawn(move || play(&theirs, 1));
    play(&table, 0);
    played.join().unwrap();
    let (to, from) = mpsc::channel();
    thread::spawn(move || {
        doze(10);
        to.send(3).unwrap();
    });
    process::exit(from.recv().unwrap());
}

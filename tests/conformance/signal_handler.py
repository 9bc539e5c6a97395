"""A signal handler that calls the function it interrupted, and one that changes what that relies on."""
# compiled: spin, step

import signal

SCALE = 1
SEEN = []
STOP = False


def step(x):
    return x * SCALE + 1


def spin(limit):
    count = 0
    last = 0
    while not STOP and count < limit:
        last = step(count % 10)
        count += 1
    return last


def nested(number, frame):
    global STOP
    SEEN.append((spin(50), step(3)))
    if len(SEEN) >= 3:
        STOP = True


def changing(number, frame):
    global SCALE, STOP
    SCALE = 2.5
    SEEN.append(step(4))
    STOP = True


nested.__name__ = changing.__name__ = "main"


def main():
    global STOP
    print(spin(100), step(3))
    look()
    signal.signal(signal.SIGALRM, nested)
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
    spin(10**12)
    signal.setitimer(signal.ITIMER_REAL, 0)
    print(SEEN[:2], STOP)
    STOP = False
    SEEN.clear()
    signal.signal(signal.SIGALRM, changing)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    spin(10**12)
    print(SEEN, SCALE, step(1))
    STOP = False
    print(spin(7))

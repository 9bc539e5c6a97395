"""Leaves Python programs at every instruction (or a sample) and goes on with rebuilt frames.

SPLICE_TEST_RESUMES: instructions per program, 0 for all. SPLICE_TEST_SEED: which sample.
"""

import os
import sys
import time

from probe import by_hand, counts

sys.path.insert(0, os.path.dirname(__file__))
import frame_trials
from frame_programs import PROGRAMS

del sys.path[0]


def main():
    frame_trials.start()
    # 0: every instruction.
    most = int(os.environ.get("SPLICE_TEST_RESUMES", "50")) or 10**9
    seed = int(os.environ.get("SPLICE_TEST_SEED", "1"))
    for hand in (False, True):
        by_hand(hand)
        start = time.perf_counter()
        total = [0, 0]
        before = counts()
        for name, source in PROGRAMS.items():
            done, skipped = frame_trials.check(
                name, source, lasti=frame_trials.MODERN or not hand, seed=seed, most=most
            )
            assert done > 0, name
            total[0] += done
            total[1] += skipped
        after = counts()
        chains, by_trampoline, hands = (a - b for a, b in zip(after, before))
        assert chains == total[0]
        assert (hands if hand else by_trampoline) > 0 and (by_trampoline if hand else hands) == 0
        print(
            f"{'by hand' if hand else 'trampolines'}: {total[0]} resumes ({total[1]} points left out), "
            f"{by_trampoline + hands} inner frames, {time.perf_counter() - start:.1f} s"
        )
    by_hand(False)
    for name, source in PROGRAMS.items():
        done, _ = frame_trials.check(
            name, source, lasti=frame_trials.MODERN, seed=seed, most=most, raises=True
        )
        assert done > 0, name
    frame_trials.stop()


main()

"""Primes by the sieve of Eratosthenes: how many, twins, and the largest gap."""


def sieve(limit):
    flags = [True] * (limit + 1)
    flags[0] = flags[1] = False
    for i in range(2, int(limit**0.5) + 1):
        if flags[i]:
            for multiple in range(i * i, limit + 1, i):
                flags[multiple] = False
    return flags


def statistics(flags):
    count = 0
    twins = 0
    last = 2
    gap = 0
    gap_start = 2
    for n in range(len(flags)):
        if flags[n]:
            count += 1
            if n - last == 2:
                twins += 1
            if n - last > gap:
                gap = n - last
                gap_start = last
            last = n
    return count, twins, gap, gap_start, last


def main():
    for limit in (1_000, 100_000, 8_000_000):
        count, twins, gap, gap_start, last = statistics(sieve(limit))
        print(
            f"up to {limit}: {count} primes, {twins} twins, largest {last}, "
            f"gap of {gap} after {gap_start}"
        )


if __name__ == "__main__":
    main()

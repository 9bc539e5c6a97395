"""The longest Collatz chains below a limit."""


def chain_length(n):
    length = 1
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        length += 1
    return length


def longest(low, high):
    best = 0
    best_start = low
    for start in range(low, high):
        length = chain_length(start)
        if length > best:
            best = length
            best_start = start
    return best_start, best


def main():
    for low in range(1, 200_000, 40_000):
        start, length = longest(low, low + 40_000)
        print(f"from {low}: {start} takes {length} steps")
    # Beyond 64 bits: the result is exact, whatever runs it.
    print("2**70 + 1 takes", chain_length(2**70 + 1), "steps")


if __name__ == "__main__":
    main()

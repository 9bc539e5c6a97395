"""Pi by three series: Leibniz, Nilakantha, and Wallis' product."""


def leibniz(terms):
    total = 0.0
    sign = 1.0
    for k in range(terms):
        total += sign / (2 * k + 1)
        sign = -sign
    return 4.0 * total


def nilakantha(terms):
    total = 3.0
    sign = 1.0
    n = 2
    for _ in range(terms):
        total += sign * 4.0 / (n * (n + 1) * (n + 2))
        sign = -sign
        n += 2
    return total


def wallis(factors):
    product = 1.0
    for k in range(1, factors):
        square = 4 * k * k
        product *= square / (square - 1)
    return 2.0 * product


def main():
    print(f"Leibniz    {leibniz(5_000_000):.15f}")
    print(f"Nilakantha {nilakantha(1_000_000):.15f}")
    print(f"Wallis     {wallis(5_000_000):.15f}")


if __name__ == "__main__":
    main()

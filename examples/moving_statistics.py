"""Moving mean, deviation, minimum and maximum over a long series of measurements."""

import math


def measurements(count):
    series = []
    state = 99
    level = 20.0
    for i in range(count):
        state = state * 16807 % 2147483647
        level += (state / 2147483647 - 0.5) * 0.4 - (level - 20.0) * 0.01
        series.append(level + 3.0 * math.sin(i * 0.0007))
    return series


def moving_mean_and_deviation(series, window):
    means = []
    deviations = []
    total = 0.0
    squares = 0.0
    for i in range(len(series)):
        value = series[i]
        total += value
        squares += value * value
        if i >= window:
            old = series[i - window]
            total -= old
            squares -= old * old
        if i >= window - 1:
            mean = total / window
            means.append(mean)
            deviations.append(math.sqrt(max(0.0, squares / window - mean * mean)))
    return means, deviations


def moving_extremes(series, window):
    lows = []
    highs = []
    for i in range(window - 1, len(series)):
        low = series[i]
        high = low
        for j in range(i - window + 1, i):
            value = series[j]
            if value < low:
                low = value
            elif value > high:
                high = value
        lows.append(low)
        highs.append(high)
    return lows, highs


def main():
    series = measurements(700_000)
    means, deviations = moving_mean_and_deviation(series, 250)
    lows, highs = moving_extremes(series[:120_000], 40)
    print(f"{len(series)} values from {min(series):.9f} to {max(series):.9f}")
    print(f"mean of means {sum(means) / len(means):.9f}, largest {max(means):.9f}")
    print(f"largest deviation {max(deviations):.9f}")
    spread = max(high - low for low, high in zip(lows, highs))
    print(f"{len(lows)} windows, largest spread {spread:.9f}")


if __name__ == "__main__":
    main()

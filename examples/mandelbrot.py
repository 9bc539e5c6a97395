"""The Mandelbrot set as text, and how many steps it took."""

SHADES = " .:-=+*#%@"


def escape_time(cx, cy, limit):
    x = 0.0
    y = 0.0
    for step in range(limit):
        xx = x * x
        yy = y * y
        if xx + yy > 4.0:
            return step
        y = 2.0 * x * y + cy
        x = xx - yy + cx
    return limit


def row_of(y, width, limit):
    return [escape_time(-2.2 + 3.2 * column / width, y, limit) for column in range(width)]


def main():
    width, height, limit = 230, 96, 1500
    total = 0
    for line in range(height):
        counts = row_of(-1.2 + 2.4 * line / height, width, limit)
        total += sum(counts)
        if line % 4 == 0:
            print("".join(SHADES[min(count, 90) // 10] for count in counts[::3]))
    print("steps:", total)


if __name__ == "__main__":
    main()

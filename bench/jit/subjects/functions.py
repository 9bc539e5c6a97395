"""The functions whose first call is timed: ordinary code of ten lines, and of a hundred."""


def ten_lines(n):
    a = 1
    b = 1
    total = 0
    for i in range(n):
        a, b = b, (a + b) % 1000003
        if a % 2 == 0:
            total += a
        else:
            total -= i
    return total


def ten_lines_more(x, n):
    low = 0.0
    high = x
    for _ in range(n):
        middle = (low + high) / 2.0
        if middle * middle > x:
            high = middle
        else:
            low = middle
    root = (low + high) / 2.0
    return root


def hundred_lines(seed, rounds):
    state = seed
    x = 0.25
    y = 0.75
    vx = 0.0
    vy = 0.0
    hits = 0
    misses = 0
    longest = 0
    run = 0
    score = 0
    energy = 0.0
    for step in range(rounds):
        state = (state * 16807) % 2147483647
        choice = state % 7
        weight = (state >> 8) % 100
        if choice == 0:
            vx += 0.01 * weight
            score += 1
        elif choice == 1:
            vx -= 0.01 * weight
            score -= 1
        elif choice == 2:
            vy += 0.01 * weight
            score += weight // 10
        elif choice == 3:
            vy -= 0.01 * weight
            score -= weight // 10
        elif choice == 4:
            vx, vy = vy, vx
            score ^= weight
        elif choice == 5:
            vx *= 0.5
            vy *= 0.5
        else:
            vx = -vx
            vy = -vy
        x += 0.1 * vx
        y += 0.1 * vy
        if x < 0.0:
            x = -x
            vx = -vx
        if x > 1.0:
            x = 2.0 - x
            vx = -vx
        if x < 0.0 or x > 1.0:
            x = 0.5
            vx = 0.0
        if y < 0.0:
            y = -y
            vy = -vy
        if y > 1.0:
            y = 2.0 - y
            vy = -vy
        if y < 0.0 or y > 1.0:
            y = 0.5
            vy = 0.0
        dx = x - 0.5
        dy = y - 0.5
        distance = dx * dx + dy * dy
        if distance < 0.0625:
            hits += 1
            run += 1
            if run > longest:
                longest = run
        else:
            misses += 1
            run = 0
        speed = vx * vx + vy * vy
        if speed > 4.0:
            vx *= 0.25
            vy *= 0.25
        energy = energy * 0.9 + 0.1 * speed
        divisor = 2
        rest = weight + 2
        factors = 0
        while divisor * divisor <= rest:
            if rest % divisor == 0:
                rest //= divisor
                factors += 1
            else:
                divisor += 1
        score += factors
        inner = 0
        for k in range(step % 5):
            inner += (k * weight) & 15
            if inner > 40:
                inner -= 40
                score += 2
        score += inner % 3
        if score > 1000000:
            score -= 1000000
        elif score < -1000000:
            score += 1000000
    balance = hits - misses
    return score * 1000 + balance + longest + int(energy * 100.0)

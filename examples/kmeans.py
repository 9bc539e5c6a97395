"""k-means clustering of points in the plane, on plain lists."""


def random_points(count, seed):
    state = seed
    points = []
    for _ in range(count):
        numbers = []
        for _ in range(4):
            state = (state * 1103515245 + 12345) % 2147483648
            numbers.append(state / 2147483648)
        cluster = int(numbers[0] * 5)
        points.append([cluster % 3 * 4.0 + numbers[1] * 2.5, cluster // 3 * 5.0 + numbers[2] * 2.5])
    return points


def nearest(point, centres):
    best = 0
    best_distance = float("inf")
    for i in range(len(centres)):
        dx = point[0] - centres[i][0]
        dy = point[1] - centres[i][1]
        distance = dx * dx + dy * dy
        if distance < best_distance:
            best_distance = distance
            best = i
    return best


def assign(points, centres, labels):
    changed = 0
    for i in range(len(points)):
        label = nearest(points[i], centres)
        if label != labels[i]:
            labels[i] = label
            changed += 1
    return changed


def means(points, labels, centres):
    k = len(centres)
    sums = [[0.0, 0.0] for _ in range(k)]
    counts = [0] * k
    for i in range(len(points)):
        label = labels[i]
        sums[label][0] += points[i][0]
        sums[label][1] += points[i][1]
        counts[label] += 1
    for i in range(k):
        if counts[i] > 0:
            centres[i] = [sums[i][0] / counts[i], sums[i][1] / counts[i]]
    return counts


def main():
    points = random_points(40_000, seed=7)
    centres = [points[i * 997][:] for i in range(6)]
    labels = [-1] * len(points)
    for turn in range(16):
        changed = assign(points, centres, labels)
        counts = means(points, labels, centres)
        print(f"turn {turn}: {changed} moved, sizes {counts}")
        if changed == 0:
            break
    for x, y in centres:
        print(f"centre ({x:.9f}, {y:.9f})")


if __name__ == "__main__":
    main()

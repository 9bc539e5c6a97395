"""The 0/1 knapsack problem by dynamic programming, with the chosen items."""


def solve(weights, values, capacity):
    count = len(weights)
    best = [[0] * (capacity + 1) for _ in range(count + 1)]
    for i in range(1, count + 1):
        weight = weights[i - 1]
        value = values[i - 1]
        above = best[i - 1]
        here = best[i]
        for room in range(capacity + 1):
            here[room] = above[room]
            if weight <= room:
                candidate = above[room - weight] + value
                if candidate > here[room]:
                    here[room] = candidate
    return best


def chosen(best, weights, capacity):
    items = []
    room = capacity
    for i in range(len(weights), 0, -1):
        if best[i][room] != best[i - 1][room]:
            items.append(i - 1)
            room -= weights[i - 1]
    items.reverse()
    return items


def main():
    weights = [(i * 37) % 91 + 15 for i in range(400)]
    values = [(i * 53) % 97 + (i * 37) % 91 for i in range(400)]
    capacity = 14_000
    best = solve(weights, values, capacity)
    items = chosen(best, weights, capacity)
    print("value:", best[-1][capacity])
    print("weight:", sum(weights[i] for i in items), "of", capacity)
    print("items:", *items[:12], "... in all", len(items))


if __name__ == "__main__":
    main()

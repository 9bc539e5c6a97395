"""Lists of lists that a function keeps to itself, their copies and searches in them."""


class Odd:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Odd(self.value + other)

    def __lt__(self, other):
        return self.value < other

    def __repr__(self):
        return f"Odd({self.value})"


def common_subsequence(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j])
    return table[len(a)][len(b)]


def generations(n, steps):
    board = [[(i * j + i) % 3 == 0 for j in range(n)] for i in range(n)]
    for _ in range(steps):
        after = [[False] * n for _ in range(n)]
        for i in range(n):
            above, here, below = board[i - 1], board[i], board[(i + 1) % n]
            for j in range(n):
                k = (j + 1) % n
                around = (
                    above[j - 1] + above[j] + above[k] + here[j - 1] + here[k]
                    + below[j - 1] + below[j] + below[k]
                )  # fmt: skip
                after[i][j] = around == 3 or (around == 2 and here[j])
        board = after
    alive = 0
    for row in board:
        alive += sum(row)
    return alive


def shortest_paths(n):
    table = []
    for i in range(n):
        row = []
        for j in range(n):
            row.append(float((i * 7 + j * 13) % 50 + 1) if i != j else 0.0)
        table.append(row)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if table[i][k] + table[k][j] < table[i][j]:
                    table[i][j] = table[i][k] + table[k][j]
    total = 0.0
    for i, row in enumerate(table):
        for j, x in enumerate(row):
            total += x * (i + j)
    return total


def cube(n, x):
    t = [[[k + j for k in range(n)] for j in range(n)] for i in range(n)]
    t[0][0][0] += x
    total = 0
    for plane in t:
        for line in plane:
            for v in line:
                total += v
    return total


def leaves_with_the_table(n, x):
    t = [[i * j for j in range(n)] for i in range(n)]
    shared = t[0]
    t.append(shared)
    for i in range(n):
        t[i][0] = t[i][0] + x
        shared.append(i)
    return len(t), len(t[-1]), len(shared), t[0][0] + t[-1][-1]


def rows_of_another_kind(n, x):
    t = [[0] * 3 for _ in range(n)]
    t[0][1] = x
    return len(t), t[0][1] + 1


def jagged(n):
    t = [[]]
    for i in range(n):
        if len(t[-1]) > i % 4:
            t.append([])
        t[-1].append(i)
    sizes = 0
    for i, row in enumerate(t):
        sizes = sizes * 3 + len(row) + i
    return sizes, len(t)


def one_row_many_times(n):
    row = [0, 0]
    t = [row] * n
    for i in range(n):
        t[i][i % 2] += 1
    return row[0] + 0, row[1] + 0, len(t)


def rows_move(n):
    t = [[i] for i in range(n)]
    row = t[0]
    t[0], t[-1] = t[-1], t[0]
    last = t.pop()
    t.insert(1, last)
    t.append(row)
    del t[0]
    t.reverse()
    u = t[::-1]
    v = t + u
    v += t
    v.extend(u[:2])
    w = v.copy()
    w[0] = [77]
    last[0] += 100
    t.clear()
    total = 0
    for i, r in enumerate(w):
        total = total * 3 + r[0] + i
    return total, len(v), len(t), last[0] + 0, row[0] + 0


def a_row_outlives_its_table(n):
    t = [[i, i + 1] for i in range(n)]
    row = t[1]
    t = [[0]]
    u = row
    row = t[0]
    return u[0] + u[1] + row[0]


def row_replaced_while_read(n):
    t = [[i, i + 1, i + 2] for i in range(n)]
    total = 0
    for i, row in enumerate(t):
        for x in row:
            t[i] = [x * 2]
            total += x + t[i][0]
    return total


def index_error(i, j):
    t = [[1, 2], [3, 4]]
    try:
        t[i][j] += 5
    except (IndexError, TypeError) as error:
        return str(error), len(t)
    return t[0][0] * 1000 + t[0][1] * 100 + t[1][0] * 10 + t[1][1]


def shown(n):
    row = [n]
    t = [row, [n + 1], row]
    u = t[:]
    u[1][0] //= n - 3
    return len(u) + row[0]


def in_a_tuple(n, iterable):
    for _ in range(n):
        t = u = ([0.1], n)
    return [k for k in iterable], t is u


def copies(n, x):
    a = list(range(n))
    b = a[1:]
    c = a[::-2]
    d = b + c
    d += a
    e = sorted(d)
    e.extend(a[n:])
    f = e.copy()
    f[0] = x
    g = list(f)
    return len(g), g[0] + 0, e[0] + 0, sum(d), sum(c), e[-1] + 1


def slices(i, j, k):
    a = [3, 1, 4, 1, 5, 9, 2, 6]
    b = a[i:j:k]
    c = a[i:j]
    total = 0
    for x in b:
        total = total * 10 + x
    for x in c:
        total = total * 10 + x
    return total


def searches(x):
    a = [5, 3, 2**40, 3]
    b = [0.5, -0.0, 2.5]
    c = [True, False]
    found = [x in a, x in b, x in c, x not in a]
    return found, a.count(x), b.count(x), c.count(x)


def index_of(x):
    a = [5, 3, 2**40, 3]
    try:
        return a.index(x)
    except ValueError as error:
        return str(error)


def itself(n):
    a = [n, 1]
    a.extend(a)
    a += a
    return sum(a), len(a)


def sorted_floats(x):
    a = [2.0, x, -1.0]
    b = sorted(a)
    return b[0] + 0.0, a[0] + 0.0


XS = (1, 2.5, True, 2**63, Odd(3), None, "s", float("nan"))
CALLS = [(common_subsequence, "kitten", "sitting"), (common_subsequence, "", "a")]
CALLS += [(common_subsequence, list(range(20)), list(range(0, 40, 3)))]
CALLS += [(generations, 12, 5), (generations, 0, 3), (shortest_paths, 9), (shortest_paths, 0)]
CALLS += [(f, n, x) for f in (cube, leaves_with_the_table) for n in (1, 3) for x in XS]
CALLS += [(rows_of_another_kind, n, x) for n in (0, 2) for x in XS]
CALLS += [(jagged, n) for n in (0, 1, 30)]
CALLS += [(f, n) for f in (one_row_many_times, rows_move, a_row_outlives_its_table,
                           row_replaced_while_read) for n in (1, 2, 5)]  # fmt: skip
CALLS += [(index_error, i, j) for i in (0, -1, 2, None) for j in (1, -2, 2, 2**63, True)]
CALLS += [(shown, n) for n in (1, 3, 5)]
CALLS += [(in_a_tuple, n, it) for n in (0, 1, 3) for it in ((), range, [1])]
CALLS += [(copies, n, x) for n in (1, 2, 9) for x in XS]
BOUNDS = (None, 0, 2, -3, 100, -100, 2**63, -(2**70))
CALLS += [(slices, i, j, k) for i in BOUNDS for j in BOUNDS for k in (1, -1, 2)]
CALLS += [(slices, 1, 5, k) for k in (0, None, -(2**63), 2**62, "k")]
CALLS += [(f, x) for f in (searches, index_of) for x in (*XS, 3, 5, 3.0, 0.5, 0, 0.0, 2**40)]
CALLS += [(itself, 4), (sorted_floats, 0.5), (sorted_floats, float("nan"))]


def locals_of(error):
    frame = error.__traceback__.tb_next.tb_frame
    return {name: frame.f_locals[name] for name in sorted(frame.f_locals)}


def main():
    try:
        shown(3)
    except ZeroDivisionError as error:
        seen = locals_of(error)
        print(seen, seen["t"][0] is seen["t"][2] is seen["row"], seen["u"][1] is seen["t"][1])
    try:
        in_a_tuple(2, range)
    except TypeError as error:
        seen = locals_of(error)
        print(seen["t"], seen["t"] is seen["u"])


# compiled: common_subsequence, generations, shortest_paths, cube, leaves_with_the_table
# compiled: rows_of_another_kind, jagged, one_row_many_times, rows_move, a_row_outlives_its_table
# compiled: row_replaced_while_read, index_error, shown, copies, slices, index_of, itself
# compiled: sorted_floats

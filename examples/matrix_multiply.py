"""Matrix products with plain lists of lists."""


def multiply(a, b):
    rows = len(a)
    inner = len(b)
    columns = len(b[0])
    result = [[0.0] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for k in range(inner):
                total += a[i][k] * b[k][j]
            result[i][j] = total
    return result


def trace(matrix):
    return sum(matrix[i][i] for i in range(len(matrix)))


def main():
    n = 144
    a = [[1.0 / (i + j + 1) for j in range(n)] for i in range(n)]
    b = [[((i * 7 + j * 3) % 11) / 10.0 for j in range(n)] for i in range(n)]
    product = a
    for power in range(1, 5):
        product = multiply(product, b)
        largest = max(max(row) for row in product)
        product = [[value / largest for value in row] for row in product]
        print(f"step {power}: trace {trace(product):.12f}, largest {largest:.9f}")


if __name__ == "__main__":
    main()

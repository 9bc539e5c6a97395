"""Conway's Game of Life on a torus, on a list of lists."""


def neighbours(board, row, column, rows, columns):
    total = 0
    for dr in (-1, 0, 1):
        line = board[(row + dr) % rows]
        for dc in (-1, 0, 1):
            if dr != 0 or dc != 0:
                total += line[(column + dc) % columns]
    return total


def step(board, rows, columns):
    after = [[0] * columns for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            around = neighbours(board, row, column, rows, columns)
            if around == 3 or (around == 2 and board[row][column]):
                after[row][column] = 1
    return after


def main():
    rows, columns = 72, 96
    board = [[0] * columns for _ in range(rows)]
    # An acorn, which grows for thousands of generations, and a glider.
    for r, c in ((30, 41), (31, 43), (32, 40), (32, 41), (32, 44), (32, 45), (32, 46)):
        board[r][c] = 1
    for r, c in ((0, 1), (1, 2), (2, 0), (2, 1), (2, 2)):
        board[r][c] = 1
    for generation in range(1, 181):
        board = step(board, rows, columns)
        if generation % 60 == 0:
            print(f"generation {generation}: {sum(map(sum, board))} alive")
    for line in board[::4]:
        print("".join(".#"[cell] for cell in line))


if __name__ == "__main__":
    main()

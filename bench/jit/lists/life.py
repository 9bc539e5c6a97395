"""Conway's Game of Life on a list of lists of ints, on a torus; a new board for each generation."""

from bench.jit.workload import Workload


def step(board, rows, columns):
    result = []
    for r in range(rows):
        above = board[(r - 1) % rows]
        here = board[r]
        below = board[(r + 1) % rows]
        line = []
        for c in range(columns):
            left = (c - 1) % columns
            right = (c + 1) % columns
            around = (
                above[left]
                + above[c]
                + above[right]
                + here[left]
                + here[right]
                + below[left]
                + below[c]
                + below[right]
            )
            if around == 3 or (around == 2 and here[c] == 1):
                line.append(1)
            else:
                line.append(0)
        result.append(line)
    return result


def generations(board, rows, columns, count):
    for _ in range(count):
        board = step(board, rows, columns)
    return board


def make_args():
    rows, columns = 64, 64
    board = [
        [1 if (r * r + c * 3 + r * c) % 5 < 2 else 0 for c in range(columns)] for r in range(rows)
    ]
    return board, rows, columns, 40


WORKLOAD = Workload(
    entry="generations",
    args=make_args,
    kind="write",
    numba=(),
    c_types=("object", "object", "int", "int", "int"),
    c="""
static PyObject* step(PyObject* board, int64_t rows, int64_t columns) {
  PyObject *zero = INT(0), *one = INT(1), *result = PyList_New(rows);
  for (int64_t r = 0; r < rows; r++) {
    PyObject *above = item(board, floor_mod(r - 1, rows)), *here = item(board, r);
    PyObject *below = item(board, floor_mod(r + 1, rows)), *line = PyList_New(columns);
    for (int64_t c = 0; c < columns; c++) {
      int64_t left = floor_mod(c - 1, columns), right = floor_mod(c + 1, columns);
      int64_t around = as_int(item(above, left)) + as_int(item(above, c)) +
                       as_int(item(above, right)) + as_int(item(here, left)) +
                       as_int(item(here, right)) + as_int(item(below, left)) +
                       as_int(item(below, c)) + as_int(item(below, right));
      int alive = around == 3 || (around == 2 && as_int(item(here, c)) == 1);
      PyList_SET_ITEM(line, c, Py_NewRef(alive ? one : zero));
    }
    PyList_SET_ITEM(result, r, line);
  }
  return result;
}
static PyObject* generations(PyObject* board, int64_t rows, int64_t columns, int64_t count) {
  Py_INCREF(board);
  for (int64_t i = 0; i < count; i++) {
    PyObject* next = step(board, rows, columns);
    Py_DECREF(board);
    board = next;
  }
  return board;
}
""",
)

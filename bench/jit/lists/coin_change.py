"""Ways to pay an amount: dynamic programming over one list that the function makes itself."""

from bench.jit.workload import Workload


def ways(coins, amount):
    table = [0] * (amount + 1)
    table[0] = 1
    for coin in coins:
        for total in range(coin, amount + 1):
            table[total] = (table[total] + table[total - coin]) % 1000000007
    return table[amount]


WORKLOAD = Workload(
    entry="ways",
    args=lambda: ([1, 2, 5, 10, 20, 50, 100, 200], 150_000),
    kind="write",
    c_types=("int", "object", "int"),
    c="""
static int64_t ways(PyObject* coins, int64_t amount) {
  PyObject* table = filled(amount + 1, INT(0));
  set_item(table, 0, INT(1));
  for (int64_t i = 0; i < PyList_GET_SIZE(coins); i++) {
    int64_t coin = as_int(item(coins, i));
    for (int64_t total = coin; total <= amount; total++)
    {
      int64_t sum = as_int(item(table, total)) + as_int(item(table, total - coin));
      set_item(table, total, INT(sum % 1000000007));
    }
  }
  int64_t result = as_int(item(table, amount));
  Py_DECREF(table);
  return result;
}
""",
)

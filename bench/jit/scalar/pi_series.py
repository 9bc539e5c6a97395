"""The Leibniz series for pi: a sign that flips and a float division per step."""

from bench.jit.workload import Workload


def leibniz(terms):
    total = 0.0
    sign = 1.0
    for k in range(terms):
        total += sign / (2 * k + 1)
        sign = -sign
    return 4.0 * total


WORKLOAD = Workload(
    entry="leibniz",
    args=lambda: (2000000,),
    kind="scalar",
    c_types=("float", "int"),
    c="""
double leibniz(int64_t terms) {
  double total = 0.0, sign = 1.0;
  for (int64_t k = 0; k < terms; k++) {
    total += sign / (2 * k + 1);
    sign = -sign;
  }
  return 4.0 * total;
}
""",
)

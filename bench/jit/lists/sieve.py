"""The sieve of Eratosthenes on a list of bools that the function makes itself."""

from bench.jit.workload import Workload


def sieve(limit):
    prime = [True] * (limit + 1)
    prime[0] = False
    prime[1] = False
    i = 2
    while i * i <= limit:
        if prime[i]:
            for j in range(i * i, limit + 1, i):
                prime[j] = False
        i += 1
    count = 0
    for flag in prime:
        if flag:
            count += 1
    return count


WORKLOAD = Workload(
    entry="sieve",
    args=lambda: (1_000_000,),
    kind="write",
    c_types=("int", "int"),
    c="""
static int64_t sieve(int64_t limit) {
  PyObject* prime = filled(limit + 1, Py_NewRef(Py_True));
  set_item(prime, 0, Py_NewRef(Py_False));
  set_item(prime, 1, Py_NewRef(Py_False));
  for (int64_t i = 2; i * i <= limit; i++)
    if (item(prime, i) == Py_True)
      for (int64_t j = i * i; j <= limit; j += i) set_item(prime, j, Py_NewRef(Py_False));
  int64_t count = 0;
  for (int64_t i = 0; i <= limit; i++) count += item(prime, i) == Py_True;
  Py_DECREF(prime);
  return count;
}
""",
)

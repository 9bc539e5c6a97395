"""A sieve whose result, the list of primes, goes back to the caller."""

from bench.jit.workload import Workload


def primes_below(limit):
    marks = [0] * limit
    primes = []
    for i in range(2, limit):
        if marks[i] == 0:
            primes.append(i)
            for j in range(i * i, limit, i):
                marks[j] = 1
    return primes


WORKLOAD = Workload(
    entry="primes_below",
    args=lambda: (600_000,),
    kind="build",
    c_types=("object", "int"),
    c="""
static PyObject* primes_below(int64_t limit) {
  PyObject *zero = INT(0), *one = INT(1), *primes = PyList_New(0);
  PyObject* marks = filled(limit, Py_NewRef(zero));
  for (int64_t i = 2; i < limit; i++)
    if (as_int(item(marks, i)) == 0) {
      PyObject* prime = INT(i);
      PyList_Append(primes, prime);
      Py_DECREF(prime);
      for (int64_t j = i * i; j < limit; j += i) set_item(marks, j, Py_NewRef(one));
    }
  Py_DECREF(marks);
  return primes;
}
""",
)

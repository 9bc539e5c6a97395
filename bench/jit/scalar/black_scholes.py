"""Option prices over a grid of strikes: log, sqrt, exp and erf."""

import math

from bench.jit.workload import Workload


def normal(x):
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))


def call_price(spot, strike, rate, volatility, years):
    spread = volatility * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread
    d2 = d1 - spread
    return spot * normal(d1) - strike * math.exp(-rate * years) * normal(d2)


def total_price(count):
    total = 0.0
    for i in range(count):
        total += call_price(100.0, 50.0 + i * 100.0 / count, 0.03, 0.2, 0.5 + i % 7)
    return total


WORKLOAD = Workload(
    entry="total_price",
    args=lambda: (200000,),
    kind="scalar",
    relative=1e-9,
    c_types=("float", "int"),
    c="""
static double normal(double x) { return 0.5 * (1.0 + erf(x / sqrt(2.0))); }
static double call_price(double spot, double strike, double rate, double volatility, double years) {
  double spread = volatility * sqrt(years);
  double d1 = (log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread;
  double d2 = d1 - spread;
  return spot * normal(d1) - strike * exp(-rate * years) * normal(d2);
}
double total_price(int64_t count) {
  double total = 0.0;
  for (int64_t i = 0; i < count; i++)
    total += call_price(100.0, 50.0 + i * 100.0 / count, 0.03, 0.2, 0.5 + i % 7);
  return total;
}
""",
)

"""Fridays that are the 13th over many years: Zeller's congruence and leap years."""

from bench.jit.workload import Workload


def day_of_week(year, month, day):
    if month < 3:
        month += 12
        year -= 1
    century = year // 100
    rest = year % 100
    return (day + 13 * (month + 1) // 5 + rest + rest // 4 + century // 4 - 2 * century) % 7


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def unlucky_days(first, last):
    count = 0
    for year in range(first, last):
        for month in range(1, 13):
            if day_of_week(year, month, 13) == 6:
                count += 1
        if is_leap(year):
            count += 1000
    return count


WORKLOAD = Workload(
    entry="unlucky_days",
    args=lambda: (-40000, 40000),
    kind="scalar",
    c_types=("int", "int", "int"),
    c="""
static int64_t day_of_week(int64_t year, int64_t month, int64_t day) {
  if (month < 3) { month += 12; year -= 1; }
  int64_t century = floor_div(year, 100), rest = floor_mod(year, 100);
  return floor_mod(day + floor_div(13 * (month + 1), 5) + rest + floor_div(rest, 4) +
                   floor_div(century, 4) - 2 * century, 7);
}
static int is_leap(int64_t year) {
  return floor_mod(year, 4) == 0 && (floor_mod(year, 100) != 0 || floor_mod(year, 400) == 0);
}
int64_t unlucky_days(int64_t first, int64_t last) {
  int64_t count = 0;
  for (int64_t year = first; year < last; year++) {
    for (int64_t month = 1; month < 13; month++)
      if (day_of_week(year, month, 13) == 6) count++;
    if (is_leap(year)) count += 1000;
  }
  return count;
}
""",
)

"""Find the closest words in a small dictionary by edit distance."""

WORDS = """
algorithm architecture binary bottleneck branch buffer cache circuit collector compiler complexity
constant container coroutine debugger decorator deadlock dispatch encoding exception expression
function generator gradient guard heuristic identifier inference instruction interpreter iterator
kernel latency library lifetime linker literal lowering machine mantissa memory method module mutex
namespace optimizer overflow pipeline pointer predicate prefetch profile protocol recursion register
scheduler semantics sequence signature specialise statement structure superscalar template thread
throughput token traceback tuple variable vectorcall verifier virtual watcher
""".split()

MISSPELLED = (
    "algoritm compilr expresion interpretter recursoin schedular throughtput vectorcal".split()
)


def edit_distance(a, b):
    previous = list(range(len(b) + 1))
    for i in range(1, len(a) + 1):
        current = [i]
        for j in range(1, len(b) + 1):
            insertion = current[j - 1] + 1
            deletion = previous[j] + 1
            replacement = previous[j - 1]
            if a[i - 1] != b[j - 1]:
                replacement += 1
            best = insertion
            if deletion < best:
                best = deletion
            if replacement < best:
                best = replacement
            current.append(best)
        previous = current
    return previous[len(b)]


def closest(word):
    codes = [ord(letter) for letter in word]
    best = None
    for candidate in WORDS:
        distance = edit_distance(codes, [ord(letter) for letter in candidate])
        if best is None or distance < best[0]:
            best = (distance, candidate)
    return best


def main():
    for word in MISSPELLED:
        distance, found = closest(word)
        print(f"{word}: {found} ({distance})")
    # One long pair: two versions of a "genome".
    first = [(i * i * 7 + i) % 4 for i in range(2600)]
    second = [(i * i * 5 + 3 * i + i // 9) % 4 for i in range(2500)]
    print("long sequences:", edit_distance(first, second))


if __name__ == "__main__":
    main()

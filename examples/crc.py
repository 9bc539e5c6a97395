"""CRC-32 and Adler-32 of generated data, checked against zlib."""

import zlib


def make_table():
    table = []
    for n in range(256):
        c = n
        for _ in range(8):
            if c & 1:
                c = 0xEDB88320 ^ (c >> 1)
            else:
                c = c >> 1
        table.append(c)
    return table


def crc32(data, table):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def adler32(data):
    a = 1
    b = 0
    for byte in data:
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return b << 16 | a


def generated(length):
    state = 123456789
    data = bytearray(length)
    for i in range(length):
        state ^= (state << 13) & 0xFFFFFFFF
        state ^= state >> 17
        state ^= (state << 5) & 0xFFFFFFFF
        data[i] = state & 0xFF
    return bytes(data)


def main():
    table = make_table()
    for length in (10, 1_000, 2_500_000):
        data = generated(length)
        crc = crc32(data, table)
        adler = adler32(data)
        right = crc == zlib.crc32(data) and adler == zlib.adler32(data)
        print(f"{length} bytes: crc32 {crc:08x}, adler32 {adler:08x}, agrees with zlib: {right}")


if __name__ == "__main__":
    main()

/* Text that writes whole numbers, read eight digits at a time.
 *
 * Eight digits in a word become their number by three multiplications, each of which joins
 * neighbours: digits to pairs, pairs to fours, fours to the whole. The words of a short number are
 * filled up with zeros in front.
 */
#include "pw_items.h"
#include "pw_items_impl.h"

#define EACH_BYTE(x) (UINT64_C(0x0101010101010101) * (x))
/* So many digits are below 2^63; longer numbers are read digit by digit. */
#define SURE_DIGITS 16

/* The number that eight bytes write, the first of which is the lowest; UINT64_MAX: no digits. */
static inline uint64_t eight_digits(uint64_t word) {
    const uint64_t digits = word ^ EACH_BYTE('0');
    /* a byte above 9 has a bit of the upper half, at the latest after 6 has been added */
    if (((digits | (digits + EACH_BYTE(6))) & EACH_BYTE(0xf0)) != 0) return UINT64_MAX;
    const uint64_t pairs = (digits * 10 + (digits >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    const uint64_t fours = (pairs * 100 + (pairs >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (fours * 10000 + (fours >> 32)) & UINT32_MAX;
}

/* The word of up to eight bytes behind zeros, the first of its bytes the lowest. */
static inline uint64_t filled(const char *at, int64_t size) {
    uint64_t word = 0;
    if (size == 8) {
        word = pw_word(at);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        return word;
    }
    for (int64_t i = 0; i < size; i++) word |= (uint64_t)(uint8_t)at[i] << 8 * (8 - size + i);
    return word | EACH_BYTE('0') >> 8 * size;
}

/* Whether the digits write a number of at most `most`. */
static int long_number(const char *at, int64_t size, uint64_t most, uint64_t *number) {
    if (size > 19) return 0;
    pw_u128 sum = 0;
    for (int64_t i = 0; i < size; i++) {
        const uint64_t digit = (uint64_t)(uint8_t)at[i] - '0';
        if (digit > 9) return 0;
        sum = sum * 10 + digit;
    }
    *number = (uint64_t)sum;
    return sum <= most;
}

int pw_whole_items(const pw_items *items, int64_t *out) {
    for (int64_t i = 0; i < items->n; i++) {
        pw_span item = pw_item(items, i);
        const int negative = item.size > 1 && item.at[0] == '-';
        item.at += negative;
        item.size -= negative;
        if (item.size == 0) return 0;
        if (item.at[0] == '0' && (negative || item.size > 1)) return 0;
        uint64_t number;
        if (item.size <= 8) {
            number = eight_digits(filled(item.at, item.size));
            if (number == UINT64_MAX) return 0;
        } else if (item.size <= SURE_DIGITS) {
            const uint64_t upper = eight_digits(filled(item.at, item.size - 8));
            const uint64_t lower = eight_digits(filled(item.at + item.size - 8, 8));
            if (upper == UINT64_MAX || lower == UINT64_MAX) return 0;
            number = upper * 100000000 + lower;
        } else if (!long_number(item.at, item.size, (uint64_t)INT64_MAX + (uint64_t)negative,
                                &number)) {
            return 0;
        }
        out[i] = (int64_t)(negative ? -number : number);
    }
    return 1;
}

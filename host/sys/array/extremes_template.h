/* extremes_template.h - the least and the greatest element, for one type. Part of level.h.
 *
 * Elements are compared as integers, since processors compare many integers at a time. KEY is the type of the keys,
 * which have the order of the elements; MAKE_KEY makes one from an element's bits, IS_NAN tells NaNs. ZERO is the
 * key of -0, which comes before 0 although the two are equal; 0 for types without it. NAME(word) makes a name for
 * the type.
 *
 * The bits are compared before they become keys: LEAST_OF and GREATEST_OF find the elements that are least and
 * greatest among those whose bits are least, greatest, and greatest as UNSIGNED. */

/* The least and the greatest key of a block. Returns false if it has NaNs. */
static bool NAME(scan)(KEY *low_out, KEY *high_out, const KEY *x, int64_t count) {
    KEY low = x[0], high = x[0];
    UNSIGNED far = (UNSIGNED)x[0];
    for (int64_t i = 0; i < count; i++) {
        low = (KEY)(x[i] < low ? x[i] : low);
        high = (KEY)(x[i] > high ? x[i] : high);
        far = (UNSIGNED)((UNSIGNED)x[i] > far ? (UNSIGNED)x[i] : far);
    }
    *low_out = MAKE_KEY(LEAST_OF(low, (KEY)far));
    *high_out = MAKE_KEY(GREATEST_OF(low, high));
    return !IS_NAN(high) && !IS_NAN((KEY)far);
}

/* The same without the NaNs, for a block that has some. Returns how many it has. */
static int64_t NAME(pick)(KEY *low_out, KEY *high_out, const KEY *x, int64_t count) {
    int64_t ordered = 0;
    for (int64_t i = 0; i < count; i++) {
        const KEY key = MAKE_KEY(x[i]);
        if (IS_NAN(x[i])) continue;
        if (ordered == 0 || key < *low_out) *low_out = key;
        if (ordered == 0 || key > *high_out) *high_out = key;
        ordered++;
    }
    return count - ordered;
}

/* The first index, from first on, with one of two keys; count if there is none. */
static int64_t NAME(find)(const KEY *x, int64_t first, int64_t count, KEY one, KEY other) {
    for (; count - first >= KEY_CHUNK; first += KEY_CHUNK) {
        KEY found = 0;
        for (int i = 0; i < KEY_CHUNK; i++) {
            const KEY key = MAKE_KEY(x[first + i]);
            found = (KEY)(found | ((key == one) | (key == other)));
        }
        if (found) break;
    }
    for (; first < count; first++) {
        const KEY key = MAKE_KEY(x[first]);
        if (key == one || key == other) break;
    }
    return first;
}

/* Finds an extreme, whose block is known. If it is 0, one with the other sign may stand before that block. */
static int64_t NAME(locate)(const KEY *x, int64_t block, int64_t count, KEY wanted) {
    if (wanted == 0 || wanted == (KEY)(ZERO)) return NAME(find)(x, 0, count, 0, (KEY)(ZERO));
    return NAME(find)(x, block, count, wanted, wanted);
}

static void NAME(extremes)(struct loops_extremes *out, const void *data, int64_t count) {
    const int64_t block = KEY_BYTES / (int64_t)sizeof(KEY);
    const KEY *x = data;
    KEY least = 0, greatest = 0;
    *out = (struct loops_extremes){-1, -1, 0};
    for (int64_t first = 0; first < count; first += block) {
        const int64_t held = count - first < block ? count - first : block;
        KEY low, high;
        if (!NAME(scan)(&low, &high, x + first, held)) {
            const int64_t nans = NAME(pick)(&low, &high, x + first, held);
            out->unordered += nans;
            if (nans == held) continue;
        }
        if (out->least < 0 || low < least) {
            least = low;
            out->least = first;
        }
        if (out->greatest < 0 || high > greatest) {
            greatest = high;
            out->greatest = first;
        }
    }
    if (out->least < 0) return;
    out->least = NAME(locate)(x, out->least, count, least);
    out->greatest = NAME(locate)(x, out->greatest, count, greatest);
}

#undef KEY
#undef UNSIGNED
#undef NAME
#undef ZERO

/* extremes_template.h - the least and the greatest element, for one type. Part of level.h.
 *
 * Elements are compared as integers, their keys, since processors compare many integers at a time. KEY is the type
 * of the keys, MAKE_KEY makes one from an element's bits, IS_NAN tells NaNs. ZERO is the key of -0, which comes
 * before 0 although the two are equal; 0 for types without it. NAME(word) makes a name for the type. */

/* The least and the greatest key of a block; NaNs are among the keys. Returns the number of NaNs. */
static int64_t NAME(scan)(KEY *low_out, KEY *high_out, const KEY *x, int64_t count) {
    KEY low = MAKE_KEY(x[0]), high = low, nans = 0;
    for (int64_t i = 0; i < count; i++) {
        const KEY key = MAKE_KEY(x[i]);
        low = (KEY)(key < low ? key : low);
        high = (KEY)(key > high ? key : high);
        nans = (KEY)(nans + IS_NAN(x[i])); /* a block is too short for an overflow */
    }
    *low_out = low;
    *high_out = high;
    return (int64_t)nans;
}

/* The same without the NaNs, for a block that has some. Returns false if it has nothing else. */
static bool NAME(pick)(KEY *low_out, KEY *high_out, const KEY *x, int64_t count) {
    bool any = false;
    for (int64_t i = 0; i < count; i++) {
        const KEY key = MAKE_KEY(x[i]);
        if (IS_NAN(x[i])) continue;
        if (!any || key < *low_out) *low_out = key;
        if (!any || key > *high_out) *high_out = key;
        any = true;
    }
    return any;
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
        const int64_t nans = NAME(scan)(&low, &high, x + first, held);
        out->unordered += nans;
        if (nans && !NAME(pick)(&low, &high, x + first, held)) continue;
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
#undef NAME
#undef ZERO

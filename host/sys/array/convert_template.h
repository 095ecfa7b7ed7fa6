/* convert_template.h - conversion of a block from every type to one. Part of level.h.
 *
 * TO is the type in memory, TO_CODE its name. LOW and LIMIT bound the whole numbers that it holds, low <= value <
 * limit, as floats, which are exact. */

/* What always fits is converted in place. Everything else is converted into memory of its own, and copied if all of
 * it fits. A whole number fits if converting it back gives the same number; numbers outside the range are first
 * replaced by its ends, since C does not define what becomes of them. (The ends are volatile because a compiler
 * that knows them makes a jump for each, and no vectors.) An infinite float is only suspicious: the double may be
 * infinite too, which the caller finds out. */
#define FROM(code, type)                                                                                           \
    static bool JOIN(JOIN(convert, TO_CODE), code)(void *data_out, const void *source, int64_t count) {            \
        const type *from = source;                                                                                 \
        TO *in_place = data_out, to[LOOPS_BLOCK];                                                                  \
        volatile const REAL(type) bounds[2] = {LOW, MOST(type)};                                                   \
        const REAL(type) low = bounds[0], most = bounds[1];                                                        \
        MASK(type) wrong = 0;                                                                                      \
        if (ALWAYS_FITS(TO, type)) {                                                                               \
            for (int64_t i = 0; i < count; i++)                                                                    \
                in_place[i] = (TO)from[i];                                                                         \
            return true;                                                                                           \
        }                                                                                                          \
        for (int64_t i = 0; i < count; i++) {                                                                      \
            const type value = from[i];                                                                            \
            if (IS_FLOATING(TO)) {                                                                                 \
                to[i] = (TO)value;                                                                                 \
                wrong |= IS_INFINITE(to[i]);                                                                       \
            } else if (IS_FLOATING(type)) {                                                                        \
                const REAL(type) number = (REAL(type))value, risen = number > low ? number : low;                  \
                to[i] = (TO)(risen < most ? risen : most);                                                         \
                wrong |= (REAL(type))to[i] != number;                                                              \
            } else {                                                                                               \
                to[i] = (TO)value;                                                                                 \
                wrong = (MASK(type))(wrong | ((type)to[i] != value) | ((to[i] > 0) != (value > 0)));               \
            }                                                                                                      \
        }                                                                                                          \
        if (wrong) return false;                                                                                   \
        memcpy(data_out, to, (size_t)count * sizeof *to);                                                          \
        return true;                                                                                               \
    }

LOOPS_C_TYPES(FROM)

#undef FROM
#undef TO
#undef TO_CODE
#undef LOW
#undef LIMIT

/* convert_template.h - conversion of a block from every type to one. Part of level.h.
 *
 * TO is the type in memory, TO_CODE its name. LOW and LIMIT bound the whole numbers that it holds, low <= value <
 * limit, as floats, which are exact.
 *
 * What always fits is converted in place. Everything else is converted into a group of its own, which is written if
 * all of it fits. A group is so short that it is copied without a call. */

#define CONVERT(code, type)                                                                                        \
    static bool NAME_OF(convert, code)(void *data_out, const void *source, int64_t count) {                        \
        const type *from = source;                                                                                 \
        TO *to = data_out, group[GROUP_BYTES / sizeof(TO)];                                                        \
        const int64_t held = GROUP_BYTES / sizeof(TO);                                                             \
        int64_t first = 0;                                                                                         \
        if (ALWAYS_FITS(TO, type)) {                                                                               \
            for (int64_t i = 0; i < count; i++)                                                                    \
                to[i] = (TO)from[i];                                                                               \
            return true;                                                                                           \
        }                                                                                                          \
        for (; first + held <= count; first += held) {                                                             \
            if (!NAME_OF(fill_group, code)(group, from + first, held)) return false;                               \
            memcpy(to + first, group, sizeof group);                                                               \
        }                                                                                                          \
        if (!NAME_OF(fill_group, code)(group, from + first, count - first)) return false;                          \
        memcpy(to + first, group, (size_t)(count - first) * sizeof(TO));                                           \
        return true;                                                                                               \
    }

/* Whole numbers fit if they have no bits beyond those of the type's greatest number. Negative ones are turned into
 * the numbers from 0 on that have as many bits. */
#define FROM_WHOLE(code, type)                                                                                     \
    static bool NAME_OF(fill_group, code)(TO * group, const type *from, int64_t count) {                           \
        const bool both_signed = IS_SIGNED(type) && IS_SIGNED(TO);                                                 \
        const type zero = 0;                                                                                       \
        type bits = 0;                                                                                             \
        for (int64_t i = 0; i < count && !IS_FLOATING(TO); i++)                                                    \
            bits = (type)(bits | (both_signed && from[i] < zero ? (type)~from[i] : from[i]));                      \
        if ((uint64_t)bits & ~(GREATEST(TO) & GREATEST(type))) return false;                                       \
        for (int64_t i = 0; i < count; i++)                                                                        \
            group[i] = (TO)from[i];                                                                                \
        return true;                                                                                               \
    }                                                                                                              \
    CONVERT(code, type)

/* A number fits if converting it back gives the same number. C does not define what becomes of numbers outside the
 * range. So, if the type is narrower, they are added to a number whose last digit counts ones: the last bits of the
 * sum are the whole number, if it is one. Else they are first replaced by the range's ends. (The ends are volatile
 * because a compiler that knows them makes a jump for each, and no vectors.) An infinite float is only suspicious:
 * the double may be infinite too, which the caller finds out. */
#define FROM_REAL(code, type, mask)                                                                                \
    static bool NAME_OF(fill_group, code)(TO * group, const type *from, int64_t count) {                           \
        volatile const type bounds[2] = {LOW, MOST(type)};                                                         \
        const type low = bounds[0], most = bounds[1];                                                              \
        mask wrong = 0;                                                                                            \
        for (int64_t i = 0; i < count; i++) {                                                                      \
            if (IS_FLOATING(TO)) {                                                                                 \
                group[i] = (TO)from[i];                                                                            \
                wrong |= IS_INFINITE(group[i]);                                                                    \
            } else if (sizeof(TO) < sizeof(type)) {                                                                \
                const type sum = from[i] + LAST_IS_ONE(type);                                                      \
                mask bits;                                                                                         \
                memcpy(&bits, &sum, sizeof bits);                                                                  \
                group[i] = (TO)bits;                                                                               \
                wrong |= (type)group[i] != from[i];                                                                \
            } else {                                                                                               \
                const type risen = from[i] > low ? from[i] : low;                                                  \
                group[i] = (TO)(risen < most ? risen : most);                                                      \
                wrong |= (type)group[i] != from[i];                                                                \
            }                                                                                                      \
        }                                                                                                          \
        return !wrong;                                                                                             \
    }                                                                                                              \
    CONVERT(code, type)

LOOPS_WHOLE_TYPES(FROM_WHOLE)
FROM_REAL(FLOAT, float, int32_t)
FROM_REAL(DOUBLE, double, int64_t)

#undef CONVERT
#undef FROM_WHOLE
#undef FROM_REAL
#undef TO
#undef TO_CODE
#undef LOW
#undef LIMIT

/* level_extremes.h - the least and the greatest element of every type. Part of level.h. */

enum { KEY_BYTES = 4096, KEY_CHUNK = 64 };

#define MAKE_KEY(bits) (bits)
#define IS_NAN(bits) 0
#define LEAST_OF(low, far) (low)
#define GREATEST_OF(low, high) (high)

#define NAME(word) JOIN(word, CHAR)
#define KEY int8_t
#define UNSIGNED KEY
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, UCHAR)
#define KEY uint8_t
#define UNSIGNED KEY
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, SHORT)
#define KEY int16_t
#define UNSIGNED KEY
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, USHORT)
#define KEY uint16_t
#define UNSIGNED KEY
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, INT)
#define KEY int32_t
#define UNSIGNED KEY
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, UINT)
#define KEY uint32_t
#define UNSIGNED KEY
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, LONG)
#define KEY int64_t
#define UNSIGNED KEY
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, ULONG)
#define KEY uint64_t
#define UNSIGNED KEY
#define ZERO 0
#include "extremes_template.h"

#undef MAKE_KEY
#undef IS_NAN
#undef LEAST_OF
#undef GREATEST_OF

/* A floating-point number's bits become a key by flipping all but the sign of negative ones. NaNs then lie outside
 * the infinities. The bits themselves are in order from 0 on, and in reverse order below, where they are negative
 * as integers and beyond all others as unsigned ones. */
#define ALL_BUT_SIGN ((KEY)(((uint64_t)1 << (sizeof(KEY) * 8 - 1)) - 1))
#define MAKE_KEY(bits) ((KEY)((bits) ^ (-((bits) < 0) & ALL_BUT_SIGN)))
#define IS_NAN(bits) ((KEY)((bits)&ALL_BUT_SIGN) > INFINITE)
#define LEAST_OF(low, far) ((far) < 0 ? (far) : (low))
#define GREATEST_OF(low, high) ((high) < 0 ? (low) : (high))

#define NAME(word) JOIN(word, HALF)
#define KEY int16_t
#define UNSIGNED uint16_t
#define ZERO (-1)
#define INFINITE 0x7c00
#include "extremes_template.h"
#undef INFINITE

#define NAME(word) JOIN(word, FLOAT)
#define KEY int32_t
#define UNSIGNED uint32_t
#define ZERO (-1)
#define INFINITE 0x7f800000
#include "extremes_template.h"
#undef INFINITE

#define NAME(word) JOIN(word, DOUBLE)
#define KEY int64_t
#define UNSIGNED uint64_t
#define ZERO (-1)
#define INFINITE INT64_C(0x7ff0000000000000)
#include "extremes_template.h"
#undef INFINITE

#undef MAKE_KEY
#undef IS_NAN
#undef LEAST_OF
#undef GREATEST_OF
#undef ALL_BUT_SIGN

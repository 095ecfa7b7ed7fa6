/* level_extremes.h - the least and the greatest element of every type. Part of level.h. */

enum { KEY_BYTES = 4096, KEY_CHUNK = 64 };

#define MAKE_KEY(bits) (bits)
#define IS_NAN(bits) 0

#define NAME(word) JOIN(word, CHAR)
#define KEY int8_t
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, UCHAR)
#define KEY uint8_t
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, SHORT)
#define KEY int16_t
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, USHORT)
#define KEY uint16_t
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, INT)
#define KEY int32_t
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, UINT)
#define KEY uint32_t
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, LONG)
#define KEY int64_t
#define ZERO 0
#include "extremes_template.h"

#define NAME(word) JOIN(word, ULONG)
#define KEY uint64_t
#define ZERO 0
#include "extremes_template.h"

#undef MAKE_KEY
#undef IS_NAN

/* A floating-point number's bits become a key by flipping all but the sign of negative ones. NaNs then lie outside
 * the infinities. */
#define ALL_BUT_SIGN ((KEY)(((uint64_t)1 << (sizeof(KEY) * 8 - 1)) - 1))
#define MAKE_KEY(bits) ((KEY)((bits) ^ ((bits) < 0 ? ALL_BUT_SIGN : (KEY)0)))
#define IS_NAN(bits) ((KEY)((bits)&ALL_BUT_SIGN) > INFINITE)

#define NAME(word) JOIN(word, HALF)
#define KEY int16_t
#define ZERO (-1)
#define INFINITE 0x7c00
#include "extremes_template.h"
#undef INFINITE

#define NAME(word) JOIN(word, FLOAT)
#define KEY int32_t
#define ZERO (-1)
#define INFINITE 0x7f800000
#include "extremes_template.h"
#undef INFINITE

#define NAME(word) JOIN(word, DOUBLE)
#define KEY int64_t
#define ZERO (-1)
#define INFINITE INT64_C(0x7ff0000000000000)
#include "extremes_template.h"
#undef INFINITE

#undef MAKE_KEY
#undef IS_NAN
#undef ALL_BUT_SIGN

// Runs kernels/gemm_tensor.cl on the host, without a GPU: work-items are contexts that take turns, the instructions
// of tensor cores functions. Copies arrive as late as the kernel allows. Compares the results with plain loops, and
// finds addresses that are not aligned, copies from outside of the matrices, and conflicts of banks.
//   c++ -I kernels -DKIND=0 -DBM=64 ... gemm_tensor.cc && ./a.out M N K ALPHA BETA PAD UNIT
// The first elements are at PAD, and rows at least PAD apart, by multiples of UNIT.
// Prints "right" or what is wrong, the passes that 128 bytes of copies and of loads need, which is 1.00 if there are no
// conflicts, and the warps' products, loads and their passes.
#define EMULATED
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <ucontext.h>
#include <vector>

typedef unsigned int uint;
typedef unsigned long ulong;
typedef _Float16 half;
typedef double double2 __attribute__((vector_size(16)));
typedef float float2 __attribute__((vector_size(8)));
typedef int int2 __attribute__((vector_size(8)));
typedef int int4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef unsigned short ushort;
typedef uint uint4 __attribute__((vector_size(16)));

struct Item {
    ucontext_t at;
    std::vector<char> stack;
    bool done;
    std::deque<std::vector<std::pair<uint, std::vector<char>>>> copies; // groups that have not arrived
};
static std::vector<Item> items;
static int current, group_id, group_count;
static ucontext_t home;
static char *memory_of_group;

static void fail(const char *what) {
    printf("%s\n", what);
    exit(1);
}

// Waits until all work-items of a group, or of a warp, are here.
struct Meeting {
    int arrived = 0, generation = 0;
    void wait(const int count) {
        const int before = generation;
        if (++arrived == count) {
            arrived = 0;
            generation++;
        }
        while (before == generation)
            swapcontext(&items[current].at, &home);
    }
};
static Meeting all;
static std::vector<Meeting> warps(64);
static void together() {
    warps[current / 32].wait(32);
}

// Each work-item of a warp has an address: `lanes` of them are served at once, with `width` bytes each.
static long passes[2], accesses[2], multiplied, loads;
static std::vector<std::vector<uint>> addresses(64, std::vector<uint>(32));
static const std::vector<uint> &exchanged(const uint at) {
    addresses[current / 32][current % 32] = at;
    together();
    return addresses[current / 32];
}
static void count(const int kind, const uint at, const uint width) {
    if (at % width) fail("an address is not aligned");
    const std::vector<uint> &seen = exchanged(at);
    loads += kind == 1 && current % 32 == 0;
    if (current % 32 == 0)
        for (uint first = 0, lanes = 128 / width; first < 32; first += lanes) {
            std::set<uint> in_bank[32];
            size_t most = 0;
            for (uint i = first; i < first + lanes; i++)
                for (uint byte = 0; byte < width; byte += 4)
                    in_bank[(seen[i] + byte) / 4 % 32].insert((seen[i] + byte) / 4);
            for (auto &words : in_bank)
                most = words.size() > most ? words.size() : most;
            passes[kind] += most;
            accesses[kind]++;
        }
    together();
}

// Memory that may be read.
static const char *allowed[2][2];
static void copy(const uint width, const uint to, const char *from, const int bytes) {
    count(0, to, width);
    std::vector<char> piece(width, 0);
    if (bytes > 0) {
        if ((uintptr_t)from % width) fail("global memory is not aligned");
        if (!(from >= allowed[0][0] && from + bytes <= allowed[0][1]) &&
            !(from >= allowed[1][0] && from + bytes <= allowed[1][1]))
            fail("a copy from outside of the matrices");
        memcpy(piece.data(), from, bytes);
    }
    items[current].copies.back().push_back({to, piece});
}
static void wait(const int groups) {
    auto &copies = items[current].copies;
    while ((int)copies.size() - 1 > groups) {
        for (auto &piece : copies.front())
            memcpy(memory_of_group + piece.first, piece.second.data(), piece.second.size());
        copies.pop_front();
    }
}
static void take(void *to, const uint at, const uint width) {
    count(1, at, width);
    memcpy(to, memory_of_group + at, width);
}
static void load_matrices(uint *r[4], const uint at, const bool transposed) {
    count(1, at, 16);
    const std::vector<uint> &rows = exchanged(at);
    const int lane = current % 32;
    for (int matrix = 0; matrix < 4; matrix++) {
        uint16_t e[2];
        for (int i = 0; i < 2; i++) {
            const int down = transposed ? lane % 4 * 2 + i : lane / 4,
                      across = transposed ? lane / 4 : lane % 4 * 2 + i;
            memcpy(&e[i], memory_of_group + rows[matrix * 8 + down] + across * 2, 2);
        }
        *r[matrix] = e[0] | (uint)e[1] << 16;
    }
    together();
}
static uint address_of(void *) {
    static char instead[65536]; // the tiles begin in front of the kernel's own array
    memory_of_group = instead;
    return 4; // as NVIDIA's arrays
}

// The product of a warp: 16 x K of P, K x 8 of Q, K up to 32.
static double p_of[64][16][32], q_of[64][32][8];
template <class T> static void multiply_warp(T *c, const int depth) {
    multiplied += current % 32 == 0;
    together();
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < depth; k++)
            c[i] += p_of[current / 32][current % 32 / 4 + i / 2 * 8][k] *
                    q_of[current / 32][k][current % 4 * 2 + i % 2];
    together();
}
static uint bytes_of(const uint x) {
    return (x & 0xff) | (x >> 8 & 0xff00);
}
static float half_of(const uint both, const int which) {
    const uint16_t bits = both >> 16 * which;
    half h;
    memcpy(&h, &bits, 2);
    return h;
}
static uint rounded(const float2 v) {
    const half both[] = {(half)v[0], (half)v[1]};
    uint made;
    memcpy(&made, both, 4);
    return made;
}
static uint from_other(const uint x, const uint bits) {
    const uint other = exchanged(x)[current % 32 ^ bits];
    together();
    return other;
}
static float float_of(const uint bits) {
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
#if KIND == 0
static void mma(double *c, const double *p, const double *q) {
    const int w = current / 32, g = current % 32 / 4, t = current % 4;
    for (int i = 0; i < 4; i++)
        p_of[w][g + i % 2 * 8][i / 2 * 4 + t] = p[i];
    for (int i = 0; i < 2; i++)
        q_of[w][i * 4 + t][g] = q[i];
    multiply_warp(c, 8);
}
#elif KIND == 1
static void mma(float *c, const uint *p, const uint *q) {
    const int w = current / 32, g = current % 32 / 4, t = current % 4;
    for (int e = 0; e < 2; e++) {
        for (int i = 0; i < 4; i++)
            p_of[w][g + i % 2 * 8][i / 2 * 8 + 2 * t + e] = half_of(p[i], e);
        for (int i = 0; i < 2; i++)
            q_of[w][i * 8 + 2 * t + e][g] = half_of(q[i], e);
    }
    multiply_warp(c, 16);
}
#elif KIND == 3
static void mma(int *c, const uint *p, const uint *q) {
    const int w = current / 32, g = current % 32 / 4, t = current % 4;
    for (int e = 0; e < 4; e++) {
        for (int i = 0; i < 4; i++)
            p_of[w][g + i % 2 * 8][i / 2 * 16 + 4 * t + e] = (signed char)(p[i] >> 8 * e);
        for (int i = 0; i < 2; i++)
            q_of[w][i * 16 + 4 * t + e][g] = (signed char)(q[i] >> 8 * e);
    }
    multiply_warp(c, 32);
}
#else
static void mma(float *c, const uint *p, const uint *q) {
    const int w = current / 32, g = current % 32 / 4, t = current % 4;
    for (int i = 0; i < 4; i++)
        p_of[w][g + i % 2 * 8][i / 2 * 4 + t] = float_of(p[i]);
    for (int i = 0; i < 2; i++)
        q_of[w][i * 4 + t][g] = float_of(q[i]);
    multiply_warp(c, 8);
}
#endif

#if WGMMA
#if KIND == 1
typedef half Element;
enum { DEPTH = 16, BYTES_OF = 2 }; // of a product along K, and of an element
#else
typedef float Element;
enum { DEPTH = 8, BYTES_OF = 4 };
#endif
// wgmma multiplies as late as it may: when it is waited for.
struct Product {
    float *sums;
    ulong a, b;
};
static std::vector<std::vector<Product>> products(1024);
static uint field(const ulong form, const int at) {
    return (uint)(form >> at & 0x3fff) << 4;
}
static float swizzled(const uint at, const int bits) {
    Element x;
    memcpy(&x, memory_of_group + (at ^ (at >> 7 & ((1 << bits) - 1)) << 4), sizeof x);
    return x;
}
// An element: its number along K and along C's rows or columns.
static float element(const ulong form, const int along, const int k, const int n) {
    const int bits = 4 - (int)(form >> 62);
    if (along)
        return swizzled(field(form, 0) + n / 8 * field(form, 32) + n % 8 * (16 << bits) + k * BYTES_OF, bits);
    return swizzled(field(form, 0) + n / 64 * field(form, 16) + k / 8 * field(form, 32) + k % 8 * 128 + n % 64 * 2,
                    bits);
}
static void finish_products() {
    for (const Product &product : products[current])
        for (int i = 0; i < BN / 2; i++) {
            const int row = current % 128 / 32 * 16 + current % 32 / 4 + (i & 2) * 4;
            const int column = i / 4 * 8 + current % 4 * 2 + (i & 1);
            for (int k = 0; k < DEPTH; k++)
                product.sums[i] +=
                    element(product.a, !TRANSPOSED_A, k, row) * element(product.b, TRANSPOSED_B, k, column);
        }
    products[current].clear();
}
#define WGMMA_FENCE
#define END_OF_PRODUCTS
#define WAIT_FOR_PRODUCTS (finish_products(), together())

// Barriers in local memory, by their addresses. Every other box arrives as late as it may, when its barrier is waited for.
struct Barrier {
    int count, missing, bytes, rounds;
    std::vector<std::pair<uint, std::vector<Element>>> boxes;
};
static std::map<uint, Barrier> barriers_of;
static void complete(Barrier &b) {
    if (b.missing || b.bytes) return;
    b.missing = b.count;
    b.rounds++;
}
static void arrive(const uint at, const int bytes) {
    if (at % 8) fail("a barrier is not aligned");
    Barrier &b = barriers_of.at(at);
    if (b.missing-- == 0) fail("more arrive at a barrier than it waits for");
    b.bytes += bytes;
    complete(b);
}
static void put(Barrier &b, const uint to, const std::vector<Element> &box) {
    memcpy(memory_of_group + to, box.data(), box.size() * BYTES_OF);
    b.bytes -= box.size() * BYTES_OF;
}
static void wait_at(const uint at, const uint round) {
    Barrier &b = barriers_of.at(at);
    while (b.rounds % 2 == (int)(round % 2)) {
        for (auto &box : b.boxes)
            put(b, box.first, box.second);
        if (!b.boxes.empty()) {
            b.boxes.clear();
            complete(b);
        } else {
            swapcontext(&items[current].at, &home);
        }
    }
}
// What describes a matrix, in global memory.
struct Map {
    const char *matrix;
    int ld, columns, rows, box_columns, box_rows, swizzle;
};
static void describe(ulong *map, const uint at, const int lane, const void *matrix, const int ld, const int columns,
                     const int rows, const int box_columns, const int box_rows, const int swizzle) {
    if ((uintptr_t)matrix % 16 || ld * BYTES_OF % 16 || (uintptr_t)map % 128 || at % 128) fail("a matrix is not aligned");
    if (box_columns * BYTES_OF != 16 << swizzle) fail("a box is not as wide as its swizzle");
    together();
    Map made = {(const char *)matrix, ld, columns, rows, box_columns, box_rows, swizzle};
    if (lane == 0) memcpy(map, &made, sizeof made);
}
static void copy_box(const uint to, const ulong *map, const int column, const int row, const uint barrier) {
    static bool late;
    Map m;
    memcpy(&m, map, sizeof m);
    if (to % (128 << m.swizzle)) fail("a box is not aligned");
    std::vector<Element> box(m.box_columns * m.box_rows, 0);
    for (int r = 0; r < m.box_rows; r++)
        for (int c = 0; c < m.box_columns; c++) {
            if (row + r >= m.rows || column + c >= m.columns) continue;
            const char *from = m.matrix + ((size_t)(row + r) * m.ld + column + c) * BYTES_OF;
            if (!(from >= allowed[0][0] && from < allowed[0][1]) && !(from >= allowed[1][0] && from < allowed[1][1]))
                fail("a copy from outside of the matrices");
            const uint place = (r * m.box_columns + c) * BYTES_OF;
            memcpy(&box[(place ^ (place >> 7 & ((1 << m.swizzle) - 1)) << 4) / BYTES_OF], from, BYTES_OF);
        }
    Barrier &b = barriers_of.at(barrier);
    late = !late;
    if (late) {
        b.boxes.push_back({to, box});
    } else {
        put(b, to, box);
        complete(b);
    }
}
#define START_BARRIER(at, count_) barriers_of[at] = Barrier{(int)(count_), (int)(count_), 0, 0, {}}
#define FENCE_COPIES
#define ARRIVE(at) arrive(at, 0)
#define ARRIVE_EXPECTING(at, bytes) arrive(at, bytes)
#define SEE(map)
#define COPY_BOX(to, map, column, row, barrier) copy_box(to, map, column, row, barrier)
#define WGMMA_PRODUCT(c, form_a, form_b)                                                                            \
    (multiplied += current % 128 == 0, products[current].push_back({(c)[0], form_a, form_b}))
#endif

static int clamp(const int x, const int least, const int most) {
    return x < least ? least : x > most ? most : x;
}
#define min(a, b) ((a) < (b) ? (a) : (b))
#define kernel
#define global
#define restrict
#define local
#define LOCAL static
#define _Pragma(x)
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define barrier(fence) all.wait(items.size())
#define get_local_id(dimension) current
#define FENCE
#define atomic_inc(counter) (*(counter))++
#define max(a, b) ((a) > (b) ? (a) : (b))
#define get_group_id(dimension) group_id
#define get_num_groups(dimension) group_count
#define vload_half(i, from) ((float)(from)[i])
#define vstore_half(v, i, to) ((to)[i] = (half)(v))
#define vloada_half2(i, from) (float2{(float)(from)[0], (float)(from)[1]})
#define ADDRESS(memory) address_of(memory)
#define COPY(width, to, from, bytes) copy(width, to, from, bytes)
#define END_OF_COPIES items[current].copies.emplace_back()
#define WAIT(but) wait(STAGES - (but))
#define LOAD_8(x, at) take(&(x), at, 8)
#define LOAD_16(x, y, at)                                                                                          \
    do {                                                                                                           \
        double both[2];                                                                                            \
        take(both, at, 16);                                                                                        \
        x = both[0], y = both[1];                                                                                  \
    } while (0)
#define LOAD_4(v, at) take(v, at, 16)
#define LOAD_ROWS(x, y, z, w, at, transposed)                                                                      \
    do {                                                                                                           \
        uint *r[] = {&(x), &(y), &(z), &(w)};                                                                      \
        load_matrices(r, at, transposed);                                                                          \
    } while (0)
#define LOAD_MATRICES(x, y, z, w, at) LOAD_ROWS(x, y, z, w, at, false)
#define LOAD_TRANSPOSED(x, y, z, w, at) LOAD_ROWS(x, y, z, w, at, true)
#define ROUND(x) (void)(x) // the factors here are small whole numbers
#define MMA(c, p, q) mma(c, p, q)
#define EVEN_BYTES(to, x, y) ((to) = bytes_of(x) | bytes_of(y) << 16)
#define ODD_BYTES(to, x, y) ((to) = bytes_of((x) >> 8) | bytes_of((y) >> 8) << 16)
#define __attribute__(x)
#include "gemm_tensor.cl"
#undef __attribute__

static int M, N, K, pad;
static int lda, ldb, ldc;
static SUM alpha, beta;
static STORED *A, *B;
static RESULT *C;
static std::vector<SUM> partial;
static std::vector<int> arrived;
#if WGMMA
static ulong *maps;
#endif

static void entry() {
    gemm(M, N, K, alpha, A, pad, lda, B, pad, ldb, beta, C, pad, ldc
#if WGMMA
         , maps
#endif
#if SPLITS > 1
         , partial.data(), arrived.data()
#endif
    );
    items[current].done = true;
    swapcontext(&items[current].at, &home);
}

template <class T> static T *matrix(const size_t count, const int which) {
    T *made = (T *)aligned_alloc(128, (count * sizeof(T) + 127) / 128 * 128);
    for (size_t i = 0; i < count; i++)
        made[i] = (T)(rand() % 9 - 4);
    if (which < 2) {
        allowed[which][0] = (char *)made;
        allowed[which][1] = (char *)(made + count);
    }
    return made;
}

static void run_group() {
    for (Item &item : items) {
        getcontext(&item.at);
        item.at.uc_stack.ss_sp = item.stack.data();
        item.at.uc_stack.ss_size = item.stack.size();
        item.at.uc_link = 0;
        item.done = false;
        item.copies.clear();
        item.copies.emplace_back();
        makecontext(&item.at, entry, 0);
    }
    // Any warp goes ahead of the others, as far as barriers let it.
    int turns = 0;
    for (size_t left = items.size(); left > 0;) {
        if (++turns > 20000) fail("the work-items wait for ever");
        const int first = rand() % (items.size() / 32) * 32;
        for (int turn = 0; turn < 4; turn++)
            for (current = first; current < first + 32; current++)
                if (!items[current].done) {
                    swapcontext(&home, &items[current].at);
                    left -= items[current].done;
                }
    }
}

// The distance of rows of so many elements.
static int distance(const int columns, const int unit) {
    const int least = columns + pad > 1 ? columns + pad : 1;
    return (least + unit - 1) / unit * unit;
}

int main(int, char **words) {
    M = atoi(words[1]), N = atoi(words[2]), K = atoi(words[3]);
    alpha = atoi(words[4]), beta = atoi(words[5]), pad = atoi(words[6]);
    const int rows_a = TRANSPOSED_A ? K : M, rows_b = TRANSPOSED_B ? N : K;
    const int unit = atoi(words[7]);
    lda = distance(TRANSPOSED_A ? M : K, unit), ldb = distance(TRANSPOSED_B ? K : N, unit), ldc = distance(N, unit);
    const size_t count_c = pad + (size_t)M * ldc;
    A = matrix<STORED>(pad + (size_t)rows_a * lda, 0), B = matrix<STORED>(pad + (size_t)rows_b * ldb, 1);
    C = matrix<RESULT>(count_c, 2);
    std::vector<double> expected(C, C + count_c);
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            double sum = 0;
            for (int k = 0; k < K; k++)
                sum += (double)A[pad + (TRANSPOSED_A ? (size_t)k * lda + m : (size_t)m * lda + k)] *
                       (double)B[pad + (TRANSPOSED_B ? (size_t)n * ldb + k : (size_t)k * ldb + n)];
            double &c = expected[pad + (size_t)m * ldc + n];
            c = alpha * sum + beta * c;
        }
    items.resize(ITEMS);
    for (Item &item : items)
        item.stack.resize(65536);
    const int tiles = ((M + BM - 1) / BM) * ((N + BN - 1) / BN);
    partial.resize((size_t)tiles * SPLITS * BM * BN);
#if SPLITS > 1
    static_assert(COUNTED == COUNTERS, "clue makes as many counters for a tile as the kernel uses");
    arrived.resize(tiles * COUNTERS);
#endif
#if WGMMA
    maps = (ulong *)aligned_alloc(128, (size_t)tiles * SPLITS * 256);
#endif
    group_count = WGMMA && tiles * SPLITS > 2 ? 2 : tiles * SPLITS;
    for (group_id = group_count - 1; group_id >= 0; group_id--) // the first comes last
        run_group();
    int wrong = 0;
    for (const int count : arrived)
        wrong += count != 0;
    for (size_t i = 0; i < count_c; i++)
        if ((double)C[i] != expected[i] && wrong++ < 4)
            printf("C[%zu] is %g, not %g\n", i, (double)C[i], expected[i]);
    printf("%s %.2f %.2f %ld %ld %ld\n", wrong ? "wrong" : "right",
           (double)passes[0] / (accesses[0] ? accesses[0] : 1), (double)passes[1] / (accesses[1] ? accesses[1] : 1),
           multiplied, loads, passes[1]);
    return wrong != 0;
}

/* Parts of images: transfers, copies, fills and mappings for each kind of image, compared with plain loops.
 *
 * suite: quick
 * drivers: pocl oclgrind rusticl */
#include "support.h"

enum { MOST = 4 * 3 * 3 * 4 }; /* numbers of the largest image here */

/* A kind of image, and the part of it that the tests use: its middle. */
struct sort {
    cl_mem_object_type type;
    int64_t width, height, depth, layers;
    int64_t all[3]; /* the whole image as a region */
};

static const struct sort sorts[] = {
    {CL_MEM_OBJECT_IMAGE1D, 4, 0, 0, 0, {4, 1, 1}}, {CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 0, 3, {4, 3, 1}},
    {CL_MEM_OBJECT_IMAGE2D, 4, 3, 0, 0, {4, 3, 1}}, {CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 3, 0, 3, {4, 3, 3}},
    {CL_MEM_OBJECT_IMAGE3D, 4, 3, 3, 0, {4, 3, 3}},
};
enum { SORTS = sizeof sorts / sizeof sorts[0] };

static int32_t new_image_of(int32_t in, const struct sort *s) {
    const clue_image_shape shape = {.type = s->type,
                                    .order = CL_RGBA,
                                    .channel = CL_FLOAT,
                                    .width = s->width,
                                    .height = s->height,
                                    .depth = s->depth,
                                    .array_size = s->layers};
    return new_image(in, shape);
}

static int64_t numbers_in(const int64_t *region) {
    return region[0] * region[1] * region[2] * 4;
}

/* 0, 1, 2, ... in every component */
static int32_t numbered_image(int32_t in, int32_t q, const struct sort *s) {
    const int32_t i = new_image_of(in, s);
    float numbers[MOST];
    for (int n = 0; n < MOST; n++)
        numbers[n] = (float)n;
    assert_works(clue_queue_write_image(NULL, q, i, numbers, numbers_in(s->all) * 4, NULL));
    return i;
}

/* The middle of an image: all but the first pixel along every axis that has more than one. */
static clue_image_part middle(const struct sort *s) {
    clue_image_part part = {.row_pitch = 0};
    for (int i = 0; i < 3; i++) {
        part.origin[i] = s->all[i] > 1 ? 1 : 0;
        part.region[i] = s->all[i] - part.origin[i];
    }
    return part;
}

static float pixel_number(const struct sort *s, int64_t x, int64_t y, int64_t z) {
    return (float)(((z * s->all[1] + y) * s->all[0] + x) * 4);
}

/* Finds the middle of a numbered image. Its rows are `row` floats apart, its slices `slice` floats. */
static void assert_middle(const float *found, const struct sort *s, int64_t row, int64_t slice) {
    const clue_image_part part = middle(s);
    for (int64_t z = 0; z < part.region[2]; z++)
        for (int64_t y = 0; y < part.region[1]; y++)
            for (int64_t x = 0; x < part.region[0]; x++)
                assert_true(found[z * slice + y * row + x * 4] ==
                            pixel_number(s, x + part.origin[0], y + part.origin[1], z + part.origin[2]));
}

TEST(parts_are_read_and_written) {
    const int32_t c = new_context(), q = new_queue(c, 0);
    for (int n = 0; n < SORTS; n++) {
        const struct sort *s = &sorts[n];
        const int32_t i = numbered_image(c, q, s), twin = new_image_of(c, s);
        clue_image_part part = middle(s);
        const int64_t row = part.region[0] * 4, size = numbers_in(part.region) * 4;
        float found[MOST] = {0};
        assert_works(clue_queue_read_image(NULL, found, q, i, size, &part));
        assert_middle(found, s, row, row * part.region[1]);
        assert_works(clue_queue_write_image(NULL, q, twin, found, size, &part));
        memset(found, 0, sizeof found);
        assert_works(clue_queue_read_image(NULL, found, q, twin, size, &part));
        assert_middle(found, s, row, row * part.region[1]);
    }
}

TEST(pitches_place_the_rows_in_host_memory) {
    const int32_t c = new_context(), q = new_queue(c, 0);
    for (int n = 0; n < SORTS; n++) {
        const struct sort *s = &sorts[n];
        const int32_t i = numbered_image(c, q, s), twin = new_image_of(c, s);
        clue_image_part part = middle(s);
        float found[400] = {0};
        part.row_pitch = (int64_t)20 * 4;
        part.slice_pitch = s->all[2] > 1 ? 80 * 4 : 0;
        assert_works(clue_queue_read_image(NULL, found, q, i, sizeof found, &part));
        assert_middle(found, s, 20, 80);
        assert_works(clue_queue_write_image(NULL, q, twin, found, sizeof found, &part));
        memset(found, 0, sizeof found);
        assert_works(clue_queue_read_image(NULL, found, q, twin, sizeof found, &part));
        assert_middle(found, s, 20, 80);
    }
}

TEST(images_are_copied) {
    const int32_t c = new_context(), q = new_queue(c, 0);
    for (int n = 0; n < SORTS; n++) {
        const struct sort *s = &sorts[n];
        const int32_t i = numbered_image(c, q, s), twin = new_image_of(c, s), b = new_buffer(c, MOST * 4 + 16);
        clue_image_part part = middle(s);
        const int64_t row = part.region[0] * 4, size = numbers_in(part.region) * 4;
        float found[MOST] = {0};
        assert_works(clue_queue_copy_image(NULL, q, i, twin, part.origin, NULL, part.region));
        assert_works(clue_queue_finish(q));
        memset(part.origin, 0, sizeof part.origin);
        assert_works(clue_queue_read_image(NULL, found, q, twin, size, &part));
        assert_middle(found, s, row, row * part.region[1]);
        part = middle(s);
        if (is_nvidia() && s->type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
            assert_refused(clue_queue_copy_image_to_buffer(NULL, q, i, b, part.origin, part.region, 16),
                           CL_INVALID_VALUE, CLUE_CAUSE_LIMIT, "clEnqueueCopyImageToBuffer",
                           "%d layers of a 1-D image array: NVIDIA's driver copies only one at a time to or from a "
                           "buffer: copy them one by one, with origin {x, layer} and region {width, 1}",
                           (int)part.region[1]);
            continue;
        }
        assert_works(clue_queue_copy_image_to_buffer(NULL, q, i, b, part.origin, part.region, 16));
        assert_works(clue_queue_read(NULL, found, q, b, 16, size));
        assert_middle(found, s, row, row * part.region[1]);
        assert_works(clue_queue_copy_buffer_to_image(NULL, q, b, twin, 16, part.origin, part.region));
        assert_works(clue_queue_read_image(NULL, found, q, twin, size, &part));
        assert_middle(found, s, row, row * part.region[1]);
    }
}

TEST(parts_are_filled_with_a_colour) {
    const double colour[] = {1.5, -2, 0, 4};
    const int32_t c = new_context(), q = new_queue(c, 0);
    for (int n = 0; n < SORTS; n++) {
        const struct sort *s = &sorts[n];
        const int32_t i = numbered_image(c, q, s);
        const clue_image_part part = middle(s);
        float found[MOST] = {0};
        assert_works(clue_queue_fill_image(NULL, q, i, colour, part.origin, part.region));
        assert_works(clue_queue_read_image(NULL, found, q, i, numbers_in(s->all) * 4, NULL));
        for (int64_t at = 0; at < numbers_in(s->all); at++) {
            const int64_t x = at / 4 % s->all[0], y = at / 4 / s->all[0] % s->all[1];
            const int64_t z = at / 4 / s->all[0] / s->all[1];
            const bool inside = x >= part.origin[0] && y >= part.origin[1] && z >= part.origin[2];
            assert_true(found[at] == (inside ? (float)colour[at % 4] : (float)at));
        }
    }
}

TEST(parts_are_mapped) {
    const int32_t c = new_context(), q = new_queue(c, 0);
    for (int n = 0; n < SORTS; n++) {
        const struct sort *s = &sorts[n];
        const int32_t i = numbered_image(c, q, s);
        clue_image_part part = middle(s), one = part;
        int32_t mapping = 0;
        int64_t size = 0;
        float number = 0, pixel[4];
        void *data = NULL;
        if (is_rusticl() && s->type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
            assert_refused(
                clue_queue_map_image(&data, &size, &mapping, q, i, CL_MAP_READ, &part), CL_INVALID_OPERATION,
                CLUE_CAUSE_LIMIT, "clEnqueueMapImage",
                "rusticl maps a part of a 1-D array image at a wrong place: map from the first pixel on");
            continue;
        }
        assert_works(clue_queue_map_image(&data, &size, &mapping, q, i, CL_MAP_READ | CL_MAP_WRITE, &part));
        assert_true(size >= numbers_in(part.region) * 4);
        assert_middle(data, s, part.row_pitch / 4, part.slice_pitch / 4);
        assert_refused(clue_queue_read_image(NULL, pixel, q, i, 16, &one), CL_INVALID_OPERATION,
                       CLUE_CAUSE_PARAMETER, "clEnqueueReadImage",
                       "the image is mapped for writing by the host: unmap it first");
        number = 77;
        memcpy(data, &number, sizeof number);
        assert_works(clue_queue_unmap(q, mapping));
        one.region[0] = one.region[1] = one.region[2] = 1;
        assert_works(clue_queue_read_image(NULL, pixel, q, i, 16, &one));
        assert_true(pixel[0] == 77);
    }
}

TEST(impossible_parts_are_refused) {
    const int32_t c = new_context(), q = new_queue(c, 0), i = new_image(c, image_shape(4, 3, 0));
    const int32_t solid = new_image(c, image_shape(4, 3, 2)), b = new_buffer(c, 64);
    clue_image_part part = {.origin = {1, 0, 0}, .region = {4, 3, 1}};
    const double colour[4] = {0};
    float numbers[MOST] = {0};
    assert_refused(clue_queue_read_image(NULL, numbers, q, i, 192, &part), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueReadImage",
                   "4 x 3 x 1 pixels from (1, 0, 0) on are not inside the image of 4 x 3 x 1: only 3 x 3 x 1 are "
                   "left there");
    part.origin[0] = -1;
    assert_refused(clue_queue_fill_image(NULL, q, i, colour, part.origin, part.region), CL_INVALID_VALUE,
                   CLUE_CAUSE_SIZE, "clEnqueueFillImage",
                   "4 x 3 x 1 pixels from (-1, 0, 0) on are not inside the image of 4 x 3 x 1");
    assert_null(strstr(clue_error_detail(), "left there"));
    part = (clue_image_part){.region = {2, 2, 0}};
    assert_refused(clue_queue_fill_image(NULL, q, i, colour, part.origin, part.region), CL_INVALID_VALUE,
                   CLUE_CAUSE_SIZE, "clEnqueueFillImage",
                   "2 x 2 x 0 pixels from (0, 0, 0) on are not inside the image of 4 x 3 x 1: each size must be at "
                   "least 1");
    part.region[2] = 1;
    assert_refused(clue_queue_write_image(NULL, q, i, numbers, 60, &part), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueWriteImage", "2 x 2 x 1 pixels of this image have 64 bytes, but 60 were given");
    part.row_pitch = 16;
    assert_refused(clue_queue_write_image(NULL, q, i, numbers, 64, &part), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueWriteImage", "a row pitch of 16 bytes is less than the 32 of a row");
    part.row_pitch = 48;
    assert_refused(clue_queue_write_image(NULL, q, i, numbers, 79, &part), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueWriteImage",
                   "2 x 2 x 1 pixels of this image have 80 bytes with these pitches, but 79 were given");
    part.slice_pitch = 96;
    assert_refused(clue_queue_write_image(NULL, q, i, numbers, 79, &part), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueWriteImage", "a slice pitch of 96 bytes: a 2-D image has no slices");
    part.slice_pitch = 48;
    assert_refused(clue_queue_write_image(NULL, q, solid, numbers, 79, &part), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueWriteImage",
                   "a slice pitch of 48 bytes, with 2 rows by a pitch of 48: it must be a multiple of the row "
                   "pitch and hold all rows");
    assert_refused(clue_queue_copy_image_to_buffer(NULL, q, i, b, NULL, NULL, 0), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueCopyImageToBuffer", "192 bytes from offset 0 is too much for the buffer of 64 bytes");
    assert_int_equal(clue_queue_copy_buffer_to_image(NULL, q, b, i, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clue_queue_copy_buffer_to_image(NULL, q, i, i, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
}

TEST(copies_must_not_overlap_or_change_the_format) {
    const int64_t first[3] = {0}, second[3] = {1, 0, 0}, third[3] = {2, 0, 0}, two[3] = {2, 3, 1};
    const int32_t c = new_context(), q = new_queue(c, 0), i = new_image(c, image_shape(4, 3, 0));
    clue_image_shape shape = image_shape(4, 3, 0);
    int32_t other;
    shape.channel = CL_UNSIGNED_INT32;
    other = new_image(c, shape);
    assert_refused(clue_queue_copy_image(NULL, q, i, other, NULL, NULL, NULL), CL_IMAGE_FORMAT_MISMATCH,
                   CLUE_CAUSE_PARAMETER, "clEnqueueCopyImage",
                   "images %d and %d have pixels of different formats: a kernel can convert them", i, other);
    assert_refused(clue_queue_copy_image(NULL, q, i, i, first, second, two), CL_MEM_COPY_OVERLAP,
                   CLUE_CAUSE_PARAMETER, "clEnqueueCopyImage",
                   "the two parts of image %d overlap: copy by way of another image", i);
    assert_works(clue_queue_copy_image(NULL, q, i, i, first, third, two));
}

TEST(a_colour_must_suit_the_channels) {
    const double colour[] = {1, 2, 3, 300.5}, whole[] = {1, 2, 3, 300};
    const int32_t c = new_context(), q = new_queue(c, 0);
    clue_image_shape shape = image_shape(2, 1, 0);
    uint32_t found[8] = {0};
    int32_t i;
    shape.channel = CL_UNSIGNED_INT32;
    i = new_image(c, shape);
    assert_refused(clue_queue_fill_image(NULL, q, i, colour, NULL, NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clEnqueueFillImage",
                   "a colour of 1, 2, 3, 300.5: the channels of this image need values of type uint");
    assert_works(clue_queue_fill_image(NULL, q, i, whole, NULL, NULL));
    assert_works(clue_queue_read_image(NULL, found, q, i, sizeof found, NULL));
    assert_int_equal(found[7], 300);
}

/* As NVIDIA's driver has it: it refuses them without saying why. */
TEST(layers_of_lines_are_copied_one_by_one_on_nvidia) {
    const int32_t c = new_context(), q = new_queue(c, 0), b = new_buffer(c, 256);
    const int64_t origin[] = {0, 0, 0}, two[] = {4, 2, 1}, one[] = {4, 1, 1};
    const bool nvidia = limits()->nvidia;
    clue_image_shape shape = image_shape(4, 0, 0);
    int32_t i, code;
    shape.type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
    shape.array_size = 2;
    i = new_image(c, shape);
    limits()->nvidia = true;
    code = clue_queue_copy_image_to_buffer(NULL, q, i, b, origin, two, 0);
    limits()->nvidia = nvidia;
    assert_refused(code, CL_INVALID_VALUE, CLUE_CAUSE_LIMIT, "clEnqueueCopyImageToBuffer",
                   "2 layers of a 1-D image array");
    limits()->nvidia = true;
    code = clue_queue_copy_image_to_buffer(NULL, q, i, b, origin, one, 0);
    limits()->nvidia = nvidia;
    assert_works(code);
}

/* plain_type.c - the types of arguments by value, images and samplers, by OpenCL's names. */
#include "program/program.h"

#include <stdio.h>
#include <string.h>

static const char *object_type(const char *name) {
    static const char *const names[] = {"sampler_t",
                                        "image1d_t",
                                        "image1d_buffer_t",
                                        "image1d_array_t",
                                        "image2d_t",
                                        "image2d_array_t",
                                        "image2d_depth_t",
                                        "image2d_array_depth_t",
                                        "image2d_msaa_t",
                                        "image2d_array_msaa_t",
                                        "image2d_msaa_depth_t",
                                        "image2d_array_msaa_depth_t",
                                        "image3d_t"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return names[i];
    return NULL;
}

/* The width of a vector type, from the text after the element's name; 0 if that is not a width. */
static int32_t vector_width(const char *digits) {
    static const struct {
        char digits[3];
        int32_t width;
    } widths[] = {{"", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"8", 8}, {"16", 16}};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (strcmp(digits, widths[i].digits) == 0) return widths[i].width;
    return 0;
}

static bool read_numbers(struct plain_type *out, const char *name) {
    char element[16];
    const bool is_unsigned = text_begins_with(name, "unsigned ");
    size_t length;
    int32_t width;
    if (is_unsigned) name += 9;
    length = strcspn(name, "0123456789");
    width = vector_width(name + length);
    if (width == 0 || length + 2 > sizeof element) return false;
    snprintf(element, sizeof element, "%s%.*s", is_unsigned ? "u" : "", (int)length, name);
    for (int32_t type = CLUE_CHAR; type <= CLUE_DOUBLE; type++)
        if (strcmp(element, clue_type_name(type)) == 0) {
            *out = (struct plain_type){.element = type, .width = width};
            return true;
        }
    return false;
}

bool plain_type_read(struct plain_type *out, const char *name) {
    const char *type = object_type(name);
    if (!type) return read_numbers(out, name);
    *out = (struct plain_type){.object = type};
    return true;
}

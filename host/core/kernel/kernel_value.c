/* kernel_value.c - sets the arguments that are values: bytes, and numbers converted to the argument's type.
 *
 * Values are checked against the kernel's argument information if the driver gives it: drivers accept the bits of a
 * float for an int, and some crash with a wrong size. */
#include "../../sys/system.h"
#include "kernel/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char set[] = "clSetKernelArg";

/* The bytes of an argument by value; 0 if they are not known. A vector of 3 takes as many as one of 4. */
static int64_t value_size(const argument *a) {
    return clue_type_size(a->element) * (a->width == 3 ? 4 : a->width);
}

int32_t clue_kernel_argument_value(int32_t *type_out, int32_t *width_out, int32_t handle, int32_t index) {
    const kernel *self = argument_find(handle, index, "clGetKernelArgInfo");
    if (!self) return clue_error_code();
    *type_out = argument_accepts(&self->arguments[index], TAKES_VALUE) ? self->arguments[index].element : CLUE_AUTO;
    *width_out = *type_out ? self->arguments[index].width : 1;
    return 0;
}

/* Without its star; false if the type is no pointer to something that has a name. */
static bool read_pointee(struct plain_type *out, const kernel *self, const char *pointer) {
    char name[64];
    size_t length = strcspn(pointer, "*");
    if (strcmp(pointer + length, "*") != 0) return false;
    while (length > 0 && pointer[length - 1] == ' ')
        length--;
    if (length >= sizeof name) return false;
    snprintf(name, sizeof name, "%.*s", (int)length, pointer);
    return plain_type_read(out, name) || typedef_find(out, self->program, name);
}

int32_t clue_kernel_argument_pointee(int32_t *type_out, int32_t *width_out, int32_t handle, int32_t index) {
    const kernel *self = argument_find(handle, index, "clGetKernelArgInfo");
    struct plain_type type = {.element = CLUE_AUTO};
    if (!self) return clue_error_code();
    if (!read_pointee(&type, self, self->arguments[index].type)) type.element = CLUE_AUTO;
    *type_out = type.element;
    *width_out = type.element ? type.width : 1;
    return 0;
}

int32_t clue_kernel_set_bytes(int32_t handle, int32_t index, const void *bytes, int64_t size) {
    kernel *self = argument_find(handle, index, set);
    const argument *a = self ? &self->arguments[index] : NULL;
    int64_t wanted;
    if (!self) return clue_error_code();
    if (!argument_accepts(a, TAKES_VALUE)) return argument_refuse(self, index, set);
    wanted = value_size(a);
    if (!bytes || size <= 0)
        return error_record(CL_INVALID_ARG_SIZE, CLUE_CAUSE_SIZE, set,
                            "argument %s of kernel '%s': no bytes were given", argument_name(self, index),
                            self->name);
    if (wanted && size != wanted)
        return error_record(CL_INVALID_ARG_SIZE, CLUE_CAUSE_SIZE, set,
                            "argument %s of kernel '%s' is %s and takes %lld bytes, but %lld were given",
                            argument_name(self, index), self->name, a->type, (long long)wanted, (long long)size);
    return argument_pass(self, index, bytes, (size_t)size);
}

static bool is_whole(int32_t type) {
    return type < CLUE_HALF;
}

static int32_t refuse_unknown_type(const kernel *self, int32_t index) {
    const char *type = self->arguments[index].type;
    if (!*type)
        return error_record(
            CL_INVALID_ARG_VALUE, CLUE_CAUSE_TYPE, set,
            "the driver does not know the type of argument %s of kernel '%s': give the value's type",
            argument_name(self, index), self->name);
    return error_record(CL_INVALID_ARG_VALUE, CLUE_CAUSE_TYPE, set,
                        "argument %s of kernel '%s' is %s, a typedef or struct that the driver does not describe: "
                        "give the value's type",
                        argument_name(self, index), self->name, type);
}

/* The type to convert to: the given one, whose bits the kernel's own type takes, otherwise the kernel's own. */
static int32_t settle_type(int32_t *type_out, const kernel *self, int32_t index, int32_t given) {
    const argument *a = &self->arguments[index];
    int32_t known;
    if (!argument_accepts(a, TAKES_VALUE)) return argument_refuse(self, index, set);
    if (!a->element && !given) return refuse_unknown_type(self, index);
    if (a->element && a->width > 1)
        return error_record(CL_INVALID_ARG_SIZE, CLUE_CAUSE_SIZE, set,
                            "argument %s of kernel '%s' is %s: one number is not enough; give a vector, %s%d(...)",
                            argument_name(self, index), self->name, a->type, clue_type_name(a->element),
                            (int)a->width);
    known = a->element;
    if (known && given && (is_whole(known) != is_whole(given) || clue_type_size(known) != clue_type_size(given)))
        return error_record(CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                            "argument %s of kernel '%s' is %s, but %s was given: use %s",
                            argument_name(self, index), self->name, a->type, clue_type_name(given),
                            clue_type_name(known));
    *type_out = given ? given : known;
    return 0;
}

static int32_t refuse_number(const kernel *self, int32_t index, int32_t given, double value) {
    const int32_t known = self->arguments[index].element;
    char text[32];
    void *const before = numbers_plain();
    if (isnan(value)) value = fabs(value); /* "nan" instead of "-nan" */
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value) snprintf(text, sizeof text, "%.17g", value);
    numbers_back(before);
    return error_record(CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                        "argument %s of kernel '%s' is %s, which cannot hold %s", argument_name(self, index),
                        self->name, clue_type_name(known ? known : given), text);
}

int32_t clue_kernel_set_number(int32_t handle, int32_t index, int32_t type, double value) {
    kernel *self = argument_find(handle, index, set);
    int64_t element = 0; /* large enough for any type */
    int32_t code;
    if (!self) return clue_error_code();
    if (type < CLUE_AUTO || type > CLUE_DOUBLE)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, set, "%d is not a type", (int)type);
    if ((code = settle_type(&type, self, index, type))) return code;
    if (!clue_element_store(&element, type, value)) return refuse_number(self, index, type, value);
    return argument_pass(self, index, &element, (size_t)clue_type_size(type));
}

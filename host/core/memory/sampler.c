/* sampler.c - samplers, which describe how kernels read images: sampler_t arguments. */
#include "memory/memory.h"

#include <stdlib.h>

static const char create_call[] = "clCreateSampler";

static void sampler_destroy(object *base) {
    sampler *self = (sampler *)base;
    if (self->sampler) (void)clReleaseSampler(self->sampler);
    object_release(&self->context->base);
    free(self);
}

static object *parent_of(const object *self) {
    return &((const sampler *)self)->context->base;
}

static void *pointer_of(const object *self) {
    return ((const sampler *)self)->sampler;
}

static const object_class sampler_class = {CLUE_SAMPLER, sampler_destroy, parent_of, pointer_of};

/* Drivers refuse wrong values with a bare code, or accept them. */
static int32_t check(const device *on, bool normalized, cl_addressing_mode addressing, cl_filter_mode filter) {
    if (!on->images)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, create_call,
                            "%s has no images, so it has no samplers", on->name);
    if (addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, create_call,
                            "0x%x is not an addressing mode: use CL_ADDRESS_NONE to CL_ADDRESS_MIRRORED_REPEAT",
                            addressing);
    if (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, create_call,
                            "0x%x is not a filter mode: use CL_FILTER_NEAREST or CL_FILTER_LINEAR", filter);
    if (addressing >= CL_ADDRESS_REPEAT && !normalized)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, create_call,
                            "%s needs normalized coordinates, from 0 to 1",
                            addressing == CL_ADDRESS_REPEAT ? "CL_ADDRESS_REPEAT" : "CL_ADDRESS_MIRRORED_REPEAT");
    return 0;
}

static int32_t open_sampler(int32_t *sampler_out, sampler *self) {
    int32_t code = CL_MAKE(&self->sampler, clCreateSampler, self->context->context, self->normalized,
                           self->addressing, self->filter);
    if (code == 0) code = handle_open(sampler_out, &self->base, &sampler_class, create_call);
    return code;
}

int32_t clue_sampler_create(int32_t *sampler_out, int32_t handle, int32_t normalized, uint32_t addressing,
                            uint32_t filter) {
    context *in = (context *)handle_find(handle, CLUE_CONTEXT, create_call);
    sampler *self;
    int32_t code;
    if (!in) return clue_error_code();
    for (cl_uint i = 0; i < in->device_count; i++)
        if ((code = check(in->devices[i], normalized != 0, addressing, filter))) return code;
    self = calloc(1, sizeof *self);
    if (!self) return error_out_of_memory(create_call);
    object_retain(&in->base);
    self->context = in;
    self->normalized = normalized != 0;
    self->addressing = addressing;
    self->filter = filter;
    code = open_sampler(sampler_out, self);
    if (code) sampler_destroy(&self->base);
    return code;
}

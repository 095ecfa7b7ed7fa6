/* device.h - the machine's devices, and parts of them. Used by queue, memory, program, kernel. */
#ifndef CLUE_DEVICE_H
#define CLUE_DEVICE_H

#include "base/base.h"

typedef struct device {
    cl_platform_id platform;
    cl_device_id id;
    int32_t platform_index, index, ordinal; /* of a part: those of the whole device */
    object *part;      /* of a part: who uses the device holds this; NULL for what the machine has */
    bool limits_known; /* what follows is asked for when the first context is made */
    cl_ulong local_memory, max_allocation, max_constant;
    cl_device_svm_capabilities svm;
    size_t max_group, max_items[3];
    size_t most_items, last_item; /* of a range, in each dimension: its size, and the number of its last item */
    cl_uint dimensions;
    bool non_uniform_groups, doubles, timed, images;
    bool counts_aloud;                    /* its compiler says "1 error generated." on the process's stderr */
    bool rusticl, nvidia, pocl, oclgrind; /* drivers with ways of their own: whoever asks says which */
    bool synchronous;  /* runs commands in the calling thread: waits there for what they wait for */
    bool out_of_order; /* has queues that are */
    bool keeps_order;  /* takes them, and runs one command after the other all the same */
    bool epoch_known;
    cl_ulong epoch; /* what clue_event_moment() counts from, settled at its first answer */
    char *name;
} device;

/* A part of a device, behind a handle. */
typedef struct subdevice {
    object base;
    device device;
    object *parent; /* held; NULL where that is a whole device */
} subdevice;

/* Enumerates on first use; NULL and the failure recorded where there is no such device. */
device *device_at(int32_t ordinal, const char *call);
/* The device of an ordinal, or of the handle of a part. */
device *device_find(int32_t id, const char *call);
int32_t device_learn_limits(device *self);
/* Whether it has that version of OpenCL, or a later one. */
bool device_has_version(const device *self, int major, int minor);

#endif

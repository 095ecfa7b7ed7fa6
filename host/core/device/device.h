/* device.h - the machine's devices, and parts of them. Used by queue, memory, program, kernel. */
#ifndef CLUE_DEVICE_H
#define CLUE_DEVICE_H

#include "base/base.h"

typedef struct device {
    cl_platform_id platform;
    cl_device_id id;
    int32_t platform_index, index, ordinal; /* for a part: those of the whole device */
    object *part;      /* for a part: the object that its users hold; NULL for a whole device */
    bool limits_known; /* the following is asked when the first context is made */
    cl_ulong local_memory, max_allocation, max_constant;
    cl_ulong own_memory; /* bytes; 0 if it uses the host's memory */
    cl_device_svm_capabilities svm;
    size_t max_group, max_items[3];
    size_t most_items,
        last_item; /* limits of a range in each dimension: its size, and the number of its last item */
    cl_uint dimensions;
    bool non_uniform_groups, doubles, timed, images;
    bool counts_aloud;                    /* its compiler says "1 error generated." on the process's stderr */
    bool rusticl, nvidia, pocl, oclgrind; /* drivers that differ from others: the code that asks says how */
    bool synchronous;  /* runs commands in the calling thread, which then also waits for what they wait for */
    bool starts;       /* starts a command when it is enqueued, without clFlush */
    bool out_of_order; /* has queues out of order */
    bool keeps_order;  /* has queues out of order, but runs one command after the other */
    bool epoch_known;
    cl_ulong epoch; /* the moment from which clue_event_moment() counts, set at its first answer */
    char *name;
} device;

/* A part of a device, behind a handle. */
typedef struct subdevice {
    object base;
    device device;
    object *parent; /* held; NULL if the parent is a whole device */
} subdevice;

/* Makes the list at its first call. NULL and a recorded failure if there is no such device. */
device *device_at(int32_t ordinal, const char *call);
/* The device with an ordinal, or behind the handle of a part. */
device *device_find(int32_t id, const char *call);
int32_t device_learn_limits(device *self);
/* True if the device has this version of OpenCL or a later one. */
bool device_has_version(const device *self, int major, int minor);

#endif

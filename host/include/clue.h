/* clue.h - the whole C interface of libclue: OpenCL behind handles, and what a script host needs beside it.
 *
 * The text between the two cdef markers is plain C without preprocessor lines: compilers read it as a header and
 * LuaJIT's ffi.cdef reads the same text, embedded at build time. CLUE_ABI is compared when a binding loads.
 *
 * What holds for all functions, unless their comment says otherwise:
 * - A function that can fail returns 0 or a negative OpenCL error code. clue_error_*() describe the failure until
 *   the next one.
 * - Results come first, as parameters named *_out, and are written on success only.
 * - Sizes and offsets are in bytes, times in seconds. Sizes are signed, so that a negative number is found and not
 *   wrapped.
 * - A text that is given out belongs to the library and is valid as long as what it describes.
 * - A query for raw bytes takes `value` and `capacity`. It sets *size_out to the size of the answer. value may be
 *   NULL to ask for the size alone; a capacity that is too small is an error.
 * - An event_out may be NULL: then no event is made. An event that is made must be freed.
 * The library is single-threaded by contract: one thread at a time, no locks. */
#ifndef CLUE_H
#define CLUE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* cdef begin */
enum { CLUE_ABI = 5 };

/* CLUE_ABI of the library that is loaded. */
int32_t clue_abi(void);

/* ---- errors: the record of the last failure ------------------------------------------------------------------ */

/* Why a call failed, where the OpenCL code alone does not say. */
enum {
    CLUE_CAUSE_DRIVER = 0,    /* OpenCL itself refused */
    CLUE_CAUSE_HANDLE = 1,    /* a handle that is stale, was never given, or is of another kind */
    CLUE_CAUSE_PARAMETER = 2, /* a value that cannot be right, whatever the device */
    CLUE_CAUSE_SIZE = 3,      /* a size below 0, 0 where that means nothing, or past the end */
    CLUE_CAUSE_OFFSET = 4,    /* an offset below 0 or past the end */
    CLUE_CAUSE_DEVICE = 5,    /* no such device */
    CLUE_CAUSE_MEMORY = 6,    /* the host's memory is exhausted */
    CLUE_CAUSE_FULL = 7,      /* the handle table is full */
    CLUE_CAUSE_LIMIT = 8,     /* more than the device, the kernel or the reader of a file allows */
    CLUE_CAUSE_TYPE = 9,      /* a number for an argument whose type is not known: the number's type is needed */
    CLUE_CAUSE_FAILED = 10    /* -1 for a handle: the call that should have made it failed */
};

int32_t clue_error_code(void);             /* the OpenCL code; 0: nothing failed since clue_error_clear() */
int32_t clue_error_cause(void);            /* CLUE_CAUSE_* */
const char *clue_error_call(void);         /* the OpenCL function, "clEnqueueNDRangeKernel" */
const char *clue_error_detail(void);       /* what the user can do about it, may be "" */
const char *clue_error_text(void);         /* "clSetKernelArg: CL_INVALID_ARG_INDEX (-49): detail" */
const char *clue_error_log(void);          /* of a failed build: the log with source lines and carets; else "" */
void clue_error_clear(void);               /* forgets the record */
const char *clue_error_name(int32_t code); /* "CL_INVALID_VALUE"; NULL for a code that OpenCL does not define */

/* ---- handles ----------------------------------------------------------------------------------------------------
 * A handle is 65536 or more; device ordinals stay below. Once freed it is stale for good, and every function finds
 * that. What lies behind it lives on while something uses it. */

enum {
    CLUE_NONE = 0,
    CLUE_CONTEXT = 1,
    CLUE_PROGRAM = 2,
    CLUE_KERNEL = 3,
    CLUE_BUFFER = 4,
    CLUE_QUEUE = 5,
    CLUE_EVENT = 6,
    CLUE_DEVICE = 7,
    CLUE_MAPPING = 8,
    CLUE_IMAGE = 9,
    CLUE_SAMPLER = 10,
    CLUE_HOST_MEMORY = 11,
    CLUE_SVM = 12
};
enum { CLUE_FIRST_HANDLE = 65536 };

/* CLUE_CONTEXT and its kin; CLUE_NONE for anything that is no live handle. */
int32_t clue_handle_kind(int32_t handle);
/* How many handles are live. */
int32_t clue_handle_count(void);
/* The next live handle after this one (0: the first one); 0 at the end. */
int32_t clue_handle_next(int32_t handle);
/* Frees a handle of this kind; CLUE_NONE: of any kind. */
int32_t clue_handle_free(int32_t handle, int32_t kind);
/* The handle of what this one was made from: a kernel's program, a sub-buffer's buffer, a context otherwise. 0
 * where that was freed, or there is none. */
int32_t clue_handle_parent(int32_t *parent_out, int32_t handle);
/* OpenCL's own object behind a handle: a cl_context for a context, the memory itself for shared virtual memory. id
 * may be a device's ordinal, too. kind: CLUE_NONE for the object itself; CLUE_DEVICE or CLUE_CONTEXT for the one
 * that it belongs to; CLUE_QUEUE of a context for the context's own queue. The object is borrowed: clRetain...() it
 * to keep it longer than the handle's owner does. */
int32_t clue_handle_pointer(void **pointer_out, int32_t id, int32_t kind);

/* ---- platforms and devices --------------------------------------------------------------------------------------
 * A device is named by its ordinal, counted from 0 over all platforms in the loader's order, or by the handle of a
 * part of one. A function of this group that takes an `id` takes any other handle, too, and then means the first
 * device of its context. */

/* "OpenCL Loader 2.3.1"; "" where the loader has no name. */
const char *clue_loader_name(void);
/* How many platforms there are; how many devices on all of them. */
int32_t clue_platform_count(int32_t *count_out);
int32_t clue_device_count(int32_t *count_out);
/* The platform of a device, and its place among that platform's devices, both from 0. */
int32_t clue_device_locate(int32_t *platform_out, int32_t *index_out, int32_t ordinal);
/* The ordinal of a device; of a part, that of the whole device. */
int32_t clue_device_of(int32_t *ordinal_out, int32_t id);
/* What a driver answered instead of listing its devices; "" where none did. */
const char *clue_device_refusal(void);
/* A property by OpenCL's number (CL_PLATFORM_*, CL_DEVICE_*), as raw bytes. */
int32_t clue_platform_info(int64_t *size_out, int32_t platform, uint32_t property, void *value, int64_t capacity);
int32_t clue_device_info(int64_t *size_out, int32_t id, uint32_t property, void *value, int64_t capacity);
/* Divides a device (an ordinal or a part) into parts. Each part is a handle that contexts and properties take.
 * property is CL_DEVICE_PARTITION_EQUALLY (values: the compute units of each part), _BY_COUNTS (the compute units
 * of the first part, of the second, ...) or _BY_AFFINITY_DOMAIN (CL_DEVICE_AFFINITY_DOMAIN_*). devices_out may be
 * NULL to ask for their number alone. Refused where CL_DEVICE_PARTITION_PROPERTIES does not list the property. */
int32_t clue_device_partition(int32_t *devices_out, int32_t *count_out, int32_t capacity, int32_t id,
                              uint32_t property, const int64_t *values, int32_t value_count);

/* ---- contexts ---------------------------------------------------------------------------------------------------
 * A context has one device or several of one platform, and an in-order queue of its own on the first of them, which
 * profiles where the device can. Programs are built for all its devices, and what is made in it serves all of them.
 * Limits of memory and images are those of the device that has least.
 *
 * Where one of several devices is chosen, `device` is the ordinal or the part. The handle of what is asked about
 * (the context, the program, the kernel) in its place chooses the first one. */

/* devices: ordinals or parts, each once. */
int32_t clue_context_create(int32_t *context_out, const int32_t *devices, int32_t count);
/* The handle of the context's own queue, which lives as long as the context; the same one until it is freed. */
int32_t clue_context_queue(int32_t *queue_out, int32_t context);
/* Waits until everything enqueued in the context of this handle is done, in all of its queues. */
int32_t clue_context_finish(int32_t handle);
/* The same for all contexts. Call it before the process ends: a driver that is torn down while it works crashes or
 * drops the work, and atexit() comes too late for some. */
void clue_finish(void);

/* ---- programs ---------------------------------------------------------------------------------------------------
 * All but clue_program_compile() give a program that is built. `options` may be NULL; -cl-kernel-arg-info and what
 * CLUE_BUILD_OPTIONS holds are added, but for the linker. */

/* Builds from source, or takes the program from the cache of built programs (CLUE_CACHE_DIR, CLUE_NO_CACHE). */
int32_t clue_program_create(int32_t *program_out, int32_t context, const char *source, int64_t length,
                            const char *options);
/* Builds from what clue_program_binary() gave on the same device with the same driver. PoCL would die of one that
 * was cut or changed: its binaries have a checksum, and without it they are refused. rusticl builds from none. Most
 * binaries have no information about arguments: a number then needs a type (clue_kernel_set_number()). Refused in a
 * context over several devices. */
int32_t clue_program_from_binary(int32_t *program_out, int32_t context, const void *binary, int64_t size);
/* Builds from SPIR-V, where CL_DEVICE_IL_VERSION says that the device takes it. */
int32_t clue_program_from_il(int32_t *program_out, int32_t context, const void *il, int64_t size,
                             const char *options);
/* Compiles without linking; the program has neither kernels nor a binary. headers: what the source includes and is
 * no file, header_count pairs of name and text. */
int32_t clue_program_compile(int32_t *program_out, int32_t context, const char *source, int64_t length,
                             const char *options, const char *const *headers, int32_t header_count);
/* Links compiled programs into one; with -create-library into one that can be linked again. */
int32_t clue_program_link(int32_t *program_out, int32_t context, const int32_t *programs, int32_t count,
                          const char *options);

/* What the driver said when it built for a device, "" if nothing; valid until the next call for the program. For
 * the program in place of a device: the log of the device whose build failed, or of the first. */
int32_t clue_program_log(const char **log_out, int32_t program, int32_t device);
/* What the driver made of the program for a device, to be kept in a file: CL_PROGRAM_BINARIES (NVIDIA: PTX text),
 * for PoCL with a checksum at the end. */
int32_t clue_program_binary(int64_t *size_out, int32_t program, int32_t device, void *value, int64_t capacity);
/* The names of its kernels, "first;second". */
int32_t clue_program_kernels(const char **names_out, int32_t program);
/* 1 where it came from the cache of built programs, 0 where it was compiled. */
int32_t clue_program_cached(int32_t *cached_out, int32_t program);
/* The paths of the files that a source includes when it is built with these options and headers, as
 * clue_program_compile() takes them. Each path ends with a line break; valid until the next call. any_out: 1 where
 * the source includes something, found or not, else 0. */
int32_t clue_source_files(const char **files_out, int32_t *any_out, const char *source, int64_t length,
                          const char *options, const char *const *headers, int32_t header_count);

/* ---- kernels ------------------------------------------------------------------------------------------------- */

/* name: of one of the program's __kernel functions. */
int32_t clue_kernel_create(int32_t *kernel_out, int32_t program, const char *name);
/* That name again. */
int32_t clue_kernel_name(const char **name_out, int32_t kernel);
/* CL_KERNEL_ATTRIBUTES and its kin, as raw bytes. */
int32_t clue_kernel_info(int64_t *size_out, int32_t kernel, uint32_t property, void *value, int64_t capacity);
/* CL_KERNEL_WORK_GROUP_SIZE and its kin on a device, as raw bytes. */
int32_t clue_kernel_group_info(int64_t *size_out, int32_t kernel, int32_t device, uint32_t property, void *value,
                               int64_t capacity);

/* How many arguments it has. Then, of an argument counted from 0: its name and type ("float*"), "" where the driver
 * does not give them. */
int32_t clue_kernel_argument_count(int32_t *count_out, int32_t kernel);
int32_t clue_kernel_argument(const char **name_out, const char **type_out, int32_t kernel, int32_t index);
/* OpenCL's numbers: CL_KERNEL_ARG_ADDRESS_*, CL_KERNEL_ARG_ACCESS_* and the bits CL_KERNEL_ARG_TYPE_*; all 0 where
 * the driver does not give them. */
int32_t clue_kernel_argument_qualifiers(int32_t *address_out, int32_t *access_out, int32_t *type_out,
                                        int32_t kernel, int32_t index);

/* Types of elements and arguments. CLUE_AUTO: as the kernel's argument information says. */
enum {
    CLUE_AUTO = 0,
    CLUE_CHAR = 1,
    CLUE_UCHAR = 2,
    CLUE_SHORT = 3,
    CLUE_USHORT = 4,
    CLUE_INT = 5,
    CLUE_UINT = 6,
    CLUE_LONG = 7,
    CLUE_ULONG = 8,
    CLUE_HALF = 9,
    CLUE_FLOAT = 10,
    CLUE_DOUBLE = 11
};

/* Sets an argument to a number, converted to the type. A number that the type cannot hold (300 for uchar, 1.5 for
 * int) is refused. */
int32_t clue_kernel_set_number(int32_t kernel, int32_t index, int32_t type, double value);
/* Sets an argument to bytes, exactly as many as its type has. */
int32_t clue_kernel_set_bytes(int32_t kernel, int32_t index, const void *bytes, int64_t size);
/* Sets an argument to an object, which the kernel holds while it is the argument: a buffer or shared virtual memory
 * for a __global or __constant pointer, an image of the right kind for image2d_t and its kin, a sampler for
 * sampler_t. offset: where the kernel's pointer begins in shared virtual memory; 0 for all others. */
int32_t clue_kernel_set_object(int32_t kernel, int32_t index, int32_t object, int64_t offset);
/* Sets the size of a __local argument. */
int32_t clue_kernel_set_local(int32_t kernel, int32_t index, int64_t size);
/* Says which shared virtual memory executions reach through pointers that lie in memory, beside the arguments. The
 * kernel holds it until the next call, which replaces the list; OpenCL has no way to empty it. */
int32_t clue_kernel_set_svm_pointers(int32_t kernel, const int32_t *svms, int32_t count);

/* Enqueues the kernel on its context's own queue, and flushes. dimensions: 1 to 3; offset and local may be NULL. */
int32_t clue_kernel_execute(int32_t kernel, int32_t dimensions, const int64_t *offset, const int64_t *global,
                            const int64_t *local);
/* A good local size for a range of the kernel: the driver's own suggestion (*driver_out is 1) where it has
 * clGetKernelSuggestedLocalWorkSizeKHR and the kernel's arguments are set; else clue's: the required size if the
 * kernel has one, otherwise the largest groups of up to 256 work-items that divide the range and leave a group for
 * every compute unit. offset and global have three sizes each; a range of fewer dimensions has 1 for the others. */
int32_t clue_queue_suggested_local_size(int64_t *x_out, int64_t *y_out, int64_t *z_out, int32_t *driver_out,
                                        int32_t queue, int32_t kernel, const int64_t *offset,
                                        const int64_t *global);
/* OpenCL's status of the last execution, in whichever queue: 0 complete, also before the first; 1 running, 2
 * submitted, 3 queued. */
int32_t clue_kernel_status(int32_t *status_out, int32_t kernel);
/* Waits for the last execution. */
int32_t clue_kernel_wait(int32_t kernel);
/* The kernel that was enqueued last, by whichever function. Returns how many executions there were so far.
 * *kernel_out is 0 before the first one, *name_out NULL where the kernel was freed since. */
int64_t clue_kernel_newest(int32_t *kernel_out, const char **name_out);

/* Whose clock a time is from: the device's profiling timer, or the host's where that one cannot be trusted. */
enum { CLUE_CLOCK_DEVICE = 0, CLUE_CLOCK_HOST = 1 };

/* How long the last execution took; waits for it. */
int32_t clue_kernel_time(double *seconds_out, int32_t *clock_out, int32_t kernel);
/* Adds up all kernel executions between the two calls, in all queues; the second one waits for them. */
int32_t clue_profile_start(void);
int32_t clue_profile_stop(double *seconds_out, int32_t *clock_out, int32_t *executions_out);

/* ---- memory: buffers --------------------------------------------------------------------------------------------
 * `flags` are CL_MEM_READ_WRITE and its kin. */

/* The bytes of a buffer, of shared virtual memory, or of all an image's pixels side by side. */
int32_t clue_memory_size(int64_t *size_out, int32_t memory);

/* A buffer without contents, of 1 byte at least. */
int32_t clue_buffer_create(int32_t *buffer_out, int32_t context, int64_t size, int64_t flags);
/* A buffer with contents, copied from the host's memory (CL_MEM_COPY_HOST_PTR is added to the flags). */
int32_t clue_buffer_create_from(int32_t *buffer_out, int32_t context, const void *data, int64_t size,
                                int64_t flags);
/* A buffer in host memory that clue_array_allocate() gave (CL_MEM_USE_HOST_PTR is added). The contents belong to
 * whoever has the buffer mapped, or else to the device. The memory is the library's from here on, by the handle in
 * *memory: 0 before, or the handle from an earlier buffer in the same memory. The memory is freed when that handle
 * is and when all buffers in it are gone, with the commands that use them. */
int32_t clue_buffer_create_in(int32_t *buffer_out, int32_t *memory, int32_t context, void *data, int64_t size,
                              int64_t flags);
/* A sub-buffer: a part of a buffer by another handle, in the same memory. offset is a multiple of
 * CL_DEVICE_MEM_BASE_ADDR_ALIGN, which counts bits. The flags allow no more than the buffer's own (0: the same).
 * The part holds the buffer. Of overlapping parts, only one may be written at a time. */
int32_t clue_buffer_create_sub(int32_t *buffer_out, int32_t buffer, int64_t flags, int64_t offset, int64_t size);
/* Where a sub-buffer begins in its buffer; 0 for other buffers. */
int32_t clue_buffer_offset(int64_t *offset_out, int32_t buffer);
/* Copy between the host's memory and a buffer on the context's own queue; both return when that is done. */
int32_t clue_buffer_write(int32_t buffer, int64_t offset, const void *data, int64_t size);
int32_t clue_buffer_read(void *data_out, int32_t buffer, int64_t offset, int64_t size);

/* ---- memory: shared virtual memory ------------------------------------------------------------------------------
 * Memory at one address for the host and the devices of a context, so that pointers into it may lie in it. It is
 * freed when its handle is and no command uses it any more. Coarse-grained memory is the host's only while it is
 * mapped; fine-grained memory (CL_MEM_SVM_FINE_GRAIN_BUFFER) is both's at any time. */

/* flags: one of CL_MEM_READ_WRITE and its kin; CL_MEM_SVM_FINE_GRAIN_BUFFER, and with it CL_MEM_SVM_ATOMICS.
 * Refused where CL_DEVICE_SVM_CAPABILITIES of one of the context's devices lacks what they ask for. */
int32_t clue_svm_create(int32_t *svm_out, int32_t context, int64_t size, int64_t flags);
/* The same with contents, copied from the host's memory on the context's own queue. */
int32_t clue_svm_create_from(int32_t *svm_out, int32_t context, const void *data, int64_t size, int64_t flags);
/* The flags that it was made with. */
int32_t clue_svm_flags(int64_t *flags_out, int32_t svm);
/* The host's view of a part of fine-grained memory, at once and without a queue. It is a mapping that excludes
 * nothing; freeing it ends it. */
int32_t clue_svm_view(void **data_out, int32_t *mapping_out, int32_t svm, int64_t offset, int64_t size);

/* ---- memory: images and samplers ----------------------------------------------------------------------------- */

/* type is CL_MEM_OBJECT_IMAGE1D or one of its kin; order and channel are OpenCL's (CL_RGBA, CL_FLOAT). Sizes are in
 * pixels and layers; those that the type does not have are 0. */
typedef struct clue_image_shape {
    uint32_t type, order, channel;
    int32_t buffer; /* where the pixels of a 1-D buffer image lie, and those of a 2-D image may; 0: in none */
    int64_t width, height, depth, array_size;
    int64_t row_pitch; /* of a 2-D image in a buffer, bytes from row to row; 0: side by side */
} clue_image_shape;

/* A format that the devices do not have for these flags is refused with a list of those that they have. */
int32_t clue_image_create(int32_t *image_out, int32_t context, int64_t flags, const clue_image_shape *shape);
/* An image with pixels, copied from the host's memory; then one that lies in it, as clue_buffer_create_in() has it.
 * The memory has exactly all pixels, side by side; the shape names no buffer. */
int32_t clue_image_create_from(int32_t *image_out, int32_t context, const void *data, int64_t size, int64_t flags,
                               const clue_image_shape *shape);
int32_t clue_image_create_in(int32_t *image_out, int32_t *memory, int32_t context, void *data, int64_t size,
                             int64_t flags, const clue_image_shape *shape);
/* The shape that it was made with. */
int32_t clue_image_shape_of(clue_image_shape *shape_out, int32_t image);
/* The formats that the context's devices have for images of a type and flags: raw bytes, pairs of uint32_t, order
 * and channel. None on a device without images. */
int32_t clue_image_formats(int64_t *size_out, int32_t context, int64_t flags, uint32_t type, void *value,
                           int64_t capacity);

/* How kernels read images. normalized: 1 for coordinates from 0 to 1, which CL_ADDRESS_REPEAT and
 * CL_ADDRESS_MIRRORED_REPEAT need; 0 for pixels. addressing: CL_ADDRESS_*, what lies beyond an image's edges.
 * filter: CL_FILTER_*. */
int32_t clue_sampler_create(int32_t *sampler_out, int32_t context, int32_t normalized, uint32_t addressing,
                            uint32_t filter);

/* ---- queues -----------------------------------------------------------------------------------------------------
 * Queues beside the context's own. A queue is in order unless it was made out of order. Commands on two queues may
 * run at once, and neither queue waits for the other: let the second one wait for an event of the first
 * (clue_queue_wait_for), or finish a queue before another one uses the results. Freeing a queue waits for its work,
 * but not for what waits for a user event: that goes on without the handle.
 *
 * What comes behind a failed command in a queue in order fails, too: its event does. What the host waits for at
 * once (a transfer, a mapping) is refused there with the failed command's name, once; then the queue serves on. Out
 * of order, the same goes for what comes behind a barrier. */

/* device: one of the context's, or the context for the first. properties: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
 * refused where the device has no such queues; CL_QUEUE_PROFILING_ENABLE, dropped where it cannot profile; both, or
 * 0. */
int32_t clue_queue_create(int32_t *queue_out, int32_t context, int32_t device, int64_t properties);
/* Waits for everything enqueued, also by way of the driver's own handle (clue_handle_pointer). Fails where a
 * command failed that the queue has not reported before. */
int32_t clue_queue_finish(int32_t queue);
/* Has the driver begin with what was enqueued. */
int32_t clue_queue_flush(int32_t queue);
/* Names the events, of the queue's context, that the next command on the queue waits for before it begins; 0 of
 * them: none. That command takes the list whether it succeeds or not. A wait that could never end, since it is for
 * a user event that the waiting host would have to set, is refused here as in every wait (CL_INVALID_OPERATION). */
int32_t clue_queue_wait_for(int32_t queue, const int32_t *events, int32_t count);
/* Commands that do nothing: complete when what they wait for is, or without a list when all that was enqueued
 * before is. What is enqueued behind a barrier waits for it, too. */
int32_t clue_queue_marker(int32_t *event_out, int32_t queue);
int32_t clue_queue_barrier(int32_t *event_out, int32_t queue);
/* As clue_kernel_execute(), on any queue of the kernel's context. */
int32_t clue_queue_execute(int32_t *event_out, int32_t queue, int32_t kernel, int32_t dimensions,
                           const int64_t *offset, const int64_t *global, const int64_t *local);

/* ---- queues: commands on memory ---------------------------------------------------------------------------------
 * `memory` is a buffer or shared virtual memory; the handle's kind decides which of OpenCL's calls is made. */

/* Both return when the copy is done, and with it, in a queue in order, everything enqueued before. With an
 * event_out they return at once: the host's memory must stay where it is until the event is complete
 * (clue_array_settle). */
int32_t clue_queue_write(int32_t *event_out, int32_t queue, int32_t memory, int64_t offset, const void *data,
                         int64_t size);
int32_t clue_queue_read(int32_t *event_out, void *data_out, int32_t queue, int32_t memory, int64_t offset,
                        int64_t size);
/* Copies between two places of one kind of memory that do not overlap; returns at once. */
int32_t clue_queue_copy(int32_t *event_out, int32_t queue, int32_t from, int64_t from_offset, int32_t to,
                        int64_t to_offset, int64_t size);
/* Repeats a pattern of 1, 2, 4, ... or 128 bytes, of which offset and size are multiples; returns at once. */
int32_t clue_queue_fill(int32_t *event_out, int32_t queue, int32_t memory, int64_t offset, int64_t size,
                        const void *pattern, int64_t pattern_size);
/* Brings memory to the queue's device before a command there needs it; returns at once. objects: buffers and
 * images, or else shared virtual memory, where the device has OpenCL 2.1. flags: CL_MIGRATE_MEM_OBJECT_HOST (to the
 * host instead), CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED (the contents may be lost), both, or 0. */
int32_t clue_queue_migrate(int32_t *event_out, int32_t queue, const int32_t *objects, int32_t count, int64_t flags);
/* The host's view of a part, until it is unmapped; returns when it is there. flags: CL_MAP_READ and CL_MAP_WRITE,
 * or CL_MAP_WRITE_INVALIDATE_REGION. The mapping is a handle that holds the memory; freeing it unmaps, too, and
 * waits. What would go against a mapping is refused: kernels and transfers where memory is mapped for writing,
 * writes where it is mapped for reading. Mappings of fine-grained memory exclude nothing. */
int32_t clue_queue_map(void **data_out, int32_t *mapping_out, int32_t queue, int32_t memory, int64_t flags,
                       int64_t offset, int64_t size);
/* Ends a mapping, an image's too; returns at once. */
int32_t clue_queue_unmap(int32_t queue, int32_t mapping);

/* A box of bytes: rows of region[0] bytes, region[1] rows in a slice, region[2] slices. It is read at one place and
 * written at another. Origins count bytes, rows and slices; pitches are the bytes from row to row and from slice to
 * slice (0: side by side). */
typedef struct clue_rect {
    int64_t region[3];
    int64_t from_origin[3], from_row_pitch, from_slice_pitch;
    int64_t to_origin[3], to_row_pitch, to_slice_pitch;
} clue_rect;

/* As the transfers and the copy above, of a box and for buffers only. size: of all the host's memory. */
int32_t clue_queue_write_rect(int32_t *event_out, int32_t queue, int32_t buffer, const void *data, int64_t size,
                              const clue_rect *rect);
int32_t clue_queue_read_rect(int32_t *event_out, void *data_out, int32_t queue, int32_t buffer, int64_t size,
                             const clue_rect *rect);
int32_t clue_queue_copy_rect(int32_t *event_out, int32_t queue, int32_t from, int32_t to, const clue_rect *rect);

/* ---- queues: commands on images ---------------------------------------------------------------------------------
 * The pixels of a 1-D buffer image are its buffer's bytes. These commands refuse such an image: use its buffer. */

/* A part of an image, in pixels; where there are layers, they are counted along the axis behind the image's own. In
 * the host's memory the pixels have so many bytes from row to row and from slice to slice (0: side by side). */
typedef struct clue_image_part {
    int64_t origin[3], region[3], row_pitch, slice_pitch;
} clue_image_part;

/* As the transfers of a buffer. part: NULL for all of the image. The host's memory has exactly the bytes of the
 * part, or with pitches no less. */
int32_t clue_queue_write_image(int32_t *event_out, int32_t queue, int32_t image, const void *data, int64_t size,
                               const clue_image_part *part);
int32_t clue_queue_read_image(int32_t *event_out, void *data_out, int32_t queue, int32_t image, int64_t size,
                              const clue_image_part *part);
/* The following three copy and return at once. An origin may be NULL for the first pixel, region NULL for all from
 * there on. In a buffer the pixels lie side by side. */
int32_t clue_queue_copy_image(int32_t *event_out, int32_t queue, int32_t from, int32_t to,
                              const int64_t *from_origin, const int64_t *to_origin, const int64_t *region);
int32_t clue_queue_copy_image_to_buffer(int32_t *event_out, int32_t queue, int32_t image, int32_t buffer,
                                        const int64_t *origin, const int64_t *region, int64_t offset);
int32_t clue_queue_copy_buffer_to_image(int32_t *event_out, int32_t queue, int32_t buffer, int32_t image,
                                        int64_t offset, const int64_t *origin, const int64_t *region);
/* Fills with a colour of four components, whatever the image's channels; otherwise as the copies. */
int32_t clue_queue_fill_image(int32_t *event_out, int32_t queue, int32_t image, const double *colour,
                              const int64_t *origin, const int64_t *region);
/* As clue_queue_map(). The mapping's pitches are written to the part, its bytes to *size_out. */
int32_t clue_queue_map_image(void **data_out, int64_t *size_out, int32_t *mapping_out, int32_t queue, int32_t image,
                             int64_t flags, clue_image_part *part);

/* ---- events -------------------------------------------------------------------------------------------------- */

/* The status of the event's command, a wait for it, and how long it took: as clue_kernel_status(), _wait(), _time()
 * have it of a kernel's last execution. */
int32_t clue_event_status(int32_t *status_out, int32_t event);
int32_t clue_event_wait(int32_t event);
int32_t clue_event_time(double *seconds_out, int32_t *clock_out, int32_t event);

enum { CLUE_QUEUED = 0, CLUE_SUBMITTED = 1, CLUE_STARTED = 2, CLUE_ENDED = 3 };

/* When the command came to one of these states, by the device's timer, in seconds since a moment that is the same
 * for all events of a device and its parts; waits for the end. Refused (CL_PROFILING_INFO_NOT_AVAILABLE) where
 * there is no timer to be believed. */
int32_t clue_event_moment(double *seconds_out, int32_t event, int32_t moment);

/* A user event is an event that commands wait for and that the host sets: once, to 0 (CL_COMPLETE) or to a failure,
 * a number below 0 that passes to what waits for it. One that is freed before fails with CL_INVALID_EVENT. */
int32_t clue_user_event_create(int32_t *event_out, int32_t context);
int32_t clue_user_event_set(int32_t event, int32_t status);

/* ---- capture, trace, and what is going on -------------------------------------------------------------------- */

/* Keeps one execution of a kernel of this name, the call'th from now on (counted from 1), in a folder that is made
 * then, or is there and empty. The folder gets kernel.cl; the buffers and images before and after as
 * argN.before.npy and argN.after.npy; call.lua, a Lua table of the rest; and a copy of script (NULL: none) as
 * replay.lua. A new capture takes the place of one that has not come about. What keeps an execution from being
 * captured is said on stderr; it takes place all the same. */
int32_t clue_capture(const char *kernel, int64_t call, const char *folder, const char *script);

/* Records OpenCL calls and commands in a file, as CLUE_TRACE=FOLDER does for a whole run. Where that is on, they go
 * on in its file and no other is made: *file_out is the file that they go to. Queues that were made without
 * profiling have the host's clock only. */
int32_t clue_trace_start(const char **file_out, const char *path);
/* Waits for what was enqueued, but not for what waits for user events, and writes it all to the file. */
int32_t clue_trace_stop(void);

/* What the library waits for at this moment ("kernel 'f'"), NULL when it does not wait. For signal handlers. */
const char *clue_waiting(void);
/* For handlers of signals that end the process (SIGSEGV): writes which kernels may have been running and how to
 * find the fault; where there are none, what the library waits for; else nothing. */
void clue_crash_tell(int32_t descriptor, const char *signal);

/* ---- arrays: typed memory of the host, and bulk work on it ------------------------------------------------------
 * `type` is CLUE_CHAR to CLUE_DOUBLE; counts are elements. */

int64_t clue_type_size(int32_t type);     /* bytes of one element, 0 for an unknown type */
const char *clue_type_name(int32_t type); /* OpenCL's name, "uchar" */

/* Zeroed, and aligned to a page so that a CPU device can use it in place; NULL when memory is exhausted. */
void *clue_array_allocate(int64_t bytes);
/* Frees that memory; NULL is allowed. */
void clue_array_free(void *data);
/* For bindings, whose collector knows nothing of this memory: 1 where so many bytes more call for a collection
 * first; clue_array_collected() says that one was made. */
int32_t clue_array_crowded(int64_t bytes);
void clue_array_collected(void);
/* Waits for the transfers that use this memory and were not waited for, before it is freed or moved; returns at
 * once where there are none. Fails only where that could never end, since one waits for a user event that is not
 * set. */
int32_t clue_array_settle(const void *data, int64_t size);

/* One element to and from a double, rounded to nearest. Storing returns 1 if the type holds the value, else 0 and
 * stores nothing. */
int32_t clue_element_store(void *element_out, int32_t type, double value);
double clue_element_load(const void *element, int32_t type);
/* The same by way of decimal text, exact for every 64-bit value. text_out has room for 32 characters. */
int32_t clue_element_parse(void *element_out, int32_t type, const char *text);
int32_t clue_element_print(char *text_out, const void *element, int32_t type);

/* Sets all elements; 1, or 0 where the type cannot hold the value. */
int32_t clue_array_fill(void *data_out, int32_t type, int64_t count, double value);
/* Random elements, uniform in [low, high), for integer types whole numbers in [low, high]. One seed gives one
 * sequence everywhere. 1, or 0 where the type cannot hold the bounds or low is above high. */
int32_t clue_array_random(void *data_out, int32_t type, int64_t count, double low, double high, double seed);
/* Converts between types; the index of the first element that the target cannot hold, else -1. */
int64_t clue_array_convert(void *data_out, int32_t type, const void *source, int32_t source_type, int64_t count);
/* The first index where two arrays differ by more than tolerance (NaN differs from all but NaN), else -1. */
int64_t clue_array_compare(const void *left, const void *right, int32_t type, int64_t count, double tolerance);
/* The sum of all elements. */
double clue_array_sum(const void *data, int32_t type, int64_t count);
/* The indexes of the least and the greatest element, the first of equal ones, -1 where there is none; NaN is
 * neither. Returns how many elements are NaN. */
int64_t clue_array_extremes(int64_t *least_out, int64_t *greatest_out, const void *data, int32_t type,
                            int64_t count);
/* Reverses the bytes of each element, from and to the other byte order; 0 for an unknown type, else 1. */
int32_t clue_array_swap(void *data, int32_t type, int64_t count);
/* rows x columns by rows become columns x rows by rows, in memory that does not overlap; 0 for an unknown type,
 * else 1. */
int32_t clue_array_transpose(void *data_out, const void *source, int32_t type, int64_t rows, int64_t columns);

/* ---- files --------------------------------------------------------------------------------------------------- */

/* Refuses a path that leads to a folder, a FIFO, a socket or a device, without opening it. A file passes, and so do
 * a path that leads nowhere and what the process was given (/dev/stdin, /dev/fd/3, /proc/...). */
int32_t clue_file_check(const char *path);
/* Makes a file to write in place of the one at a path: when it is whole, rename *made_out to *target_out, which is
 * where the path's links lead to. It has the mode of the file that is there. Where the path is to be written into
 * (a FIFO, a device, a file of several names), both are the same and no file is made. Valid until the next call. */
int32_t clue_file_beside(const char **made_out, const char **target_out, const char *path);
/* A new, empty folder in TMPDIR or /tmp. It is removed with all that is in it when the process ends by exit(), by
 * clue_temporary_remove(), or by a signal whose handler calls clue_temporary_remove_all(). Valid until then. */
int32_t clue_temporary_folder(const char **path_out);
/* Removes such a folder, or a file of clue_file_beside(). */
void clue_temporary_remove(const char *path);
/* Removes all of them; async-signal-safe. */
void clue_temporary_remove_all(void);

/* PNG files of 8 bits a sample, rows from the top, 1 to 4 channels: grey, grey and alpha, RGB, RGBA. The first call
 * loads libpng. */

/* Fails where the file has 16 bits a sample. */
int32_t clue_png_size(int32_t *width_out, int32_t *height_out, int32_t *channels_out, const char *path);
/* size: width x height x channels, as clue_png_size() gives them. */
int32_t clue_png_read(void *pixels_out, int64_t size, const char *path);
/* Writes pixels that lie side by side, channels samples each. */
int32_t clue_png_write(const char *path, const void *pixels, int32_t channels, int32_t width, int32_t height);

/* ---- time, processors, terminal ------------------------------------------------------------------------------ */

double clue_clock_now(void);                      /* seconds of a monotonic clock */
void clue_clock_sleep(double seconds);            /* a signal ends it early */
int32_t clue_processor_count(void);               /* cores that the system runs threads on, 256 at most */
int32_t clue_terminal_width(int32_t descriptor);  /* columns; 0 where it is no terminal */
int32_t clue_terminal_colour(int32_t descriptor); /* 1: a terminal, TERM not dumb, NO_COLOR not set; else 0 */

/* A text of others, safe to show: \x1b and so on in place of control characters and of what is no UTF-8; line
 * breaks and tabs stay. out has room for 4 * size + 1 bytes. Returns the bytes without the NUL behind them. */
int64_t clue_text_visible(char *out, const char *text, int64_t size);

/* ---- child processes --------------------------------------------------------------------------------------------
 * A child is a small number from 0. It runs in a process group of its own and ends with the host. */

/* At either limit (0: none) the child is killed, with its group. */
typedef struct clue_child_options {
    const char *const *arguments;   /* NULL-ended; [0] is the program's path */
    const char *const *environment; /* NULL-ended "NAME=VALUE" additions, may be NULL */
    double seconds;                 /* limit of wall time */
    double memory;                  /* limit of resident bytes, all processes of the group */
    int32_t result_descriptor; /* > 2: a pipe at this number in the child, read as CLUE_STREAM_RESULT; 0: none */
    int32_t input;             /* 1: its standard input is what clue_child_send() sends; 0: empty */
    int32_t foreground; /* 1: it has the host's input, output and group, and Ctrl-C to itself, one at a time */
} clue_child_options;

enum { CLUE_STREAM_OUT = 1, CLUE_STREAM_ERR = 2, CLUE_STREAM_RESULT = 3 };
enum {
    CLUE_CHILD_RUNNING = 0,
    CLUE_CHILD_EXITED = 1,    /* value: the exit status */
    CLUE_CHILD_SIGNALLED = 2, /* value: the signal that killed it */
    CLUE_CHILD_TIMEOUT = 3,
    CLUE_CHILD_MEMORY = 4
};

/* Starts a child and returns its number; -1 on failure, recorded in clue_error_*(). */
int32_t clue_child_start(const clue_child_options *options);
/* Waits up to `seconds` for output or the end; CLUE_CHILD_*. All output is there once it is not RUNNING. A signal
 * ends the wait early. Limits are kept while a wait is going on, for whichever child. A child that nobody waits for
 * blocks when 16 MiB of its output pile up. What it left running in its group is killed when it ends. */
int32_t clue_child_wait(int32_t child, double seconds);
/* The value that goes with CLUE_CHILD_*; 0 while it runs and after a limit. */
int32_t clue_child_value(int32_t child);
/* What came on a stream since the last take; returns its bytes. Valid until the next call for this child. */
int64_t clue_child_take(const char **data_out, int32_t child, int32_t stream);
/* Sends to the child's standard input; returns how many bytes it took, 0 where it is full or no longer read, < 0
 * where the child has no such input. data NULL ends the input. */
int64_t clue_child_send(int32_t child, const char *data, int64_t size);
/* Sets a new limit of wall time, counted from now (0: none). */
void clue_child_limit(int32_t child, double seconds);
/* Kills the child's group. */
void clue_child_kill(int32_t child);
/* Frees the number; kills the child's group if it still runs. */
void clue_child_close(int32_t child);
/* Kills all children's groups; async-signal-safe. exit() does it by itself. */
void clue_child_kill_all(void);
/* cdef end */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif

/* clue.h - the whole C interface of libclue: OpenCL behind handles, and what a script host needs beside it.
 *
 * The text between the two cdef markers is plain C without preprocessor lines: compilers read it as a header and
 * LuaJIT's ffi.cdef reads the same text, embedded at build time. CLUE_ABI is compared when a binding loads.
 *
 * Every call that can fail returns 0 or a negative OpenCL error code; what happened stands in clue_error_*() until
 * the next failure. Results come first, as parameters named *_out, and are written on success only.
 * Sizes and offsets are bytes and signed, so that a negative number from a script is found and not wrapped.
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
enum { CLUE_ABI = 4 };
int32_t clue_abi(void);

/* ---- errors: the record of the last failure ------------------------------------------------------------------ */

/* Why a call failed, where the OpenCL code alone does not tell. */
enum {
    CLUE_CAUSE_DRIVER = 0,    /* OpenCL itself refused */
    CLUE_CAUSE_HANDLE = 1,    /* a handle that is stale, was never given, or is of another kind */
    CLUE_CAUSE_PARAMETER = 2, /* a value that cannot be right, whatever the device */
    CLUE_CAUSE_SIZE = 3,      /* a size below 0, 0 where that means nothing, or past the end */
    CLUE_CAUSE_OFFSET = 4,    /* an offset below 0 or past the end */
    CLUE_CAUSE_DEVICE = 5,    /* no such device */
    CLUE_CAUSE_MEMORY = 6,    /* the host's memory is exhausted */
    CLUE_CAUSE_FULL = 7,      /* the handle table is full */
    CLUE_CAUSE_LIMIT = 8      /* more than the device or the kernel allows */
};

int32_t clue_error_code(void);       /* the OpenCL code, 0 when nothing failed since clue_error_clear() */
int32_t clue_error_cause(void);      /* CLUE_CAUSE_* */
const char *clue_error_call(void);   /* the OpenCL function, "clEnqueueNDRangeKernel" */
const char *clue_error_detail(void); /* what the user can do about it, may be "" */
const char *clue_error_text(void);   /* "clSetKernelArg: CL_INVALID_ARG_INDEX (-49): detail" */
const char *clue_error_log(void);    /* the build log, with source lines and carets, when a build failed; else "" */
void clue_error_clear(void);
const char *clue_error_name(int32_t code); /* "CL_INVALID_VALUE"; NULL for a code OpenCL does not define */

/* ---- handles ---------------------------------------------------------------------------------------------------
 * A handle is 65536 or more (device ordinals stay below) and is stale for good once freed. What lies behind it
 * lives on while something uses it. */

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

int32_t clue_handle_kind(int32_t handle); /* CLUE_NONE for anything that is no live handle */
int32_t clue_handle_count(void);          /* how many handles are live */
int32_t clue_handle_next(int32_t handle); /* the next live handle after this one (0: the first), 0 at the end */
int32_t clue_handle_free(int32_t handle, int32_t kind); /* kind: what the handle must be; CLUE_NONE: anything */
/* The handle of what it was made from (a kernel's program, a sub-buffer's buffer, a context otherwise); 0 where
 * that was freed, or there is none. */
int32_t clue_handle_parent(int32_t *parent_out, int32_t handle);

/* OpenCL's own object behind a handle, a cl_context for a context, the memory itself for shared virtual memory; a
 * device's ordinal is taken, too. It is
 * borrowed: clRetain...() it to keep it longer than the handle's owner does. kind: CLUE_NONE: what the handle
 * stands for, or CLUE_DEVICE, CLUE_CONTEXT: what it belongs to; CLUE_QUEUE of a context: the one that its MQL5
 * calls use. */
int32_t clue_handle_pointer(void **pointer_out, int32_t id, int32_t kind);

/* ---- platforms and devices -------------------------------------------------------------------------------------
 * A device is named by its ordinal, counted from 0 over all platforms in the loader's order. Where an `id` is
 * taken, it is an ordinal or any handle, which then means the device of its context. */

const char *clue_loader_name(void); /* "OpenCL Loader 2.3.1"; "" where the loader does not tell */
int32_t clue_platform_count(int32_t *count_out);
int32_t clue_device_count(int32_t *count_out);
int32_t clue_device_locate(int32_t *platform_out, int32_t *index_out, int32_t ordinal);
int32_t clue_device_of(int32_t *ordinal_out, int32_t id);
/* OpenCL's own property numbers and raw bytes. value may be NULL: then only the size is told. */
int32_t clue_platform_info(int64_t *size_out, int32_t platform, uint32_t property, void *value, int64_t capacity);
int32_t clue_device_info(int64_t *size_out, int32_t id, uint32_t property, void *value, int64_t capacity);

/* Divides a device into parts, each a handle that contexts can be made on and properties asked of. property is
 * CL_DEVICE_PARTITION_EQUALLY (values: the compute units of each part), _BY_COUNTS (the compute units of the first,
 * the second, ...) or _BY_AFFINITY_DOMAIN (CL_DEVICE_AFFINITY_DOMAIN_*). devices_out may be NULL: then only their
 * number is told. Refused where CL_DEVICE_PARTITION_PROPERTIES does not have it. id: an ordinal or a part. */
int32_t clue_device_partition(int32_t *devices_out, int32_t *count_out, int32_t capacity, int32_t id,
                              uint32_t property, const int64_t *values, int32_t value_count);

/* ---- contexts, programs, kernels -------------------------------------------------------------------------------
 */

/* A context on one device (an ordinal or a part) with an in-order queue of its own that profiles where the device
 * can. */
int32_t clue_context_create(int32_t *context_out, int32_t device);
/* The same over several devices of one platform, each once. Programs are built for all of them; what is made in it
 * serves all; its own queue is on the first. Limits of memory and images are those of the device that has least. */
int32_t clue_context_create_over(int32_t *context_out, const int32_t *devices, int32_t count);
/* Waits until everything enqueued in the context of this handle is done, in all of its queues. */
int32_t clue_context_finish(int32_t handle);
/* The same for all there are. To be called before the process ends: drivers crash or drop the work when they are
 * torn down under it, and atexit() comes too late for some. */
void clue_finish(void);

/* Builds from source with options (may be NULL), -cl-kernel-arg-info, and what CLUE_BUILD_OPTIONS adds. */
int32_t clue_program_create(int32_t *program_out, int32_t context, const char *source, int64_t length,
                            const char *options);
int32_t clue_program_log(const char **log_out, int32_t program);       /* what the driver said, "" if nothing */
int32_t clue_program_kernels(const char **names_out, int32_t program); /* "first;second" */
/* What it said for one of several devices; valid until the next call for the program. The call above has the log of
 * the device whose build failed, or of the first. */
int32_t clue_program_log_on(const char **log_out, int32_t program, int32_t device);

/* The paths of the files that a source includes as it would be built with these options (they and headers as for
 * clue_program_compile()), each ended by a line break; valid until the next call. any_out: 1 where it includes
 * something, found or not, else 0. */
int32_t clue_source_files(const char **files_out, int32_t *any_out, const char *source, int64_t length,
                          const char *options, const char *const *headers, int32_t header_count);

/* 1 where it was not compiled but came from the cache of built programs (CLUE_CACHE_DIR, CLUE_NO_CACHE), else 0. */
int32_t clue_program_cached(int32_t *cached_out, int32_t program);

/* What the driver made of the program, to be kept in a file: CL_PROGRAM_BINARIES of its device (NVIDIA: PTX text),
 * for PoCL with a checksum at the end. value may be NULL: then only the size is told. */
int32_t clue_program_binary(int64_t *size_out, int32_t program, void *value, int64_t capacity);
/* The same for one of several devices; the call above takes the first. */
int32_t clue_program_binary_on(int64_t *size_out, int32_t program, int32_t device, void *value, int64_t capacity);
/* Builds from what clue_program_binary() gave on the same device with the same driver. PoCL would die of one that
 * was cut or changed: without its checksum it is refused. rusticl builds from none. Most binaries tell nothing of
 * kernels' arguments: numbers for them need a type (clue_kernel_set_number()). A context over several devices takes
 * none. */
int32_t clue_program_from_binary(int32_t *program_out, int32_t context, const void *binary, int64_t size);

/* Builds from an intermediate language, SPIR-V, where CL_DEVICE_IL_VERSION says that the device takes it. */
int32_t clue_program_from_il(int32_t *program_out, int32_t context, const void *il, int64_t size,
                             const char *options);

/* Compiles and does not link: options as for clue_program_create(); headers: name, text, name, text, ... of what
 * the source includes and is no file, header_count pairs. The program has neither kernels nor a binary. */
int32_t clue_program_compile(int32_t *program_out, int32_t context, const char *source, int64_t length,
                             const char *options, const char *const *headers, int32_t header_count);
/* Links compiled programs into one; with -create-library into one that can be linked again. options are the
 * linker's, and CLUE_BUILD_OPTIONS does not count. */
int32_t clue_program_link(int32_t *program_out, int32_t context, const int32_t *programs, int32_t count,
                          const char *options);

int32_t clue_kernel_create(int32_t *kernel_out, int32_t program, const char *name);
int32_t clue_kernel_name(const char **name_out, int32_t kernel);
int32_t clue_kernel_argument_count(int32_t *count_out, int32_t kernel);
/* Type as the driver tells it ("float*", "" where it does not); name likewise. */
int32_t clue_kernel_argument(const char **name_out, const char **type_out, int32_t kernel, int32_t index);
/* OpenCL's numbers: CL_KERNEL_ARG_ADDRESS_*, CL_KERNEL_ARG_ACCESS_* and the bits CL_KERNEL_ARG_TYPE_*. Where the
 * driver does not tell the address is 0, and so are the others then. */
int32_t clue_kernel_argument_qualifiers(int32_t *address_out, int32_t *access_out, int32_t *type_out,
                                        int32_t kernel, int32_t index);
/* CL_KERNEL_ATTRIBUTES and its kin, raw bytes. value may be NULL: then only the size is told. */
int32_t clue_kernel_info(int64_t *size_out, int32_t kernel, uint32_t property, void *value, int64_t capacity);
/* CL_KERNEL_WORK_GROUP_SIZE and its kin, raw bytes, for the context's device. */
/* CL_KERNEL_WORK_GROUP_SIZE and its kin, raw bytes, for the context's first device; then for another of them. */
int32_t clue_kernel_group_info(int64_t *size_out, int32_t kernel, uint32_t property, void *value, int64_t capacity);
int32_t clue_kernel_group_info_on(int64_t *size_out, int32_t kernel, int32_t device, uint32_t property, void *value,
                                  int64_t capacity);

/* Element and argument types. CLUE_AUTO: as the kernel's argument information says. */
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

/* A number is converted to the type; one that the type cannot hold (300 for uchar, 1.5 for int) is refused. */
int32_t clue_kernel_set_number(int32_t kernel, int32_t index, int32_t type, double value);
int32_t clue_kernel_set_bytes(int32_t kernel, int32_t index, const void *bytes, int64_t size);
int32_t clue_kernel_set_buffer(int32_t kernel, int32_t index, int32_t buffer);
/* A 2-D image for image2d_t, a 3-D image for image3d_t, and so on. */
int32_t clue_kernel_set_image(int32_t kernel, int32_t index, int32_t image);
int32_t clue_kernel_set_sampler(int32_t kernel, int32_t index, int32_t sampler);
int32_t clue_kernel_set_local(int32_t kernel, int32_t index, int64_t size);

/* Enqueues on the context's own queue, and flushes. dimensions 1 to 3; offset and local may be NULL. */
int32_t clue_kernel_execute(int32_t kernel, int32_t dimensions, const int64_t *offset, const int64_t *global,
                            const int64_t *local);
/* The last execution, in whichever queue: OpenCL's status (0 complete, 1 running, 2 submitted, 3 queued); complete
 * if there was none.
 */
int32_t clue_kernel_status(int32_t *status_out, int32_t kernel);
int32_t clue_kernel_wait(int32_t kernel);
/* The kernel that was enqueued last, by whichever function: how many executions there were so far, its handle (0
 * before the first) and its name, NULL where it was freed since; the name is valid as long as the kernel is. */
int64_t clue_kernel_newest(int32_t *kernel_out, const char **name_out);

/* Which clock a time comes from: the device's profiling timer, or the host's where that one cannot be trusted. */
enum { CLUE_CLOCK_DEVICE = 0, CLUE_CLOCK_HOST = 1 };
/* Seconds the last execution took; waits for it. */
int32_t clue_kernel_time(double *seconds_out, int32_t *clock_out, int32_t kernel);
/* Adds up every kernel execution between the two calls, in all queues; stop waits for them. */
int32_t clue_profile_start(void);
int32_t clue_profile_stop(double *seconds_out, int32_t *clock_out, int32_t *executions_out);

/* ---- capture ---------------------------------------------------------------------------------------------------
 */

/* Keeps one execution of a kernel of this name, the call'th from now on (counted from 1), in a folder, which is
 * made then and may be there if it is empty: kernel.cl, the buffers and images before and after as argN.before.npy
 * and argN.after.npy, and call.lua, a Lua table of the rest; a copy of script (NULL: none) as replay.lua. A new
 * capture takes the place of one that has not come about. What keeps an execution from being captured is said on
 * stderr; it takes place all the same. */
int32_t clue_capture(const char *kernel, int64_t call, const char *folder, const char *script);

/* ---- trace -----------------------------------------------------------------------------------------------------
 */

/* Records OpenCL calls and commands in a file, from now on until it is stopped; the records are those that
 * CLUE_TRACE=FOLDER has of a whole run. Where that is on, they go on in its file, and none is made: *file_out tells
 * which it is. Queues that were made without profiling have the host's clock only. */
int32_t clue_trace_start(const char **file_out, const char *path);
/* Waits for what was enqueued, but not for what waits for user events, and writes it all to the file. */
int32_t clue_trace_stop(void);

/* ---- buffers ---------------------------------------------------------------------------------------------------
 */

int32_t clue_buffer_create(int32_t *buffer_out, int32_t context, int64_t size, int64_t flags);
/* A buffer with contents, copied from the host's memory (CL_MEM_COPY_HOST_PTR, with the flags). */
int32_t clue_buffer_create_from(int32_t *buffer_out, int32_t context, const void *data, int64_t size,
                                int64_t flags);
/* A buffer in the host's own memory (CL_MEM_USE_HOST_PTR, with the flags), that clue_array_allocate() gave: what is
 * in it belongs to whoever has it mapped, or else to the device. The memory is the library's from here on, by the
 * handle in *memory: 0 before, or that of an earlier buffer in the same memory. It is freed when the handle is and
 * all its buffers are gone, with the commands that use them. */
int32_t clue_buffer_create_in(int32_t *buffer_out, int32_t *memory, int32_t context, void *data, int64_t size,
                              int64_t flags);
int32_t clue_buffer_size(int64_t *size_out, int32_t buffer);
int32_t clue_buffer_offset(int64_t *offset_out, int32_t buffer); /* of a sub-buffer in its buffer; 0 otherwise */
/* On the context's own queue; both return when the copy is done. */
int32_t clue_buffer_write(int32_t buffer, int64_t offset, const void *data, int64_t size);
int32_t clue_buffer_read(void *data_out, int32_t buffer, int64_t offset, int64_t size);

/* A sub-buffer: a part of a buffer by another handle, in the same memory. offset is a multiple of
 * CL_DEVICE_MEM_BASE_ADDR_ALIGN, which counts bits; flags: as of a buffer, no more than the buffer's own (0:
 * those). It holds the buffer. Of overlapping parts, only one may be written at a time. */
int32_t clue_buffer_create_sub(int32_t *buffer_out, int32_t buffer, int64_t flags, int64_t offset, int64_t size);

/* ---- shared virtual memory -------------------------------------------------------------------------------------
 * Memory at one address for the host and the devices of a context, so that pointers into it may lie in it. It is
 * freed when its handle is and no command uses it any more. flags: of CL_MEM_READ_WRITE and its kin one;
 * CL_MEM_SVM_FINE_GRAIN_BUFFER, and with it CL_MEM_SVM_ATOMICS. What CL_DEVICE_SVM_CAPABILITIES of the context's
 * devices does not have is refused. Coarse-grained memory, without the flag, is the host's only while it is mapped;
 * fine-grained memory is both's at any time. */

int32_t clue_svm_create(int32_t *svm_out, int32_t context, int64_t size, int64_t flags);
/* The same with contents, copied on the context's own queue. */
int32_t clue_svm_create_from(int32_t *svm_out, int32_t context, const void *data, int64_t size, int64_t flags);
int32_t clue_svm_size(int64_t *size_out, int32_t svm);
int32_t clue_svm_flags(int64_t *flags_out, int32_t svm);
/* The host's view of a part of fine-grained memory, at once and without a queue: a mapping that nothing else is
 * refused for, and that freeing it ends. */
int32_t clue_svm_view(void **data_out, int32_t *mapping_out, int32_t svm, int64_t offset, int64_t size);
/* As an argument for a __global or __constant pointer, from an offset on, in bytes. */
int32_t clue_kernel_set_svm(int32_t kernel, int32_t index, int32_t svm, int64_t offset);
/* What the kernel's executions reach through pointers that lie in memory, beside its arguments. The kernel holds it
 * until the next call, which replaces the list; OpenCL has no way to empty it. */
int32_t clue_kernel_set_svm_pointers(int32_t kernel, const int32_t *svms, int32_t count);

/* ---- images ----------------------------------------------------------------------------------------------------
 */

/* An image: type is CL_MEM_OBJECT_IMAGE1D or one of its kin; order and channel are OpenCL's (CL_RGBA, CL_FLOAT); of
 * the sizes, in pixels and layers, those that the type does not have are 0. A format that the device does not have,
 * for these flags, is refused with those that it has. */
typedef struct clue_image_shape {
    uint32_t type, order, channel;
    int32_t buffer; /* where the pixels of a 1-D buffer image lie, and those of a 2-D image may; 0: in none */
    int64_t width, height, depth, array_size;
    int64_t row_pitch; /* of a 2-D image in a buffer, bytes from row to row; 0: side by side */
} clue_image_shape;
int32_t clue_image_create(int32_t *image_out, int32_t context, int64_t flags, const clue_image_shape *shape);
/* An image with pixels, copied from the host's memory (CL_MEM_COPY_HOST_PTR, with the flags); then one that lies in
 * it, as clue_buffer_create_in() has it. The memory has exactly all pixels, side by side; neither lies in a buffer.
 */
int32_t clue_image_create_from(int32_t *image_out, int32_t context, const void *data, int64_t size, int64_t flags,
                               const clue_image_shape *shape);
int32_t clue_image_create_in(int32_t *image_out, int32_t *memory, int32_t context, void *data, int64_t size,
                             int64_t flags, const clue_image_shape *shape);
int32_t clue_image_shape_of(clue_image_shape *shape_out, int32_t image);
/* The formats that the context's device has for images of a type and flags, as pairs of uint32_t, order and
 * channel. value may be NULL: then only the size is told, in bytes. None on a device without images. */
int32_t clue_image_formats(int64_t *size_out, int32_t context, int64_t flags, uint32_t type, void *value,
                           int64_t capacity);
int32_t clue_image_size(int64_t *size_out, int32_t image); /* bytes of all its pixels, side by side */

/* How kernels read images. addressing: CL_ADDRESS_*, what lies beyond an image's edges; filter: CL_FILTER_*;
 * normalized: whether coordinates run from 0 to 1, which CL_ADDRESS_REPEAT and CL_ADDRESS_MIRRORED_REPEAT need. */
int32_t clue_sampler_create(int32_t *sampler_out, int32_t context, int32_t normalized, uint32_t addressing,
                            uint32_t filter);

/* ---- queues, events --------------------------------------------------------------------------------------------
 * Queues beside the context's own. Each is in order, unless it was made out of order; what is enqueued on two of
 * them may run at once, and neither waits for the other: let the second one wait for an event of the first
 * (clue_queue_wait_for), or finish a queue, before another one uses the results. Freeing a queue waits for its
 * work, but for what waits for a user event: that goes on without the handle.
 *
 * What comes behind a failed command in a queue in order fails, too: its event does, and what is waited for at once
 * (a transfer, a mapping) is not enqueued, but refused with the failed command's name, once: then the queue serves
 * on. Out of order that goes for what comes behind a barrier.
 *
 * Where an event_out is taken it may be NULL: then no event is made; one that is made must be freed. */

/* properties: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, refused where the device has no such queues;
 * CL_QUEUE_PROFILING_ENABLE, which is dropped where it cannot profile; both, or 0. */
int32_t clue_queue_create(int32_t *queue_out, int32_t context, int64_t properties);
/* On a device of a context over several, an ordinal or a part; the call above takes the first. */
int32_t clue_queue_create_on(int32_t *queue_out, int32_t context, int32_t device, int64_t properties);
/* A handle for the context's own queue, which lives as long as the context does; one until that is freed. */
int32_t clue_context_queue(int32_t *queue_out, int32_t context);
/* Waits for everything enqueued, by way of the driver's own handle, too (clue_handle_pointer); fails where a
 * command failed, and nobody was told of it by the queue. */
int32_t clue_queue_finish(int32_t queue);
int32_t clue_queue_flush(int32_t queue);
/* What the next command enqueued on the queue waits for before it begins; the list is taken by that call whether it
 * succeeds or not. Events of the queue's context; 0 of them: none. A wait that could never end, since it is for a
 * user event that the waiting host would have to set, is refused (CL_INVALID_OPERATION), here and in all that wait.
 */
int32_t clue_queue_wait_for(int32_t queue, const int32_t *events, int32_t count);
/* Commands that do nothing: complete when what they wait for is, without a list all that was enqueued before. What
 * is enqueued behind a barrier waits for it, too. */
int32_t clue_queue_marker(int32_t *event_out, int32_t queue);
int32_t clue_queue_barrier(int32_t *event_out, int32_t queue);
/* As clue_kernel_execute(). */
int32_t clue_queue_execute(int32_t *event_out, int32_t queue, int32_t kernel, int32_t dimensions,
                           const int64_t *offset, const int64_t *global, const int64_t *local);
/* Both return when the copy is done, and with it, in a queue in order, everything enqueued before. With an
 * event_out they return at once: the memory must stay where it is until the event is complete (clue_memory_settle).
 */
int32_t clue_queue_write(int32_t *event_out, int32_t queue, int32_t buffer, int64_t offset, const void *data,
                         int64_t size);
int32_t clue_queue_read(int32_t *event_out, void *data_out, int32_t queue, int32_t buffer, int64_t offset,
                        int64_t size);
/* Waits for the transfers that use this memory and were not waited for, before it is freed or moved; at once where
 * there are none. Fails only where that could never end, since one waits for a user event that is not set. */
int32_t clue_memory_settle(const void *data, int64_t size);

/* A part of an image, in pixels: where there are layers, they are counted along the axis behind the image's own.
 * The pixels lie in the host's memory with so many bytes from row to row and from slice to slice (0: side by side).
 */
typedef struct clue_image_part {
    int64_t origin[3], region[3], row_pitch, slice_pitch;
} clue_image_part;
/* As the transfers of a buffer, with exactly the bytes of the part (NULL: of all the image), or no less where there
 * are pitches. The pixels of a 1-D buffer image are its buffer's bytes: what transfers, copies or fills an image
 * refuses it. */
int32_t clue_queue_write_image(int32_t *event_out, int32_t queue, int32_t image, const void *data, int64_t size,
                               const clue_image_part *part);
int32_t clue_queue_read_image(int32_t *event_out, void *data_out, int32_t queue, int32_t image, int64_t size,
                              const clue_image_part *part);
/* These return at once. origins: NULL for the first pixel; region: NULL for all from there on. In a buffer the
 * pixels lie side by side. A colour has four components, whatever the image's channels. */
int32_t clue_queue_copy_image(int32_t *event_out, int32_t queue, int32_t from, int32_t to,
                              const int64_t *from_origin, const int64_t *to_origin, const int64_t *region);
int32_t clue_queue_copy_image_to_buffer(int32_t *event_out, int32_t queue, int32_t image, int32_t buffer,
                                        const int64_t *origin, const int64_t *region, int64_t offset);
int32_t clue_queue_copy_buffer_to_image(int32_t *event_out, int32_t queue, int32_t buffer, int32_t image,
                                        int64_t offset, const int64_t *origin, const int64_t *region);
int32_t clue_queue_fill_image(int32_t *event_out, int32_t queue, int32_t image, const double *colour,
                              const int64_t *origin, const int64_t *region);
/* A box of bytes: rows of region[0] bytes, region[1] rows in a slice, region[2] slices. It is read at one place and
 * written at another; origins count bytes, rows and slices, pitches the bytes from row to row and from slice to
 * slice (0: side by side). */
typedef struct clue_rect {
    int64_t region[3];
    int64_t from_origin[3], from_row_pitch, from_slice_pitch;
    int64_t to_origin[3], to_row_pitch, to_slice_pitch;
} clue_rect;
/* size: of the host's memory. */
int32_t clue_queue_write_rect(int32_t *event_out, int32_t queue, int32_t buffer, const void *data, int64_t size,
                              const clue_rect *rect);
int32_t clue_queue_read_rect(int32_t *event_out, void *data_out, int32_t queue, int32_t buffer, int64_t size,
                             const clue_rect *rect);
int32_t clue_queue_copy_rect(int32_t *event_out, int32_t queue, int32_t from, int32_t to, const clue_rect *rect);
/* Both return at once. Copying needs two places that do not overlap. A pattern has 1, 2, 4, ... or 128 bytes;
 * offset and size are multiples of that. */
int32_t clue_queue_copy(int32_t *event_out, int32_t queue, int32_t from, int64_t from_offset, int32_t to,
                        int64_t to_offset, int64_t size);
int32_t clue_queue_fill(int32_t *event_out, int32_t queue, int32_t buffer, int64_t offset, int64_t size,
                        const void *pattern, int64_t pattern_size);
/* Buffers and images come to the queue's device before anything there needs them; returns at once. flags:
 * CL_MIGRATE_MEM_OBJECT_HOST (to the host instead), CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED (what is in them may be
 * lost), both, or 0. */
int32_t clue_queue_migrate(int32_t *event_out, int32_t queue, const int32_t *objects, int32_t count, int64_t flags);
/* The host's view of a part of a buffer, until it is unmapped; returns when it is there. flags: CL_MAP_READ and
 * CL_MAP_WRITE, or CL_MAP_WRITE_INVALIDATE_REGION. The mapping is a handle that holds the buffer; freeing it
 * unmaps, too, and waits. What would use a buffer against its mappings is refused: kernels and transfers where it
 * is mapped for writing, writes where it is mapped for reading. */
int32_t clue_queue_map(void **data_out, int32_t *mapping_out, int32_t queue, int32_t buffer, int64_t flags,
                       int64_t offset, int64_t size);
/* The same of a part of an image; its pitches are told in the part, and how many bytes the mapping has. */
int32_t clue_queue_map_image(void **data_out, int64_t *size_out, int32_t *mapping_out, int32_t queue, int32_t image,
                             int64_t flags, clue_image_part *part);
int32_t clue_queue_unmap(int32_t queue, int32_t mapping);

/* Of shared virtual memory, as the calls for buffers. Migrating brings all of each to the queue's device or the
 * host, where the device has OpenCL 2.1. */
int32_t clue_queue_map_svm(void **data_out, int32_t *mapping_out, int32_t queue, int32_t svm, int64_t flags,
                           int64_t offset, int64_t size);
int32_t clue_queue_write_svm(int32_t *event_out, int32_t queue, int32_t svm, int64_t offset, const void *data,
                             int64_t size);
int32_t clue_queue_read_svm(int32_t *event_out, void *data_out, int32_t queue, int32_t svm, int64_t offset,
                            int64_t size);
int32_t clue_queue_copy_svm(int32_t *event_out, int32_t queue, int32_t from, int64_t from_offset, int32_t to,
                            int64_t to_offset, int64_t size);
int32_t clue_queue_fill_svm(int32_t *event_out, int32_t queue, int32_t svm, int64_t offset, int64_t size,
                            const void *pattern, int64_t pattern_size);
int32_t clue_queue_migrate_svm(int32_t *event_out, int32_t queue, const int32_t *svms, int32_t count,
                               int64_t flags);

/* A user event is an event that others wait for and that the script completes: once, with 0 (CL_COMPLETE) or a
 * number below 0, a failure, which passes to what waits for it. One that is freed before fails with
 * CL_INVALID_EVENT. */
int32_t clue_user_event_create(int32_t *event_out, int32_t context);
int32_t clue_user_event_set(int32_t event, int32_t status);
int32_t clue_event_status(int32_t *status_out, int32_t event); /* as clue_kernel_status() */
int32_t clue_event_wait(int32_t event);
int32_t clue_event_time(double *seconds_out, int32_t *clock_out, int32_t event); /* as clue_kernel_time() */
/* When the command came to a state, in seconds by the device's timer since a moment that is the same for all events
 * of a device and its parts; waits for the end. Refused (CL_PROFILING_INFO_NOT_AVAILABLE) where there is no timer
 * to be believed.
 */
enum { CLUE_QUEUED = 0, CLUE_SUBMITTED = 1, CLUE_STARTED = 2, CLUE_ENDED = 3 };
int32_t clue_event_moment(double *seconds_out, int32_t event, int32_t moment);

/* What the library waits for at this moment ("kernel 'f'"), NULL when it does not wait. For signal handlers. */
const char *clue_waiting(void);
/* For handlers of signals that end the process (SIGSEGV): writes which kernels may have been under way and how to
 * find the fault, where there are none what the library waits for, else nothing. */
void clue_crash_tell(int32_t descriptor, const char *signal);

/* ---- arrays: typed memory of the host, bulk work on it ----------------------------------------------------------
 */

int64_t clue_type_size(int32_t type);     /* bytes of one element, 0 for an unknown type */
const char *clue_type_name(int32_t type); /* OpenCL's name, "uchar" */
/* Zeroed and aligned to a page, so that a CPU device can use it in place; NULL when memory is exhausted. */
void *clue_array_allocate(int64_t bytes);
void clue_array_free(void *data);
/* For bindings, whose collector knows nothing of this memory: 1 where so many bytes more call for a collection
 * first; collected() says that one was made. */
int32_t clue_array_crowded(int64_t bytes);
void clue_array_collected(void);

/* One element from and to a double, rounded to nearest; 1 if the type holds the value, else 0 and nothing stored.
 */
int32_t clue_element_store(void *element_out, int32_t type, double value);
double clue_element_load(const void *element, int32_t type);
/* The same through decimal text, exact for every 64-bit value. print: text_out holds 32 characters. */
int32_t clue_element_parse(void *element_out, int32_t type, const char *text);
int32_t clue_element_print(char *text_out, const void *element, int32_t type);

/* count elements from data on; 1, or 0 where the type cannot hold the value. */
int32_t clue_array_fill(void *data_out, int32_t type, int64_t count, double value);
/* Uniform in [low, high), whole numbers in [low, high] for integer types; one seed gives one sequence everywhere.
 */
int32_t clue_array_random(void *data_out, int32_t type, int64_t count, double low, double high, double seed);
/* Converts between types; the index of the first element that the target cannot hold, else -1. */
int64_t clue_array_convert(void *data_out, int32_t type, const void *source, int32_t source_type, int64_t count);
/* The first index where two arrays differ by more than tolerance (NaN differs from all but NaN), else -1. */
int64_t clue_array_compare(const void *left, const void *right, int32_t type, int64_t count, double tolerance);
double clue_array_sum(const void *data, int32_t type, int64_t count);
/* The indexes of the least and the greatest element, the first of equal ones, -1 where there is none; NaN is
 * neither. Returns how many elements are NaN. */
int64_t clue_array_extremes(int64_t *least_out, int64_t *greatest_out, const void *data, int32_t type,
                            int64_t count);
/* Turns the bytes of each element round, from and to the other byte order; 0 for an unknown type. */
int32_t clue_array_swap(void *data, int32_t type, int64_t count);
/* rows x columns by rows become columns x rows by rows, in memory that does not overlap; 0 for an unknown type. */
int32_t clue_array_transpose(void *data_out, const void *source, int32_t type, int64_t rows, int64_t columns);

/* ---- files -----------------------------------------------------------------------------------------------------
 */

/* Whether a path leads to what can be read as a file, or to nothing: a folder, a FIFO, a socket and a device are
 * refused, and not opened. What the process was given (/dev/stdin, /dev/fd/3, /proc/...) passes. */
int32_t clue_file_check(const char *path);
/* Makes a file to be written instead of what is at a path: when it is whole, it is renamed to the target, which is
 * where the path's links lead to. It has the mode of the file that is there. Both are the same, and no file is
 * made, where the path is to be written into: a FIFO, a device, a file of several names. Valid until the next call.
 */
int32_t clue_file_beside(const char **made_out, const char **target_out, const char *path);

/* ---- PNG files: 8 bits a sample, rows from the top, 1 to 4 samples a pixel: grey, grey and alpha, RGB, RGBA
 * -------- The first call loads libpng. */

/* Fails where the file has 16 bits a sample. */
int32_t clue_png_size(int32_t *width_out, int32_t *height_out, int32_t *channels_out, const char *path);
/* As many samples as clue_png_size() says: width times height times channels. */
int32_t clue_png_read(void *pixels_out, int64_t size, const char *path);
int32_t clue_png_write(const char *path, const void *pixels, int32_t channels, int32_t width, int32_t height);
/* The indexes of the least and the greatest element, the first of equal ones, -1 where there is none; NaN is
 * neither. Returns how many elements are NaN. */
int64_t clue_array_extremes(int64_t *least_out, int64_t *greatest_out, const void *data, int32_t type,
                            int64_t count);

/* ---- time, terminal, child processes
 * ------------------------------------------------------------------------------ */

double clue_clock_now(void);                     /* seconds of a monotonic clock */
void clue_clock_sleep(double seconds);           /* a signal ends it early */
int32_t clue_processor_count(void);              /* cores that the system runs threads on, 256 at most */
int32_t clue_terminal_width(int32_t descriptor); /* columns; 0 where it is no terminal */
int32_t
clue_terminal_colour(int32_t descriptor); /* 1 where colour is welcome: a terminal, no NO_COLOR, TERM not dumb */

/* The text with \x1b and so on in place of control characters and of what is no UTF-8, for texts of others that are
 * shown; ends of lines and tabulators stay. out: room for 4 * size + 1 bytes. The bytes without the NUL behind
 * them. */
int64_t clue_text_visible(char *out, const char *text, int64_t size);

/* A new, empty folder in TMPDIR or /tmp. It is removed with all that is in it when the process ends by exit(), by
 * clue_temporary_remove(), or by a signal whose handler calls clue_temporary_remove_all(), which is
 * async-signal-safe; the path is valid until then. That one removes a file of clue_file_beside() as well. */
int32_t clue_temporary_folder(const char **path_out);
void clue_temporary_remove(const char *path);
void clue_temporary_remove_all(void);

/* A child process in a group of its own, which ends with the host. It is killed, with its group, at either limit
 * (0: none). */
typedef struct clue_child_options {
    const char *const *arguments;   /* NULL-ended; [0] is the program's path */
    const char *const *environment; /* NULL-ended "NAME=VALUE" additions, may be NULL */
    double seconds;                 /* wall time */
    double memory;                  /* bytes resident, all processes of the group */
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

/* A child is a small number from 0. -1 and clue_error_* on failure. */
int32_t clue_child_start(const clue_child_options *options);
/* Waits up to `seconds` for output or the end; CLUE_CHILD_*. All output is there once it is not RUNNING. A signal
 * ends the wait early. Limits are kept while a wait is going on, for whichever child; one that is not waited for
 * blocks when 16 MiB of its output pile up. What the child left running in its group is killed when it ends. */
int32_t clue_child_wait(int32_t child, double seconds);
int32_t clue_child_value(int32_t child); /* 0 while it runs and after a limit */
/* What came on a stream since the last take; valid until the next call for this child. */
int64_t clue_child_take(const char **data_out, int32_t child, int32_t stream);
/* Sends to the child's standard input; how many bytes it took (none that it does not read any more or is full of),
 * < 0 on failure: it has no such input. Without any data (NULL) the input ends. */
int64_t clue_child_send(int32_t child, const char *data, int64_t size);
/* A new limit of wall time, counted from now (0: none). */
void clue_child_limit(int32_t child, double seconds);
void clue_child_kill(int32_t child);
/* Frees the number, killing the child's group if it still runs. */
void clue_child_close(int32_t child);
/* Kills all children's groups, for signal handlers (it is async-signal-safe). exit() does it by itself. */
void clue_child_kill_all(void);
/* cdef end */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif

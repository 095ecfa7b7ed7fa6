/* clue.h - the whole C interface of libclue: OpenCL behind handles, and what a scripting host needs besides.
 *
 * The text between the two cdef markers is plain C without preprocessor lines: compilers read it as a header and
 * LuaJIT's ffi.cdef reads the same text, embedded at build time. CLUE_ABI is compared when a binding loads.
 *
 * These rules hold for all functions, unless their comment says otherwise:
 * - A function that can fail returns 0 or a negative OpenCL error code. clue_error_*() describe a failure until the
 *   next one replaces it.
 * - Results come first, as parameters named *_out, and are written on success only.
 * - Sizes and offsets are in bytes, times in seconds. Sizes are signed, so that a negative number is reported and
 *   does not wrap around.
 * - A returned text belongs to the library. It is valid as long as the object that it describes.
 * - A query for raw bytes takes `value` and `capacity`, and sets *size_out to the size of the answer. value may be
 *   NULL if only the size is wanted. A capacity that is too small is an error.
 * - event_out may be NULL: then the function makes no event. The caller must free an event that was made.
 * - The library is single-threaded by contract: one thread at a time, no locks. */
#ifndef CLUE_H
#define CLUE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* cdef begin */
/* Counts up when a function below is added, removed or changed. */
enum { CLUE_ABI = 13 };

/* CLUE_ABI of the library that is loaded. */
int32_t clue_abi(void);

/* ---- errors: the record of the last failure ------------------------------------------------------------------ */

/* Why a call failed, where the OpenCL code alone does not say. */
enum {
    CLUE_CAUSE_DRIVER = 0,    /* OpenCL itself refused */
    CLUE_CAUSE_HANDLE = 1,    /* a handle that is stale, never existed, or is of another kind */
    CLUE_CAUSE_PARAMETER = 2, /* a value that is wrong on every device */
    CLUE_CAUSE_SIZE = 3,      /* a size below 0, a size of 0 where none is allowed, or one that goes past the end */
    CLUE_CAUSE_OFFSET = 4,    /* an offset below 0 or past the end */
    CLUE_CAUSE_DEVICE = 5,    /* no such device */
    CLUE_CAUSE_MEMORY = 6,    /* the host's memory is exhausted */
    CLUE_CAUSE_FULL = 7,      /* the handle table is full */
    CLUE_CAUSE_LIMIT = 8,     /* more than the device, the kernel or the reader of a file allows */
    CLUE_CAUSE_TYPE = 9,      /* an argument's type is unknown: give the number's type */
    CLUE_CAUSE_FAILED = 10,   /* -1 instead of a handle: the call that should have made it failed */
    CLUE_CAUSE_PARTLY = 11    /* a replay was refused when some of its commands were enqueued: do not repeat it */
};

int32_t clue_error_code(void);       /* the OpenCL code; 0: nothing has failed since clue_error_clear() */
int32_t clue_error_cause(void);      /* CLUE_CAUSE_* */
const char *clue_error_call(void);   /* the OpenCL function, "clEnqueueNDRangeKernel" */
const char *clue_error_detail(void); /* what the user can do about it; may be "" */
const char *clue_error_text(void);   /* "clSetKernelArg: CL_INVALID_ARG_INDEX (-49): detail" */
const char *clue_error_log(void);    /* after a failed build: its log with source lines and carets; else "" */
/* After a failed build: names the file that has the source, and the source's first line there. If the detail gives
 * the line of the source's first error, it then gives that error's place in the file. */
void clue_error_source(const char *file, int32_t first_line);
void clue_error_clear(void);               /* empties the record */
const char *clue_error_name(int32_t code); /* "CL_INVALID_VALUE"; NULL for a code that is not OpenCL's */

/* ---- handles ----------------------------------------------------------------------------------------------------
 * A handle is 65536 or more; device ordinals are smaller. A freed handle stays stale, and every function refuses
 * it. The object behind it lives on as long as something uses it. */

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
    CLUE_SVM = 12,
    CLUE_GRAPH = 13
};
enum { CLUE_FIRST_HANDLE = 65536 };

/* The handle's kind (CLUE_CONTEXT ...), or CLUE_NONE for a number that is not a live handle. */
int32_t clue_handle_kind(int32_t handle);
/* The number of live handles. */
int32_t clue_handle_count(void);
/* The live handle after this one (0 asks for the first); 0 at the end. */
int32_t clue_handle_next(int32_t handle);
/* Frees a handle. With a kind other than CLUE_NONE, the handle must be of that kind. */
int32_t clue_handle_free(int32_t handle, int32_t kind);
/* Frees a handle if it is live, and records no failure: for finalisers. */
void clue_handle_drop(int32_t handle);
/* The handle of the object from which this one was made: a kernel's program; the buffer of a sub-buffer and of an
 * image in a buffer; the memory of a mapping; otherwise the context. 0 if that handle was freed, or if there is no
 * such object. */
int32_t clue_handle_parent(int32_t *parent_out, int32_t handle);
/* OpenCL's own object behind a handle: the cl_context of a context, the memory itself for shared virtual memory. id
 * may also be the ordinal of a device. kind chooses the object: CLUE_NONE its own, CLUE_DEVICE or CLUE_CONTEXT the
 * device or context that it belongs to, CLUE_QUEUE the own queue of a context. The caller only borrows the object:
 * to keep it longer than the handle's object lives, call clRetain...(). */
int32_t clue_handle_pointer(void **pointer_out, int32_t id, int32_t kind);

/* ---- platforms and devices --------------------------------------------------------------------------------------
 * A device is named by its ordinal or by the handle of a part of a device. Ordinals count from 0 over all
 * platforms, in the loader's order. The functions of this group that take an `id` also accept any other handle: it
 * stands for the first device of its context. */

/* "OpenCL Loader 2.3.1"; "" if the loader does not give a name. */
const char *clue_loader_name(void);
/* The number of platforms, and of devices on all of them. */
int32_t clue_platform_count(int32_t *count_out);
int32_t clue_device_count(int32_t *count_out);
/* The platform of a device, and its place among that platform's devices. Both count from 0. */
int32_t clue_device_locate(int32_t *platform_out, int32_t *index_out, int32_t ordinal);
/* The ordinal of a device. For a part, that of the whole device. */
int32_t clue_device_of(int32_t *ordinal_out, int32_t id);
/* The error that a driver answered instead of listing its devices; "" if none did. */
const char *clue_device_refusal(void);
/* The raw bytes of a property, which is given by OpenCL's number (CL_PLATFORM_*, CL_DEVICE_*). */
int32_t clue_platform_info(int64_t *size_out, int32_t platform, uint32_t property, void *value, int64_t capacity);
int32_t clue_device_info(int64_t *size_out, int32_t id, uint32_t property, void *value, int64_t capacity);
/* Divides a device (an ordinal or a part) into parts. Each part is a handle, which can stand wherever a device is
 * named. property is CL_DEVICE_PARTITION_EQUALLY (values: the compute units of each part), _BY_COUNTS (the compute
 * units of the first part, of the second, ...) or _BY_AFFINITY_DOMAIN (CL_DEVICE_AFFINITY_DOMAIN_*). devices_out
 * may be NULL if only the number of parts is wanted. Fails if CL_DEVICE_PARTITION_PROPERTIES does not list the
 * property. */
int32_t clue_device_partition(int32_t *devices_out, int32_t *count_out, int32_t capacity, int32_t id,
                              uint32_t property, const int64_t *values, int32_t value_count);

/* ---- contexts ---------------------------------------------------------------------------------------------------
 * A context has one or more devices of one platform. It has a queue of its own on the first device: in order, and
 * with profiling if the device can do that. Programs are built for all devices of the context, and all of them can
 * use its objects. Limits of memory and images are those of the device with the lowest limit.
 *
 * If a function asks for one of a context's devices, `device` is an ordinal or the handle of a part. The handle
 * that the function is about (the context, the program, the kernel) may stand in its place, and chooses the first
 * device. */

/* devices: ordinals or handles of parts, none of them twice. */
int32_t clue_context_create(int32_t *context_out, const int32_t *devices, int32_t count);
/* A handle for the context's own queue, which lives as long as the context. Every call gives the same handle until
 * that is freed. */
int32_t clue_context_queue(int32_t *queue_out, int32_t context);
/* Waits until all commands in the context that this handle belongs to are done, in all of its queues, even freed
 * ones. */
int32_t clue_context_finish(int32_t handle);
/* The same for all contexts. Call it before the process ends: a driver that is unloaded while it works crashes or
 * drops the work, and for some drivers atexit() comes too late. At its end it writes the programs that the cache
 * is to keep. */
void clue_finish(void);

/* ---- programs ---------------------------------------------------------------------------------------------------
 * All functions but clue_program_compile() return a built program. `options` may be NULL. -cl-kernel-arg-info and
 * the options in CLUE_BUILD_OPTIONS are added, except for the linker. Any blanks separate options, ends of lines
 * included; words in "" or '' may have blanks. */

/* Builds from source, or takes the program from the cache of built programs (see CLUE_CACHE_DIR and
 * CLUE_NO_CACHE): from a file, or from a program of the context that was built from the same text and is alive. */
int32_t clue_program_create(int32_t *program_out, int32_t context, const char *source, int64_t length,
                            const char *options);
/* Builds from the bytes that clue_program_binary() gave, on the same device and with the same driver. rusticl
 * cannot do that. Damaged binaries crash PoCL, so clue appends a checksum to PoCL's binaries, and refuses one
 * without it. Most binaries have no information about arguments, so clue_kernel_set_number() needs the type. Fails
 * in a context with several devices. */
int32_t clue_program_from_binary(int32_t *program_out, int32_t context, const void *binary, int64_t size);
/* Builds from SPIR-V, if CL_DEVICE_IL_VERSION says that the device accepts it. */
int32_t clue_program_from_il(int32_t *program_out, int32_t context, const void *il, int64_t size,
                             const char *options);
/* Compiles without linking; the program has neither kernels nor a binary. headers: what the source can include
 * although it is not a file, as header_count pairs of name and text. */
int32_t clue_program_compile(int32_t *program_out, int32_t context, const char *source, int64_t length,
                             const char *options, const char *const *headers, int32_t header_count);
/* Links compiled programs into one. With -create-library, the result can be linked again. */
int32_t clue_program_link(int32_t *program_out, int32_t context, const int32_t *programs, int32_t count,
                          const char *options);

/* The driver's log of the build for a device, "" if it is empty; valid until the next call for this program. With
 * the program in place of the device: the log of the device whose build failed, or else of the first one. */
int32_t clue_program_log(const char **log_out, int32_t program, int32_t device);
/* The binary of the program for a device (CL_PROGRAM_BINARIES; PTX text on NVIDIA), to be kept in a file. PoCL's
 * has a checksum at its end. */
int32_t clue_program_binary(int64_t *size_out, int32_t program, int32_t device, void *value, int64_t capacity);
/* The names of the program's kernels, "first;second". */
int32_t clue_program_kernels(const char **names_out, int32_t program);
/* The folder for what clue keeps from one run to the next: CLUE_CACHE_DIR, else XDG_CACHE_HOME/clue, else
 * ~/.cache/clue. It may not exist yet. NULL if none of the variables is set, or if the folder is another user's or
 * everyone may write it; valid until the next call. */
const char *clue_cache_folder(void);
/* 1 if the program came from the cache of built programs, 0 if it was compiled. */
int32_t clue_program_cached(int32_t *cached_out, int32_t program);
/* The paths of the files that a source includes if it is built with these options and headers (as in
 * clue_program_compile()). Each path ends with a line break; valid until the next call. *any_out is 1 if the source
 * has an #include at all, even one whose file is missing, else 0. */
int32_t clue_source_files(const char **files_out, int32_t *any_out, const char *source, int64_t length,
                          const char *options, const char *const *headers, int32_t header_count);

/* ---- kernels ------------------------------------------------------------------------------------------------- */

/* name: that of a __kernel function of the program. */
int32_t clue_kernel_create(int32_t *kernel_out, int32_t program, const char *name);
/* The kernel's name. */
int32_t clue_kernel_name(const char **name_out, int32_t kernel);
/* The raw bytes of CL_KERNEL_ATTRIBUTES and so on. */
int32_t clue_kernel_info(int64_t *size_out, int32_t kernel, uint32_t property, void *value, int64_t capacity);
/* The raw bytes of CL_KERNEL_WORK_GROUP_SIZE and so on, for one device. */
int32_t clue_kernel_group_info(int64_t *size_out, int32_t kernel, int32_t device, uint32_t property, void *value,
                               int64_t capacity);

/* The raw bytes of CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE and so on, for one device. given: what the property is
 * asked for, a local size (one number for each dimension) or a number of sub-groups; NULL and 0 if nothing. Fails
 * if the device has no sub-groups, or an OpenCL before 2.1. */
int32_t clue_kernel_sub_group_info(int64_t *size_out, int32_t kernel, int32_t device, uint32_t property,
                                   const int32_t *given, int32_t count, void *value, int64_t capacity);

/* The number of arguments; then the name and type ("float*") of the argument `index`, which counts from 0. Both are
 * "" if the driver does not know them. */
int32_t clue_kernel_argument_count(int32_t *count_out, int32_t kernel);
int32_t clue_kernel_argument(const char **name_out, const char **type_out, int32_t kernel, int32_t index);
/* OpenCL's numbers: CL_KERNEL_ARG_ADDRESS_*, CL_KERNEL_ARG_ACCESS_* and the bits CL_KERNEL_ARG_TYPE_*; all 0 if the
 * driver does not know them. */
int32_t clue_kernel_argument_qualifiers(int32_t *address_out, int32_t *access_out, int32_t *type_out,
                                        int32_t kernel, int32_t index);

/* Types of elements and arguments. CLUE_AUTO: the type in the kernel's argument information. */
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

/* What an argument by value is made of: float4 is CLUE_FLOAT and 4. *type_out is CLUE_AUTO for pointers and
 * structs, and if the type is not known. */
int32_t clue_kernel_argument_value(int32_t *type_out, int32_t *width_out, int32_t kernel, int32_t index);
/* The same for what a pointer points at: float4* is CLUE_FLOAT and 4. *type_out is CLUE_AUTO for all others. */
int32_t clue_kernel_argument_pointee(int32_t *type_out, int32_t *width_out, int32_t kernel, int32_t index);
/* Sets an argument to a number, converted to the type. Fails if the type cannot hold the number (300 for uchar, 1.5
 * for int). */
int32_t clue_kernel_set_number(int32_t kernel, int32_t index, int32_t type, double value);
/* Sets an argument to bytes, exactly as many as its type has. */
int32_t clue_kernel_set_bytes(int32_t kernel, int32_t index, const void *bytes, int64_t size);
/* Sets an argument to an object, which the kernel then keeps alive: a buffer or shared virtual memory for a
 * __global or __constant pointer, an image of the right kind for image2d_t and so on, a sampler for sampler_t.
 * Refuses an image whose flags exclude what the kernel does with it: CL_MEM_READ_ONLY for write_only, and the
 * reverse.
 * offset: where in shared virtual memory the kernel's pointer begins; 0 for all others. */
int32_t clue_kernel_set_object(int32_t kernel, int32_t index, int32_t object, int64_t offset);
/* Sets a __global or __constant pointer to NULL. */
int32_t clue_kernel_set_null(int32_t kernel, int32_t index);
/* Sets the size of a __local argument. */
int32_t clue_kernel_set_local(int32_t kernel, int32_t index, int64_t size);
/* Lists the shared virtual memory that the kernel reaches through pointers in memory, and not by its arguments. The
 * kernel keeps it alive until the next call, which replaces the list. OpenCL cannot empty the list. */
int32_t clue_kernel_set_svm_pointers(int32_t kernel, const int32_t *svms, int32_t count);

/* Enqueues the kernel on its context's own queue, and makes the driver start it. dimensions: 1 to 3; offset and
 * local may be NULL. */
int32_t clue_kernel_execute(int32_t kernel, int32_t dimensions, const int64_t *offset, const int64_t *global,
                            const int64_t *local);
/* A good local size for a range of the kernel. It is the driver's own suggestion (*driver_out is 1) if the driver
 * has clGetKernelSuggestedLocalWorkSizeKHR and all arguments of the kernel are set. Otherwise it is clue's: the
 * size that the kernel requires, if it requires one, or else the largest groups of up to 256 work-items that divide
 * the range and leave a group for every compute unit. offset and global have three sizes each; those beyond the
 * range's dimensions are 1. */
int32_t clue_queue_suggested_local_size(int64_t *x_out, int64_t *y_out, int64_t *z_out, int32_t *driver_out,
                                        int32_t queue, int32_t kernel, const int64_t *offset,
                                        const int64_t *global);
/* OpenCL's status of the last execution in any queue: 0 complete, 1 running, 2 submitted, 3 queued. Also 0 before
 * the first execution. */
int32_t clue_kernel_status(int32_t *status_out, int32_t kernel);
/* Waits for the last execution. */
int32_t clue_kernel_wait(int32_t kernel);
/* The kernel that was enqueued last, by clue_kernel_execute() or clue_queue_execute(). Returns the number of such
 * executions so far. Replays of graphs do not count: ask their events. *kernel_out is 0 before the first one;
 * *name_out is NULL if the kernel has been freed since. */
int64_t clue_kernel_newest(int32_t *kernel_out, const char **name_out);

/* The clock of a time: the device's profiling timer, or the host's clock if that timer cannot be trusted. */
enum { CLUE_CLOCK_DEVICE = 0, CLUE_CLOCK_HOST = 1 };

/* The duration of the last execution, for which it waits. Fails if that was part of a graph's replay whose commands
 * have one event together. */
int32_t clue_kernel_time(double *seconds_out, int32_t *clock_out, int32_t kernel);
/* Adds up the times of all kernel executions between the two calls, in all queues. The second call waits for
 * them. */
int32_t clue_profile_start(void);
int32_t clue_profile_stop(double *seconds_out, int32_t *clock_out, int32_t *executions_out);

/* ---- memory: buffers --------------------------------------------------------------------------------------------
 * `flags` are those of clCreateBuffer(): CL_MEM_READ_WRITE and so on. */

/* The bytes of a buffer, of shared virtual memory, or of all pixels of an image side by side. */
int32_t clue_memory_size(int64_t *size_out, int32_t memory);

/* A buffer with undefined contents, of at least 1 byte. */
int32_t clue_buffer_create(int32_t *buffer_out, int32_t context, int64_t size, int64_t flags);
/* A buffer with contents, copied from the host's memory (CL_MEM_COPY_HOST_PTR is added to the flags). */
int32_t clue_buffer_create_from(int32_t *buffer_out, int32_t context, const void *data, int64_t size,
                                int64_t flags);
/* A buffer in host memory from clue_array_allocate() (CL_MEM_USE_HOST_PTR is added). The contents belong to whoever
 * has mapped the buffer, otherwise to the device. The library takes the memory over and gives it a handle in
 * *memory. Before the call, *memory is 0, or the handle from an earlier buffer in the same memory. The memory is
 * freed after that handle was freed, and all buffers in it, and when no command uses them any more. */
int32_t clue_buffer_create_in(int32_t *buffer_out, int32_t *memory, int32_t context, void *data, int64_t size,
                              int64_t flags);
/* A sub-buffer: another handle for a part of a buffer's memory. offset is a multiple of
 * CL_DEVICE_MEM_BASE_ADDR_ALIGN, which counts bits. The flags cannot allow more than the buffer's own do (0: the
 * same). The part keeps the buffer alive. If parts overlap, only one of them may be written at a time. */
int32_t clue_buffer_create_sub(int32_t *buffer_out, int32_t buffer, int64_t flags, int64_t offset, int64_t size);
/* The offset of a sub-buffer in its buffer; 0 for other buffers. */
int32_t clue_buffer_offset(int64_t *offset_out, int32_t buffer);
/* Copy between the host's memory and a buffer, on the context's own queue. Both return when the copy is done. */
int32_t clue_buffer_write(int32_t buffer, int64_t offset, const void *data, int64_t size);
int32_t clue_buffer_read(void *data_out, int32_t buffer, int64_t offset, int64_t size);

/* ---- memory: shared virtual memory ------------------------------------------------------------------------------
 * Memory that has the same address for the host and the devices of a context, so that it can hold pointers into
 * itself. It is freed once its handle was freed and no command uses it any more. The host may touch coarse-grained
 * memory only while it is mapped, and fine-grained memory (CL_MEM_SVM_FINE_GRAIN_BUFFER) at any time. */

/* flags: CL_MEM_READ_WRITE, CL_MEM_READ_ONLY or CL_MEM_WRITE_ONLY; also CL_MEM_SVM_FINE_GRAIN_BUFFER, and with that
 * CL_MEM_SVM_ATOMICS. Fails if CL_DEVICE_SVM_CAPABILITIES of one of the context's devices lacks what they ask
 * for. */
int32_t clue_svm_create(int32_t *svm_out, int32_t context, int64_t size, int64_t flags);
/* The same with contents, copied from the host's memory on the context's own queue. */
int32_t clue_svm_create_from(int32_t *svm_out, int32_t context, const void *data, int64_t size, int64_t flags);
/* The flags with which the memory was made. */
int32_t clue_svm_flags(int64_t *flags_out, int32_t svm);
/* The host's view of a part of fine-grained memory, at once and without a queue. It is a mapping that excludes
 * nothing, and ends when it is freed. */
int32_t clue_svm_view(void **data_out, int32_t *mapping_out, int32_t svm, int64_t offset, int64_t size);

/* ---- memory: images and samplers ----------------------------------------------------------------------------- */

/* type is CL_MEM_OBJECT_IMAGE1D and so on; order and channel are OpenCL's (CL_RGBA, CL_FLOAT). Sizes are in pixels
 * and layers; those that the type does not have are 0. */
typedef struct clue_image_shape {
    uint32_t type, order, channel;
    int32_t buffer; /* where a 1-D buffer image has its pixels, and a 2-D image may have them; 0: no buffer */
    int64_t width, height, depth, array_size;
    int64_t row_pitch; /* of a 2-D image in a buffer: bytes from row to row; 0: side by side */
} clue_image_shape;

/* Fails if the devices do not have the format for these flags; the message lists the formats that they have. */
int32_t clue_image_create(int32_t *image_out, int32_t context, int64_t flags, const clue_image_shape *shape);
/* An image with pixels that are copied from the host's memory; then an image in the host's memory, as for
 * clue_buffer_create_in(). The memory has exactly all pixels, side by side; the shape names no buffer. */
int32_t clue_image_create_from(int32_t *image_out, int32_t context, const void *data, int64_t size, int64_t flags,
                               const clue_image_shape *shape);
int32_t clue_image_create_in(int32_t *image_out, int32_t *memory, int32_t context, void *data, int64_t size,
                             int64_t flags, const clue_image_shape *shape);
/* The shape with which the image was made. */
int32_t clue_image_shape_of(clue_image_shape *shape_out, int32_t image);
/* The formats that the context's devices have for images with this type and these flags, as raw bytes: pairs of
 * uint32_t, order and channel. A device without images has none. */
int32_t clue_image_formats(int64_t *size_out, int32_t context, int64_t flags, uint32_t type, void *value,
                           int64_t capacity);

/* Describes how kernels read images. normalized: 1 for coordinates from 0 to 1, which CL_ADDRESS_REPEAT and
 * CL_ADDRESS_MIRRORED_REPEAT need; 0 for pixels. addressing: CL_ADDRESS_*, the pixels beyond an image's edges.
 * filter: CL_FILTER_*. */
int32_t clue_sampler_create(int32_t *sampler_out, int32_t context, int32_t normalized, uint32_t addressing,
                            uint32_t filter);

/* ---- queues -----------------------------------------------------------------------------------------------------
 * Queues besides the context's own. A queue is in order unless it was made out of order. Commands on two queues may
 * run at the same time, and neither queue waits for the other. To use the results of the first queue in the second,
 * let a command wait for an event (clue_queue_wait_for), or finish the first queue. Freeing a queue waits for its
 * commands, except for those that wait for a user event: they run later, without the handle.
 *
 * In a queue in order, all commands behind a failed one fail too, and so do their events. The first command behind
 * it for which the host waits at once (a transfer, a mapping) is refused, with the failed command's name in the
 * message; after that, the queue works again. In a queue out of order, the same holds for commands behind a
 * barrier. */

/* device: one of the context's, or the context for its first. properties: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
 * which fails if the device has no such queues; CL_QUEUE_PROFILING_ENABLE, which is ignored if the device cannot
 * profile; both, or 0. */
int32_t clue_queue_create(int32_t *queue_out, int32_t context, int32_t device, int64_t properties);
/* Waits for all commands, also those that were enqueued through the driver's own handle (clue_handle_pointer).
 * Fails if a command failed and the queue has not reported that before. */
int32_t clue_queue_finish(int32_t queue);
/* Makes the driver begin with the enqueued commands. */
int32_t clue_queue_flush(int32_t queue);
/* Gives the events that the next command on the queue waits for before it begins. They must be of the queue's
 * context; with a count of 0 it waits for none. The next command uses up the list even if it fails. A wait that
 * could never end, because the waiting host would have to set a user event, is refused here as in every wait
 * (CL_INVALID_OPERATION). */
int32_t clue_queue_wait_for(int32_t queue, const int32_t *events, int32_t count);
/* Commands that do nothing. They are complete when the events that they wait for are; without such a list, when all
 * commands before them are. Commands behind a barrier also wait for the barrier. */
int32_t clue_queue_marker(int32_t *event_out, int32_t queue);
int32_t clue_queue_barrier(int32_t *event_out, int32_t queue);
/* As clue_kernel_execute(), on any queue of the kernel's context. */
int32_t clue_queue_execute(int32_t *event_out, int32_t queue, int32_t kernel, int32_t dimensions,
                           const int64_t *offset, const int64_t *global, const int64_t *local);

/* ---- queues: commands on memory ---------------------------------------------------------------------------------
 * `memory` is a buffer or shared virtual memory; the kind of the handle decides which OpenCL call is made. */

/* Both return when the copy is done; in a queue in order, so is everything that was enqueued before. With an
 * event_out they return at once: then the host's memory must stay where it is until the event is complete
 * (clue_array_settle). */
int32_t clue_queue_write(int32_t *event_out, int32_t queue, int32_t memory, int64_t offset, const void *data,
                         int64_t size);
int32_t clue_queue_read(int32_t *event_out, void *data_out, int32_t queue, int32_t memory, int64_t offset,
                        int64_t size);
/* Copies between two ranges of the same kind of memory, which must not overlap; returns at once. */
int32_t clue_queue_copy(int32_t *event_out, int32_t queue, int32_t from, int64_t from_offset, int32_t to,
                        int64_t to_offset, int64_t size);
/* Repeats a pattern of 1, 2, 4, ... or 128 bytes; offset and size must be multiples of that. Returns at once. */
int32_t clue_queue_fill(int32_t *event_out, int32_t queue, int32_t memory, int64_t offset, int64_t size,
                        const void *pattern, int64_t pattern_size);
/* Moves memory to the queue's device before a command needs it there; returns at once. objects: either buffers and
 * images, or shared virtual memory if the device has OpenCL 2.1. flags: CL_MIGRATE_MEM_OBJECT_HOST (to the host
 * instead), CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED (the contents may be lost), both, or 0. */
int32_t clue_queue_migrate(int32_t *event_out, int32_t queue, const int32_t *objects, int32_t count, int64_t flags);
/* The host's view of a part of the memory, until it is unmapped; returns when the view is ready. flags: CL_MAP_READ
 * and CL_MAP_WRITE, or CL_MAP_WRITE_INVALIDATE_REGION. The mapping is a handle that keeps the memory alive; freeing
 * it also unmaps, and waits for that. If a transfer that uses the mapped memory then waits for a user event, it is
 * unmapped when a mapping is made or freed after that transfer. Commands that conflict with a mapping are refused:
 * kernels and transfers on memory that is mapped for writing, writes to memory that is mapped for reading. Mappings
 * of fine-grained memory exclude nothing. */
int32_t clue_queue_map(void **data_out, int32_t *mapping_out, int32_t queue, int32_t memory, int64_t flags,
                       int64_t offset, int64_t size);
/* Ends a mapping of memory or of an image. Returns at once, or when the transfers of other queues that use the
 * mapped memory have ended; fails if one of them waits for a user event that is not set. */
int32_t clue_queue_unmap(int32_t queue, int32_t mapping);

/* A box of bytes: region[2] slices of region[1] rows of region[0] bytes. It is read from one place and written to
 * another. Origins count bytes, rows and slices; pitches are the bytes from row to row and from slice to slice (0:
 * side by side). */
typedef struct clue_rect {
    int64_t region[3];
    int64_t from_origin[3], from_row_pitch, from_slice_pitch;
    int64_t to_origin[3], to_row_pitch, to_slice_pitch;
} clue_rect;

/* The transfers and the copy of a box; for buffers only. size: that of all the host's memory. */
int32_t clue_queue_write_rect(int32_t *event_out, int32_t queue, int32_t buffer, const void *data, int64_t size,
                              const clue_rect *rect);
int32_t clue_queue_read_rect(int32_t *event_out, void *data_out, int32_t queue, int32_t buffer, int64_t size,
                             const clue_rect *rect);
int32_t clue_queue_copy_rect(int32_t *event_out, int32_t queue, int32_t from, int32_t to, const clue_rect *rect);

/* ---- graphs -----------------------------------------------------------------------------------------------------
 * A sequence of commands that is recorded once and then replayed by one call. A replay goes through one command
 * buffer of the driver if it has cl_khr_command_buffer (version 0.9) and the graph has no writes and reads;
 * otherwise clue enqueues the commands one after the other. A captured or profiled run and a traced one always do
 * that.
 *
 * Kernels, and the copies, fills, writes and reads of buffers, can be recorded; every other command is refused. A
 * kernel is recorded with its present arguments: setting them later does not change the graph. The commands run in
 * their order. A write or read uses the host's memory as it is at the replay; one for which the caller would wait
 * lets the replay wait for all commands. Commands of a graph are numbered from 1. */

/* Begins a graph for a queue in order. What is enqueued on the queue *commands_out is recorded and does not run;
 * its events refuse every question. That handle is freed by clue_graph_end(). */
int32_t clue_graph_create(int32_t *graph_out, int32_t *commands_out, int32_t queue);
/* Ends the recording. command_buffer: 0 if clue is to enqueue the commands even where the driver has command
 * buffers. Fails if nothing was recorded. */
int32_t clue_graph_end(int32_t graph, int32_t command_buffer);
/* Enqueues all commands on a queue of the same context and device. The event is complete when all commands are; its
 * time is from the beginning of the first to the end of the last. Fails before the first command is enqueued if an
 * object of the graph was freed, if an array of a write or read was freed or moved (see clue_array_settle()) or
 * unmapped, or if a buffer is mapped. If arguments were set since the last replay, clue enqueues the commands; a
 * command buffer is made anew by the next replay before which none was set. */
int32_t clue_graph_replay(int32_t *event_out, int32_t graph, int32_t queue);
/* The number of commands. */
int32_t clue_graph_count(int32_t *count_out, int32_t graph);
/* What a command is: "kernel 'f'", "a copy between buffers". */
int32_t clue_graph_command(const char **what_out, int32_t graph, int32_t number);
/* The kernel of a command, which belongs to the graph: setting its arguments changes the replays from then on.
 * Its last execution is the last replay. Every call gives the same handle until that is freed. */
int32_t clue_graph_kernel(int32_t *kernel_out, int32_t graph, int32_t number);
/* The handles of the objects that a command uses, as raw bytes: an int32_t for each; 0 for a freed one. */
int32_t clue_graph_objects(int64_t *size_out, int32_t graph, int32_t number, void *value, int64_t capacity);
/* 1 if a replay on the queue of the recording goes through a command buffer of the driver, else 0. */
int32_t clue_graph_driver(int32_t *driver_out, int32_t graph);

/* ---- queues: commands on images ---------------------------------------------------------------------------------
 * The pixels of a 1-D buffer image are the bytes of its buffer. These commands refuse such an image: use the
 * buffer. */

/* A part of an image, in pixels. Layers count along the axis after the image's own axes. The pitches describe the
 * host's memory: bytes from row to row and from slice to slice (0: side by side). */
typedef struct clue_image_part {
    int64_t origin[3], region[3], row_pitch, slice_pitch;
} clue_image_part;

/* Like the transfers of a buffer. part: NULL for the whole image. The host's memory must have exactly the bytes of
 * the part, or with pitches at least as many. */
int32_t clue_queue_write_image(int32_t *event_out, int32_t queue, int32_t image, const void *data, int64_t size,
                               const clue_image_part *part);
int32_t clue_queue_read_image(int32_t *event_out, void *data_out, int32_t queue, int32_t image, int64_t size,
                              const clue_image_part *part);
/* These three functions copy and return at once. An origin may be NULL for the first pixel, and region NULL for all
 * pixels from the origin on. In a buffer, the pixels lie side by side. */
int32_t clue_queue_copy_image(int32_t *event_out, int32_t queue, int32_t from, int32_t to,
                              const int64_t *from_origin, const int64_t *to_origin, const int64_t *region);
int32_t clue_queue_copy_image_to_buffer(int32_t *event_out, int32_t queue, int32_t image, int32_t buffer,
                                        const int64_t *origin, const int64_t *region, int64_t offset);
int32_t clue_queue_copy_buffer_to_image(int32_t *event_out, int32_t queue, int32_t buffer, int32_t image,
                                        int64_t offset, const int64_t *origin, const int64_t *region);
/* Fills a part of an image with a colour, which always has four components; otherwise like the copies. */
int32_t clue_queue_fill_image(int32_t *event_out, int32_t queue, int32_t image, const double *colour,
                              const int64_t *origin, const int64_t *region);
/* Like clue_queue_map(). Writes the mapping's pitches to the part, and its bytes to *size_out. */
int32_t clue_queue_map_image(void **data_out, int64_t *size_out, int32_t *mapping_out, int32_t queue, int32_t image,
                             int64_t flags, clue_image_part *part);

/* ---- events -------------------------------------------------------------------------------------------------- */

/* The status of the event's command, a wait for it, and its duration, as clue_kernel_status(), _wait() and _time()
 * give them for a kernel's last execution. */
int32_t clue_event_status(int32_t *status_out, int32_t event);
int32_t clue_event_wait(int32_t event);
int32_t clue_event_time(double *seconds_out, int32_t *clock_out, int32_t event);

/* What the event's command is: "kernel 'f'", "a copy between buffers". */
int32_t clue_event_what(const char **what_out, int32_t event);

enum { CLUE_QUEUED = 0, CLUE_SUBMITTED = 1, CLUE_STARTED = 2, CLUE_ENDED = 3 };

/* The moment at which the command reached one of these states, by the device's timer. Waits for the command's end.
 * All moments of a device and its parts are seconds since the same moment. Fails with
 * CL_PROFILING_INFO_NOT_AVAILABLE if the device has no timer that can be trusted. */
int32_t clue_event_moment(double *seconds_out, int32_t event, int32_t moment);

/* A user event is an event that the host sets, and that commands can wait for. It is set once: to 0 (CL_COMPLETE),
 * or to a number below 0, a failure, with which the waiting commands fail too. If it is freed before it is set, it
 * fails with CL_INVALID_EVENT. */
int32_t clue_user_event_create(int32_t *event_out, int32_t context);
int32_t clue_user_event_set(int32_t event, int32_t status);

/* ---- capture, trace, and what is going on -------------------------------------------------------------------- */

/* Saves one execution of the kernel of this name in a folder: the call'th from now on, counted from 1. The folder
 * must be empty or not exist yet. It gets kernel.cl; the buffers and images before and after as argN.before.npy and
 * argN.after.npy; call.lua, a Lua table of everything else; and a copy of script (NULL: none) as replay.lua. A new
 * capture replaces one that has not happened yet. If an execution cannot be captured, a message on stderr gives the
 * reason, and the kernel runs all the same. */
int32_t clue_capture(const char *kernel, int64_t call, const char *folder, const char *script);

/* Records OpenCL calls and commands in a file, as CLUE_TRACE=FOLDER does for a whole run. If CLUE_TRACE is on, it
 * makes no other file: they go on in that trace's file. *file_out is the path of the file that is written. Queues
 * that were made without profiling have only the host's clock. */
int32_t clue_trace_start(const char **file_out, const char *path);
/* Waits for the enqueued commands, except for those that wait for user events, and writes everything to the
 * file. */
int32_t clue_trace_stop(void);

/* What the library is waiting for now ("kernel 'f'"); NULL if it is not waiting. For signal handlers. */
const char *clue_waiting(void);
/* For handlers of signals that end the process (SIGSEGV). Writes which kernels may have been running and how to
 * find the fault; without such a kernel, what the library was waiting for; otherwise nothing. */
void clue_crash_tell(int32_t descriptor, const char *signal);
/* Which word of this process's command line is a script of clue's (0: none): to find a fault of a kernel, messages
 * then say `clue check SCRIPT`. */
void clue_script_word(int32_t index);
/* The OpenCL call that the library makes now ("clCreateKernel"); NULL: none. For signal handlers. */
const char *clue_calling(void);
/* The same for the end of a time limit ("the time limit of 5 s has passed"), with what to try. */
void clue_hang_tell(int32_t descriptor, const char *limit);

/* ---- arrays: typed memory of the host, and bulk work on it ------------------------------------------------------
 * `type` is CLUE_CHAR to CLUE_DOUBLE; counts are in elements, whose addresses must be multiples of their size. */

int64_t clue_type_size(int32_t type);     /* bytes of one element; 0 for an unknown type */
const char *clue_type_name(int32_t type); /* OpenCL's name, "uchar" */

/* Memory set to zero, and aligned to a page so that a CPU device can use it in place. NULL if the host has none
 * left. Large memory asks the system for huge pages where they fit. */
void *clue_array_allocate(int64_t bytes);
/* The same with a greater alignment, a power of two. If huge_pages is 1, the memory begins with a huge page, and
 * takes all of them at once. The system may give none: clue_array_huge_bytes() says how much of an array lies in
 * them now, or more, if other memory with huge pages is beside it. */
void *clue_array_allocate_aligned(int64_t bytes, int64_t alignment, int32_t huge_pages);
int64_t clue_array_huge_bytes(const void *data, int64_t bytes);
/* Memory like that of clue_array_allocate() with a copy of other memory. */
void *clue_array_copy(const void *source, int64_t bytes);
/* More or less memory with the alignment, and the huge pages, with which data was allocated: a copy of as much as
 * fits, and zeros. data is not freed. */
void *clue_array_resized(const void *data, int64_t bytes);
/* Frees that memory. data may be NULL. */
void clue_array_free(void *data);
/* For bindings, whose garbage collector counts neither this memory nor that of buffers, images and shared virtual
 * memory. clue_memory_crowded() returns 1 if the caller should collect before it makes something of so many bytes;
 * clue_memory_collected() reports that it did, and how much the script's own heap holds: the larger, the later the
 * next collection. */
int32_t clue_memory_crowded(int64_t bytes);
void clue_memory_collected(int64_t heap_bytes);
/* Call it before this memory is freed or moved. Waits for transfers that still use it; without any, it returns at
 * once. Fails only if the wait could never end, because a transfer waits for a user event that is not set. */
int32_t clue_array_settle(const void *data, int64_t size);
/* Settles and frees the memory of an array. If that belongs to a mapping or to buffers, owner is their handle,
 * which is freed; else 0. Memory whose owner is gone is left alone, and so is memory that cannot be settled. */
void clue_array_release(void *data, int64_t size, int32_t owner);
/* What the arrays of LuaJIT's FFI begin with, and their finaliser: LuaJIT compiles none, so one in Lua costs more
 * than the rest of a small array. */
typedef struct clue_array {
    void *data;
    int32_t few, type;
    double count;
    int32_t owner;
} clue_array;
void clue_array_finalise(void *array);

/* Converts one element to and from a double, rounded to nearest. clue_element_store() returns 1; if the type cannot
 * hold the value, it stores nothing and returns 0. */
int32_t clue_element_store(void *element_out, int32_t type, double value);
double clue_element_load(const void *element, int32_t type);
/* The same with decimal text, which is exact for every 64-bit value. text_out has room for 32 characters. */
int32_t clue_element_parse(void *element_out, int32_t type, const char *text);
int32_t clue_element_print(char *text_out, const void *element, int32_t type);

/* Sets all elements. Returns 1, or 0 if the type cannot hold the value. */
int32_t clue_array_fill(void *data_out, int32_t type, int64_t count, double value);
/* The same with an element of the type. */
void clue_array_repeat(void *data_out, int32_t type, int64_t count, const void *element);
/* Writes random elements, uniform in [low, high); for integer types, whole numbers in [low, high]. Returns 1, or 0
 * if the type cannot hold the bounds, low is above high, or the type has no number in the interval. One seed gives
 * the same numbers on every machine; each is a function of seed and index, so devices can make them too:
 * - The generator is Philox4x32-10. The key is the seed, low half first: a whole number from -2^63 to below 2^64
 *   modulo 2^64, any other number as the bits of its double. The counter of block b is b in 64 bits, low half
 *   first, and then zeros.
 * - Types of up to 32 bits: element i uses word i % 4 of block i / 4. 64-bit types: the words 2 * (i % 2), the low
 *   half, and 2 * (i % 2) + 1 of block i / 2.
 * - Integers: low + the high half of word * (high - low + 1). A number's probability differs from that of others
 *   by a factor of at most 1 + (high - low + 1) / 2^32, or / 2^64 for 64-bit types.
 * - float and half: u = (word >> 8) * 2^-24; double: u = (word >> 11) * 2^-53. The number is first + u * width,
 *   each operation rounded to the type; half's to float, and the number then to half. first is the type's least
 *   number from low on; width is the difference to its least number from high on; a number that rounding brought
 *   up to high becomes the greatest below. If width overflows, first and width are halved, the number doubled. */
int32_t clue_array_random(void *data_out, int32_t type, int64_t count, double low, double high, double seed);
/* The interval that bounds mean for half, float or double, in the terms above. Numbers that rounding brought out of
 * it become *least_out or *most_out. *scale_out is 2 where width would overflow, else 1. Fails if the type has no
 * number in [low, high). */
int32_t clue_random_interval(double *first_out, double *width_out, double *scale_out, double *least_out,
                             double *most_out, int32_t type, double low, double high);
/* Converts between types. Returns the index of the first element that the target type cannot hold, else -1. The
 * elements before it are then converted. */
int64_t clue_array_convert(void *data_out, int32_t type, const void *source, int32_t source_type, int64_t count);
/* The first index at which two arrays differ by more than tolerance, else -1. NaN equals only NaN. */
int64_t clue_array_compare(const void *left, const void *right, int32_t type, int64_t count, double tolerance);
/* The first index at which |left - right| > absolute + relative * |right|, computed in double (of 64-bit integers,
 * in long double), else -1. Infinities equal only themselves; NaNs equal each other if equal_nan is 1, else
 * nothing. The types may differ. */
int64_t clue_array_allclose(const void *left, int32_t type, const void *right, int32_t right_type, int64_t count,
                            double relative, double absolute, int32_t equal_nan);
/* The sum of all elements: of integers exact, then rounded once; of others in double, with what each addition loses
 * added up beside it. */
double clue_array_sum(const void *data, int32_t type, int64_t count);
/* The norm of order 1 (the sum of magnitudes), 2 (Euclid's) or infinity (the greatest magnitude); else NaN. */
double clue_array_norm(const void *data, int32_t type, int64_t count, double order);
/* The indexes of the least and the greatest element; among equal ones, the first. NaN is neither; without any other
 * element both are -1. Returns the number of NaNs. */
int64_t clue_array_extremes(int64_t *least_out, int64_t *greatest_out, const void *data, int32_t type,
                            int64_t count);
/* Reverses the bytes of each element, to change the byte order. Returns 1, or 0 for an unknown type. */
int32_t clue_array_swap(void *data, int32_t type, int64_t count);
/* Transposes a matrix of rows x columns, stored by rows, into one of columns x rows. The two must not overlap.
 * Returns 1, or 0 for an unknown type. */
int32_t clue_array_transpose(void *data_out, const void *source, int32_t type, int64_t rows, int64_t columns);

/* ---- files --------------------------------------------------------------------------------------------------- */

/* Fails if the path leads to a folder, a FIFO, a socket or a device; does not open it. Succeeds for a file, for a
 * path that does not exist, and for what the process was given (/dev/stdin, /dev/fd/3, /proc/...). */
int32_t clue_file_check(const char *path);
/* Makes a new file beside the one at a path, to replace it. Write the new file, then rename *made_out to
 * *target_out, which is where the path's links lead. The new file gets the mode of the old one. If the path must be
 * written in place (a FIFO, a device, a file with several names, a file in a folder where this process may not make
 * any), both results are the same and no file is made. Valid until the next call. */
int32_t clue_file_beside(const char **made_out, const char **target_out, const char *path);
/* A new, empty folder in TMPDIR or /tmp, by its absolute path. clue_temporary_remove() removes it with everything
 * in it; so does exit(), and a signal whose handler calls clue_temporary_remove_all(). Valid until then. */
int32_t clue_temporary_folder(const char **path_out);
/* Removes such a folder. Does nothing for any other path. */
void clue_temporary_remove(const char *path);
/* Removes all of them, and the last file that clue_file_beside() made, unless it was renamed; async-signal-safe. */
void clue_temporary_remove_all(void);

/* Adds a driver, the path of its library, to those that the ICD loader will load at the first OpenCL call of this
 * process and of its children. Does nothing if the driver is registered, and has no effect after that call. Changes
 * the variable OCL_ICD_VENDORS. */
int32_t clue_drivers_add(const char *library);
/* 1 if this process, or one that started it, added a driver; else 0. */
int32_t clue_drivers_added(void);

/* PNG files with 8 bits a sample, rows from the top, and 1 to 4 channels: grey, grey and alpha, RGB, RGBA. The
 * first call loads libpng. */

/* Fails if the file has 16 bits a sample. */
int32_t clue_png_size(int32_t *width_out, int32_t *height_out, int32_t *channels_out, const char *path);
/* size: width x height x channels, as clue_png_size() gives them. */
int32_t clue_png_read(void *pixels_out, int64_t size, const char *path);
/* Writes pixels that lie side by side, each with so many channels. */
int32_t clue_png_write(const char *path, const void *pixels, int32_t channels, int32_t width, int32_t height);

/* ---- time, processors, terminal ------------------------------------------------------------------------------ */

double clue_clock_now(void);           /* seconds of a monotonic clock; it may stand still */
void clue_clock_sleep(double seconds); /* a signal ends it early */
/* Limits that may be why something failed, for a message: "; a limit of this process may be the reason: ulimit -v
 * 300000 (KiB of address space)". "" if none is narrow. For signal handlers, too. */
const char *clue_limits_text(void);
int32_t clue_processor_count(void);               /* cores that are online, 256 at most */
int32_t clue_terminal_width(int32_t descriptor);  /* columns; 0 if it is not a terminal */
int32_t clue_terminal_colour(int32_t descriptor); /* 1: CLUE_COLOR is "always"; or it is not "never", and it is a
                                                   * terminal, TERM is not "dumb", NO_COLOR is not set; else 0 */

/* Seconds that processors worked for this process: for all its threads, drivers' ones too, in user and in system
 * mode. Child processes do not count, and devices other than CPUs have no part in it. */
double clue_clock_cpu(void);

/* How often the process went on after it had been suspended (Ctrl-Z, SIGSTOP), since the first of these calls.
 * Clocks run on meanwhile: if the number has changed, a time means nothing. Always 0 if the program handles SIGCONT
 * itself. */
int32_t clue_suspension_count(void);

/* Makes a text safe to print: writes \x1b and so on for control characters and invalid UTF-8; line breaks and tabs
 * stay. out has room for 4 * size + 1 bytes. Returns the number of bytes before the NUL. */
int64_t clue_text_visible(char *out, const char *text, int64_t size);

enum { CLUE_ODD_SIZE = 80 };

/* The place of the next character in a source that looks like another one, or like none: a no-break space, a
 * typographic quotation mark. -1: there is none. what_out: what it is and what to write, in CLUE_ODD_SIZE bytes. */
int64_t clue_text_odd(char *what_out, const char *text, int64_t from, int64_t size);

/* ---- child processes --------------------------------------------------------------------------------------------
 * A child is a small number, 0 or more. It runs in a process group of its own, and is killed when the host ends. */

/* A child that reaches a limit (0: none) is killed with its process group. */
typedef struct clue_child_options {
    const char *const *arguments;   /* ends with NULL; [0] is the program's path */
    const char *const *environment; /* more "NAME=VALUE", ends with NULL; may be NULL */
    double seconds;                 /* limit of wall time */
    double memory;                  /* limit of resident bytes, of all processes in the group */
    int32_t
        result_descriptor; /* > 2: the child writes to a pipe at this number, read as CLUE_STREAM_RESULT; 0: none */
    int32_t input;         /* 1: its standard input is what clue_child_send() sends; 0: it is empty */
    int32_t foreground; /* 1: it has the host's input, output and process group, and gets Ctrl-C alone; one child at
                           a time */
} clue_child_options;

enum { CLUE_STREAM_OUT = 1, CLUE_STREAM_ERR = 2, CLUE_STREAM_RESULT = 3 };
enum {
    CLUE_CHILD_RUNNING = 0,
    CLUE_CHILD_EXITED = 1,    /* value: the exit status */
    CLUE_CHILD_SIGNALLED = 2, /* value: the signal that killed it */
    CLUE_CHILD_TIMEOUT = 3,
    CLUE_CHILD_MEMORY = 4
};

/* Starts a child and returns its number, or -1 after a failure, which clue_error_*() describe. */
int32_t clue_child_start(const clue_child_options *options);
/* Waits up to `seconds` for output or the child's end, and returns CLUE_CHILD_*. If that is not CLUE_CHILD_RUNNING,
 * all output has arrived. A signal ends the wait early. Limits of all children are checked only during a wait. A
 * child blocks when 16 MiB of its output were not taken. When it ends, the rest of its process group is killed. */
int32_t clue_child_wait(int32_t child, double seconds);
/* The value that belongs to CLUE_CHILD_*; 0 while the child runs, and after a limit. */
int32_t clue_child_value(int32_t child);
/* The bytes that have come on a stream since the last call. Returns their number. Valid until the next call for
 * this child. */
int64_t clue_child_take(const char **data_out, int32_t child, int32_t stream);
/* Sends to the child's standard input. Returns the number of bytes that it took: 0 if the pipe is full or no longer
 * read, < 0 if the child has no such input. data NULL ends the input. */
int64_t clue_child_send(int32_t child, const char *data, int64_t size);
/* Sets a new limit of wall time, which counts from now (0: none). */
void clue_child_limit(int32_t child, double seconds);
/* The processor time of what lives of the child's process group, in seconds; < 0: not known. */
double clue_child_time(int32_t child);
/* Kills the child's process group. */
void clue_child_kill(int32_t child);
/* Frees the number; kills the child's process group if it still runs. */
void clue_child_close(int32_t child);
/* Kills the process groups of all children; async-signal-safe. exit() does the same. */
void clue_child_kill_all(void);
/* cdef end */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif

/* error_codes.h - the one list of OpenCL's codes: X(code, name, what the user can do where no more is known). */
#define ERROR_CODES(X)                                                                                             \
    X(-1, CL_DEVICE_NOT_FOUND, "no device of that type: `clue devices` lists what there is")                       \
    X(-2, CL_DEVICE_NOT_AVAILABLE, "the device is there but cannot be used now; does another process hold it?")    \
    X(-3, CL_COMPILER_NOT_AVAILABLE, "the driver has no compiler: only binaries can be used on this device")       \
    X(-4, CL_MEM_OBJECT_ALLOCATION_FAILURE,                                                                        \
      "the device has no room for a buffer or an image: free others or use smaller ones")                          \
    X(-5, CL_OUT_OF_RESOURCES,                                                                                     \
      "the device ran out of registers or memory, which smaller work-groups mend, or a kernel read or wrote out "  \
      "of bounds")                                                                                                 \
    X(-6, CL_OUT_OF_HOST_MEMORY, "the host has no memory left: free arrays and buffers that are not needed")       \
    X(-7, CL_PROFILING_INFO_NOT_AVAILABLE, "the device or its queue gives no kernel times")                        \
    X(-8, CL_MEM_COPY_OVERLAP, "source and destination overlap")                                                   \
    X(-9, CL_IMAGE_FORMAT_MISMATCH, "")                                                                            \
    X(-10, CL_IMAGE_FORMAT_NOT_SUPPORTED, "the device does not have this image format")                            \
    X(-11, CL_BUILD_PROGRAM_FAILURE, "the source does not compile: see the log")                                   \
    X(-12, CL_MAP_FAILURE, "")                                                                                     \
    X(-13, CL_MISALIGNED_SUB_BUFFER_OFFSET, "the origin must be a multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN bits") \
    X(-14, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command that this one waited for has failed")          \
    X(-15, CL_COMPILE_PROGRAM_FAILURE, "the source does not compile: see the log")                                 \
    X(-16, CL_LINKER_NOT_AVAILABLE, "")                                                                            \
    X(-17, CL_LINK_PROGRAM_FAILURE, "the programs do not fit together: see the log")                                                                          \
    X(-18, CL_DEVICE_PARTITION_FAILED, "")                                                                         \
    X(-19, CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "the driver tells nothing about this kernel's arguments")             \
    X(-30, CL_INVALID_VALUE, "")                                                                                   \
    X(-31, CL_INVALID_DEVICE_TYPE, "")                                                                             \
    X(-32, CL_INVALID_PLATFORM, "")                                                                                \
    X(-33, CL_INVALID_DEVICE, "")                                                                                  \
    X(-34, CL_INVALID_CONTEXT, "")                                                                                 \
    X(-35, CL_INVALID_QUEUE_PROPERTIES, "the device does not have this kind of queue")                             \
    X(-36, CL_INVALID_COMMAND_QUEUE, "the queue is dead, as after a kernel that read or wrote out of bounds")      \
    X(-37, CL_INVALID_HOST_PTR, "")                                                                                \
    X(-38, CL_INVALID_MEM_OBJECT, "")                                                                              \
    X(-39, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "")                                                                 \
    X(-40, CL_INVALID_IMAGE_SIZE, "")                                                                              \
    X(-41, CL_INVALID_SAMPLER, "")                                                                                 \
    X(-42, CL_INVALID_BINARY, "the binary is not one of this device and driver")                                   \
    X(-43, CL_INVALID_BUILD_OPTIONS, "the compiler does not know an option: look at CLUE_BUILD_OPTIONS too")       \
    X(-44, CL_INVALID_PROGRAM, "")                                                                                 \
    X(-45, CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built for this device")                             \
    X(-46, CL_INVALID_KERNEL_NAME, "")                                                                             \
    X(-47, CL_INVALID_KERNEL_DEFINITION, "")                                                                       \
    X(-48, CL_INVALID_KERNEL, "")                                                                                  \
    X(-49, CL_INVALID_ARG_INDEX, "")                                                                               \
    X(-50, CL_INVALID_ARG_VALUE, "")                                                                               \
    X(-51, CL_INVALID_ARG_SIZE, "the value's size is not that of the kernel's argument")                           \
    X(-52, CL_INVALID_KERNEL_ARGS, "an argument was never set")                                                    \
    X(-53, CL_INVALID_WORK_DIMENSION, "")                                                                          \
    X(-54, CL_INVALID_WORK_GROUP_SIZE, "the device does not take this local size")                                 \
    X(-55, CL_INVALID_WORK_ITEM_SIZE, "the device does not take this local size")                                  \
    X(-56, CL_INVALID_GLOBAL_OFFSET, "")                                                                           \
    X(-57, CL_INVALID_EVENT_WAIT_LIST, "")                                                                         \
    X(-58, CL_INVALID_EVENT, "")                                                                                   \
    X(-59, CL_INVALID_OPERATION, "")                                                                               \
    X(-60, CL_INVALID_GL_OBJECT, "")                                                                               \
    X(-61, CL_INVALID_BUFFER_SIZE, "")                                                                             \
    X(-62, CL_INVALID_MIP_LEVEL, "")                                                                               \
    X(-63, CL_INVALID_GLOBAL_WORK_SIZE, "")                                                                        \
    X(-64, CL_INVALID_PROPERTY, "")                                                                                \
    X(-65, CL_INVALID_IMAGE_DESCRIPTOR, "")                                                                        \
    X(-66, CL_INVALID_COMPILER_OPTIONS, "the compiler does not know an option")                                    \
    X(-67, CL_INVALID_LINKER_OPTIONS, "the linker does not know an option")                                        \
    X(-68, CL_INVALID_DEVICE_PARTITION_COUNT, "")                                                                  \
    X(-69, CL_INVALID_PIPE_SIZE, "")                                                                               \
    X(-70, CL_INVALID_DEVICE_QUEUE, "")                                                                            \
    X(-71, CL_INVALID_SPEC_ID, "")                                                                                 \
    X(-72, CL_MAX_SIZE_RESTRICTION_EXCEEDED, "")                                                                   \
    X(-1001, CL_PLATFORM_NOT_FOUND_KHR, "no OpenCL driver is registered")                                          \
    X(-9999, CL_NVIDIA_ILLEGAL_ACCESS, "a kernel read or wrote out of bounds")

/* error_codes.h - the one list of OpenCL's codes: X(code, name, what the user can do if nothing more is known). */
#define ERROR_CODES(X)                                                                                             \
    X(-1, CL_DEVICE_NOT_FOUND, "no device of that type: `clue devices` lists what there is")                       \
    X(-2, CL_DEVICE_NOT_AVAILABLE, "the device is there but cannot be used now; does another process hold it?")    \
    X(-3, CL_COMPILER_NOT_AVAILABLE, "the driver has no compiler: only binaries can be used on this device")       \
    X(-4, CL_MEM_OBJECT_ALLOCATION_FAILURE,                                                                        \
      "the device has no room for a buffer or an image: free others or use smaller ones")                          \
    X(-5, CL_OUT_OF_RESOURCES,                                                                                     \
      "the device ran out of registers or memory, which smaller work-groups avoid, or a kernel read or wrote out " \
      "of bounds")                                                                                                 \
    X(-6, CL_OUT_OF_HOST_MEMORY, "the host has no memory left: free arrays and buffers that are not needed")       \
    X(-7, CL_PROFILING_INFO_NOT_AVAILABLE, "the device or its queue gives no kernel times")                        \
    X(-8, CL_MEM_COPY_OVERLAP, "source and destination overlap: copy by way of another buffer")                    \
    X(-9, CL_IMAGE_FORMAT_MISMATCH, "two images must have the same format to be copied: copy by way of a kernel")  \
    X(-10, CL_IMAGE_FORMAT_NOT_SUPPORTED,                                                                          \
      "the device does not have this image format: the message of context:image lists those that it has")          \
    X(-11, CL_BUILD_PROGRAM_FAILURE, "the source does not compile: see the log")                                   \
    X(-12, CL_MAP_FAILURE, "the driver could not map the memory for the host: read and write it instead")          \
    X(-13, CL_MISALIGNED_SUB_BUFFER_OFFSET, "the origin must be a multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN bits") \
    X(-14, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command that this one waited for has failed")          \
    X(-15, CL_COMPILE_PROGRAM_FAILURE, "the source does not compile: see the log")                                 \
    X(-16, CL_LINKER_NOT_AVAILABLE, "the driver has no linker: build the program from its sources in one piece")   \
    X(-17, CL_LINK_PROGRAM_FAILURE,                                                                                \
      "the parts do not fit together: see the log for what is missing or defined twice")                           \
    X(-18, CL_DEVICE_PARTITION_FAILED, "the driver could not divide the device: use fewer or larger parts")        \
    X(-19, CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "the driver has no information about this kernel's arguments")        \
    X(-30, CL_INVALID_VALUE, "an argument of the call is out of its range")                                        \
    X(-31, CL_INVALID_DEVICE_TYPE, "there is no such type of device: use cpu, gpu or accelerator")                 \
    X(-32, CL_INVALID_PLATFORM, "there is no such platform: `clue devices` lists what there is")                   \
    X(-33, CL_INVALID_DEVICE, "there is no such device: `clue devices` lists what there is")                       \
    X(-34, CL_INVALID_CONTEXT, "this is not a context, or not that of the other objects: make all of them in one") \
    X(-35, CL_INVALID_QUEUE_PROPERTIES, "the device does not have this kind of queue")                             \
    X(-36, CL_INVALID_COMMAND_QUEUE, "the queue is dead, as after a kernel that read or wrote out of bounds")      \
    X(-37, CL_INVALID_HOST_PTR,                                                                                    \
      "the flags need memory of the host that was not given, or do not allow the memory that was given")           \
    X(-38, CL_INVALID_MEM_OBJECT, "this is not a buffer or an image of this context, or it was released")          \
    X(-39, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,                                                                     \
      "the image format does not exist: it is an order and a type of channels")                                    \
    X(-40, CL_INVALID_IMAGE_SIZE, "the device has no images of this size")                                         \
    X(-41, CL_INVALID_SAMPLER, "this is not a sampler of this context")                                            \
    X(-42, CL_INVALID_BINARY, "the binary is not for this device and driver: build from source")                   \
    X(-43, CL_INVALID_BUILD_OPTIONS, "the compiler does not know an option: look at CLUE_BUILD_OPTIONS too")       \
    X(-44, CL_INVALID_PROGRAM, "this is not a program, or it was not built")                                       \
    X(-45, CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built for this device")                             \
    X(-46, CL_INVALID_KERNEL_NAME,                                                                                 \
      "the program has no such kernel: compare the names that it has, and look whether the function is declared "  \
      "with kernel")                                                                                               \
    X(-47, CL_INVALID_KERNEL_DEFINITION, "the kernel is not declared alike for all devices of the program")        \
    X(-48, CL_INVALID_KERNEL, "this is not a kernel, or it was released")                                          \
    X(-49, CL_INVALID_ARG_INDEX, "the kernel has no argument with this number: arguments count from 0")            \
    X(-50, CL_INVALID_ARG_VALUE, "the kernel's argument does not take this value")                                 \
    X(-51, CL_INVALID_ARG_SIZE, "the value's size is not that of the kernel's argument")                           \
    X(-52, CL_INVALID_KERNEL_ARGS, "an argument was never set: set all of them before the kernel is executed")     \
    X(-53, CL_INVALID_WORK_DIMENSION, "a range has 1 to 3 dimensions")                                             \
    X(-54, CL_INVALID_WORK_GROUP_SIZE, "the device does not take this local size")                                 \
    X(-55, CL_INVALID_WORK_ITEM_SIZE, "the device does not take this local size")                                  \
    X(-56, CL_INVALID_GLOBAL_OFFSET, "the range, from its offset on, goes beyond what the device can count to")    \
    X(-57, CL_INVALID_EVENT_WAIT_LIST, "this is not an event to wait for, or it is of another context")            \
    X(-58, CL_INVALID_EVENT, "this is not an event, or it was released")                                           \
    X(-59, CL_INVALID_OPERATION, "the object's state, its flags or the device do not allow this")                  \
    X(-60, CL_INVALID_GL_OBJECT, "this is not an OpenGL object, or it has no storage")                             \
    X(-61, CL_INVALID_BUFFER_SIZE,                                                                                 \
      "a buffer has at least 1 byte, and at most the size that the device allows for one allocation")              \
    X(-62, CL_INVALID_MIP_LEVEL, "the OpenGL texture has no such level")                                           \
    X(-63, CL_INVALID_GLOBAL_WORK_SIZE,                                                                            \
      "a range has at least 1 work-item in each dimension, and at most as many as the device can count")           \
    X(-64, CL_INVALID_PROPERTY, "a property of a context, a queue or a division of a device does not exist")       \
    X(-65, CL_INVALID_IMAGE_DESCRIPTOR, "the image's sizes and its type do not go together")                       \
    X(-66, CL_INVALID_COMPILER_OPTIONS, "the compiler does not know an option")                                    \
    X(-67, CL_INVALID_LINKER_OPTIONS, "the linker does not know an option")                                        \
    X(-68, CL_INVALID_DEVICE_PARTITION_COUNT,                                                                      \
      "the parts together have more compute units than the device, or one has none")                               \
    X(-69, CL_INVALID_PIPE_SIZE, "the device has no pipes with packets of this size")                              \
    X(-70, CL_INVALID_DEVICE_QUEUE, "this is not a queue of the device, or not the right one")                     \
    X(-71, CL_INVALID_SPEC_ID, "the program has no such specialisation constant")                                  \
    X(-72, CL_MAX_SIZE_RESTRICTION_EXCEEDED, "the amount is more than the program was compiled for")               \
    X(-1001, CL_PLATFORM_NOT_FOUND_KHR, "no OpenCL driver is registered")                                          \
    X(-9999, CL_NVIDIA_ILLEGAL_ACCESS, "a kernel read or wrote out of bounds")

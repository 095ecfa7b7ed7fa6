/* trace_names.h - OpenCL's names as macros that lead through the trace; see trace.h.
 *
 * Each expands to a call of the function itself, and macros expand once, so the order of the calls is what it was.
 * CL_CALL and CL_MAKE (core.h) stringify the name before that. */
#define TRACED(function, ...) (trace_enter(#function, false), trace_leave((function)(__VA_ARGS__), false))
#define TRACED_WAIT(function, ...) (trace_enter(#function, true), trace_leave((function)(__VA_ARGS__), true))
#define TRACED_MAKE(function, ...) (trace_enter(#function, false), trace_leave_made((function)(__VA_ARGS__)))

/* ---- what makes objects ---- */

#define clCreateContext(...) TRACED_MAKE(clCreateContext, __VA_ARGS__)
#define clCreateProgramWithSource(...) TRACED_MAKE(clCreateProgramWithSource, __VA_ARGS__)
#define clCreateProgramWithBinary(...) TRACED_MAKE(clCreateProgramWithBinary, __VA_ARGS__)
#define clCreateProgramWithIL(...) TRACED_MAKE(clCreateProgramWithIL, __VA_ARGS__)
#define clCreateKernel(...) TRACED_MAKE(clCreateKernel, __VA_ARGS__)
#define clCreateBuffer(...) TRACED_MAKE(clCreateBuffer, __VA_ARGS__)
#define clCreateSubBuffer(...) TRACED_MAKE(clCreateSubBuffer, __VA_ARGS__)
#define clCreateImage(...) TRACED_MAKE(clCreateImage, __VA_ARGS__)
#define clCreateSampler(...) TRACED_MAKE(clCreateSampler, __VA_ARGS__)
#define clCreateUserEvent(...) TRACED_MAKE(clCreateUserEvent, __VA_ARGS__)
#define clLinkProgram(...) TRACED_MAKE(clLinkProgram, __VA_ARGS__)
#define clSVMAlloc(...) TRACED_MAKE(clSVMAlloc, __VA_ARGS__)
#define clCreateSubDevices(...) TRACED(clCreateSubDevices, __VA_ARGS__)

/* ---- what is done to them ---- */

#define clBuildProgram(...) TRACED(clBuildProgram, __VA_ARGS__)
#define clCompileProgram(...) TRACED(clCompileProgram, __VA_ARGS__)
#define clSetKernelArgSVMPointer(...) TRACED(clSetKernelArgSVMPointer, __VA_ARGS__)
#define clSetKernelExecInfo(...) TRACED(clSetKernelExecInfo, __VA_ARGS__)
#define clSetUserEventStatus(...) TRACED(clSetUserEventStatus, __VA_ARGS__)
#define clSetEventCallback(...) TRACED(clSetEventCallback, __VA_ARGS__)
#define clFlush(...) TRACED(clFlush, __VA_ARGS__)
#define clFinish(...) TRACED_WAIT(clFinish, __VA_ARGS__)
#define clWaitForEvents(...) TRACED_WAIT(clWaitForEvents, __VA_ARGS__)

/* ---- questions ---- */

#define clGetPlatformIDs(...) TRACED(clGetPlatformIDs, __VA_ARGS__)
#define clGetPlatformInfo(...) TRACED(clGetPlatformInfo, __VA_ARGS__)
#define clGetDeviceIDs(...) TRACED(clGetDeviceIDs, __VA_ARGS__)
#define clGetDeviceInfo(...) TRACED(clGetDeviceInfo, __VA_ARGS__)
#define clGetContextInfo(...) TRACED(clGetContextInfo, __VA_ARGS__)
#define clGetCommandQueueInfo(...) TRACED(clGetCommandQueueInfo, __VA_ARGS__)
#define clGetProgramInfo(...) TRACED(clGetProgramInfo, __VA_ARGS__)
#define clGetProgramBuildInfo(...) TRACED(clGetProgramBuildInfo, __VA_ARGS__)
#define clGetKernelInfo(...) TRACED(clGetKernelInfo, __VA_ARGS__)
#define clGetKernelArgInfo(...) TRACED(clGetKernelArgInfo, __VA_ARGS__)
#define clGetKernelWorkGroupInfo(...) TRACED(clGetKernelWorkGroupInfo, __VA_ARGS__)
#define clGetKernelSubGroupInfo(...) TRACED(clGetKernelSubGroupInfo, __VA_ARGS__)
#define clGetMemObjectInfo(...) TRACED(clGetMemObjectInfo, __VA_ARGS__)
#define clGetImageInfo(...) TRACED(clGetImageInfo, __VA_ARGS__)
#define clGetSupportedImageFormats(...) TRACED(clGetSupportedImageFormats, __VA_ARGS__)
#define clGetEventInfo(...) TRACED(clGetEventInfo, __VA_ARGS__)
#define clGetEventProfilingInfo(...) TRACED(clGetEventProfilingInfo, __VA_ARGS__)
#define clGetDeviceAndHostTimer(...) TRACED(clGetDeviceAndHostTimer, __VA_ARGS__)
#define clGetHostTimer(...) TRACED(clGetHostTimer, __VA_ARGS__)

/* ---- releases; clRetain* take no time worth a record, clSVMFree gives nothing back ---- */

#define clReleaseContext(...) TRACED(clReleaseContext, __VA_ARGS__)
#define clReleaseProgram(...) TRACED(clReleaseProgram, __VA_ARGS__)
#define clReleaseMemObject(...) TRACED(clReleaseMemObject, __VA_ARGS__)
#define clReleaseSampler(...) TRACED(clReleaseSampler, __VA_ARGS__)
#define clReleaseEvent(...) TRACED(clReleaseEvent, __VA_ARGS__)
#define clReleaseDevice(...) TRACED(clReleaseDevice, __VA_ARGS__)

/* ---- kernels' arguments, queues and commands: functions of trace_calls.c ---- */

#define clSetKernelArg(...) trace_clSetKernelArg(__VA_ARGS__)
#define clReleaseKernel(...) trace_clReleaseKernel(__VA_ARGS__)
#define clCreateCommandQueue(...) trace_clCreateCommandQueue(__VA_ARGS__)
#define clReleaseCommandQueue(...) trace_clReleaseCommandQueue(__VA_ARGS__)
#define clEnqueueNDRangeKernel(...) trace_clEnqueueNDRangeKernel(__VA_ARGS__)
#define clEnqueueReadBuffer(...) trace_clEnqueueReadBuffer(__VA_ARGS__)
#define clEnqueueWriteBuffer(...) trace_clEnqueueWriteBuffer(__VA_ARGS__)
#define clEnqueueReadBufferRect(...) trace_clEnqueueReadBufferRect(__VA_ARGS__)
#define clEnqueueWriteBufferRect(...) trace_clEnqueueWriteBufferRect(__VA_ARGS__)
#define clEnqueueCopyBuffer(...) trace_clEnqueueCopyBuffer(__VA_ARGS__)
#define clEnqueueCopyBufferRect(...) trace_clEnqueueCopyBufferRect(__VA_ARGS__)
#define clEnqueueFillBuffer(...) trace_clEnqueueFillBuffer(__VA_ARGS__)
#define clEnqueueReadImage(...) trace_clEnqueueReadImage(__VA_ARGS__)
#define clEnqueueWriteImage(...) trace_clEnqueueWriteImage(__VA_ARGS__)
#define clEnqueueCopyImage(...) trace_clEnqueueCopyImage(__VA_ARGS__)
#define clEnqueueFillImage(...) trace_clEnqueueFillImage(__VA_ARGS__)
#define clEnqueueCopyImageToBuffer(...) trace_clEnqueueCopyImageToBuffer(__VA_ARGS__)
#define clEnqueueCopyBufferToImage(...) trace_clEnqueueCopyBufferToImage(__VA_ARGS__)
#define clEnqueueMapBuffer(...) trace_clEnqueueMapBuffer(__VA_ARGS__)
#define clEnqueueMapImage(...) trace_clEnqueueMapImage(__VA_ARGS__)
#define clEnqueueUnmapMemObject(...) trace_clEnqueueUnmapMemObject(__VA_ARGS__)
#define clEnqueueMigrateMemObjects(...) trace_clEnqueueMigrateMemObjects(__VA_ARGS__)
#define clEnqueueMarkerWithWaitList(...) trace_clEnqueueMarkerWithWaitList(__VA_ARGS__)
#define clEnqueueBarrierWithWaitList(...) trace_clEnqueueBarrierWithWaitList(__VA_ARGS__)
#define clEnqueueSVMMemcpy(...) trace_clEnqueueSVMMemcpy(__VA_ARGS__)
#define clEnqueueSVMMemFill(...) trace_clEnqueueSVMMemFill(__VA_ARGS__)
#define clEnqueueSVMMap(...) trace_clEnqueueSVMMap(__VA_ARGS__)
#define clEnqueueSVMUnmap(...) trace_clEnqueueSVMUnmap(__VA_ARGS__)

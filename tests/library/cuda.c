/* cuda.c - stands in for CUDA's driver where the tests need its answers: the device's memory is the host's. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int cuInit(unsigned flags);
int cuDeviceGetByPCIBusId(int *device_out, const char *pci);
int cuDevicePrimaryCtxRetain(void **context_out, int device);
int cuCtxSetCurrent(void *context);
int cuMemAlloc_v2(uint64_t *memory_out, size_t bytes);
int cuMemFree_v2(uint64_t memory);
int cuMemsetD8_v2(uint64_t to, unsigned char value, size_t bytes);
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
int cuEventCreate(void **event_out, unsigned flags);
int cuEventRecord(void *event, void *stream);
int cuEventSynchronize(void *event);
int cuEventElapsedTime(float *milliseconds_out, void *start, void *end);

static char something;

int cuInit(unsigned flags) {
    return (int)flags;
}

int cuDeviceGetByPCIBusId(int *device_out, const char *pci) {
    *device_out = 0;
    return pci ? 0 : 1;
}

int cuDevicePrimaryCtxRetain(void **context_out, int device) {
    *context_out = &something;
    return device;
}

int cuCtxSetCurrent(void *context) {
    return context ? 0 : 1;
}

int cuMemAlloc_v2(uint64_t *memory_out, size_t bytes) {
    void *const memory = malloc(bytes);
    *memory_out = (uint64_t)(uintptr_t)memory;
    return memory ? 0 : 2;
}

int cuMemFree_v2(uint64_t memory) {
    free((void *)(uintptr_t)memory);
    return 0;
}

int cuMemsetD8_v2(uint64_t to, unsigned char value, size_t bytes) {
    memset((void *)(uintptr_t)to, value, bytes);
    return 0;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
    memcpy((void *)(uintptr_t)to, from, bytes);
    return 0;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return 0;
}

int cuEventCreate(void **event_out, unsigned flags) {
    *event_out = &something;
    return (int)flags;
}

int cuEventRecord(void *event, void *stream) {
    (void)stream;
    return event ? 0 : 1;
}

int cuEventSynchronize(void *event) {
    return event ? 0 : 1;
}

int cuEventElapsedTime(float *milliseconds_out, void *start, void *end) {
    *milliseconds_out = 0.5f;
    return start && end ? 0 : 1;
}

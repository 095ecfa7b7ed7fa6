// The algorithms of algorithms.lua that CUB has, NVIDIA's library for CUDA: a worker that algorithms_worker.lua can be
// compared with. Made by hand, since clue's build needs no CUDA:
//
//   nvcc -O3 -arch=sm_90 -cudart static -o cub tests/bench/parts/algorithms_cub.cu
//
// Arguments: the sizes, as exponents of 2. CUB's temporary memory is allocated before anything is timed.
#include <cub/cub.cuh>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

using size = long long;

static void check(const cudaError_t error, const char *what)
{
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void finish()
{
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

template <class Item> static Item *memory(const size count)
{
  void *made;
  check(cudaMalloc(&made, count * sizeof(Item)), "cudaMalloc");
  return static_cast<Item *>(made);
}

// Numbers whose bits look random: the finaliser of MurmurHash3.
__global__ void make_bits(unsigned *out, const size count)
{
  for (size i = blockIdx.x * (size)blockDim.x + threadIdx.x; i < count; i += gridDim.x * (size)blockDim.x) {
    unsigned x = (unsigned)i + 1;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    out[i] = x ^ x >> 16;
  }
}

__global__ void make_floats(float *out, const unsigned *bits, const size count)
{
  for (size i = blockIdx.x * (size)blockDim.x + threadIdx.x; i < count; i += gridDim.x * (size)blockDim.x)
    out[i] = (bits[i] >> 8) * 0x1p-24f;
}

// A batch: runs an operation so often, and returns the seconds.
static std::map<std::string, std::function<double(int)>> operations;

// Work is a call of CUB's without its first two arguments, the temporary memory and its bytes.
template <class Work> static std::function<void()> with_memory(Work work)
{
  size_t bytes = 0;
  check(work(nullptr, bytes), "CUB");
  void *temporary = memory<char>(bytes + 1);
  return [=] {
    size_t room = bytes;
    check(work(temporary, room), "CUB");
  };
}

template <class Work> static void add(const std::string &name, Work work)
{
  const auto run = with_memory(work);
  operations[name] = [run](const int count) {
    const double start = now();
    for (int k = 0; k < count; k++)
      run();
    finish();
    return now() - start;
  };
}

// Each sort is waited for, as in the other worker.
template <class Work> static void add_sort(const std::string &name, Work work)
{
  const auto run = with_memory(work);
  operations[name] = [run](const int count) {
    double seconds = 0;
    for (int k = 0; k < count; k++) {
      const double start = now();
      run();
      finish();
      seconds += now() - start;
    }
    return seconds;
  };
}

static void add_all(const std::string &at, const size n)
{
  unsigned *keys = memory<unsigned>(n), *sorted = memory<unsigned>(n), *values = memory<unsigned>(n),
           *placed = memory<unsigned>(n);
  float *x = memory<float>(n), *y = memory<float>(n);
  make_bits<<<4096, 256>>>(keys, n);
  make_floats<<<4096, 256>>>(x, keys, n);
  finish();
  add("reduce sum float" + at, [=](void *room, size_t &bytes) { return cub::DeviceReduce::Sum(room, bytes, x, y, n); });
  add("reduce min float" + at, [=](void *room, size_t &bytes) { return cub::DeviceReduce::Min(room, bytes, x, y, n); });
  add("scan sum float" + at,
      [=](void *room, size_t &bytes) { return cub::DeviceScan::InclusiveSum(room, bytes, x, y, n); });
  add("copy_buffer" + at, [=](void *room, size_t &bytes) {
    bytes = 0;
    return room ? cudaMemcpyAsync(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice) : cudaSuccess;
  });
  add_sort("sort uint" + at,
           [=](void *room, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(room, bytes, keys, sorted, n); });
  add_sort("sort uint, uint" + at, [=](void *room, size_t &bytes) {
    return cub::DeviceRadixSort::SortPairs(room, bytes, keys, sorted, values, placed, n);
  });
  add_sort("sort float" + at,
           [=](void *room, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(room, bytes, x, y, n); });
}

static void list()
{
  bool later = false;
  for (const auto &each : operations) {
    printf("%s%s", later ? "\t" : "", each.first.c_str());
    later = true;
  }
  printf("\n");
}

// Answers orders as serve.lua does.
static void serve()
{
  std::string line;
  puts("ready");
  fflush(stdout);
  while (std::getline(std::cin, line)) {
    const size_t tab = line.find('\t');
    const std::string name = line.substr(0, tab);
    if (name == "end")
      return;
    if (name == "list") {
      list();
    } else {
      const int count = atoi(line.c_str() + tab + 1);
      if (count > 1)
        operations.at(name)(count / 8 + 1);
      printf("%.3f\n", operations.at(name)(count) / count * 1e9);
    }
    fflush(stdout);
  }
}

int main(int count, char **words)
{
  for (int k = 1; k < count; k++)
    add_all(std::string(" 2^") + words[k], (size)1 << atoi(words[k]));
  serve();
}

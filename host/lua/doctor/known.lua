--- The OpenCL drivers for Linux: the names of their libraries, where they are, what they serve.
--
-- Packages are those of Debian 12.
local find = require("clue.shared.list").find
local oclgrind = require "clue.oclgrind"

local known = {}

--- The drivers. stem: the library's name up to ".so"; file: its name in an .icd file; vendor: of the PCI devices that
-- it serves, in hexadecimal; places: its folders besides the loader's.
known.drivers = {
  {
    stem = "libnvidia-opencl", file = "libnvidia-opencl.so.1", icd = "nvidia.icd", label = "NVIDIA", vendor = "10de",
    places = {"/usr/lib/*/nvidia/current", "/usr/local/nvidia/lib64", "/usr/local/nvidia/lib",
              "/usr/local/cuda/compat", "/usr/lib/wsl/lib"},
  },
  {stem = "libpocl", file = "libpocl.so.2", icd = "pocl.icd", label = "PoCL", package = "pocl-opencl-icd"},
  {
    stem = "libRusticlOpenCL", file = "libRusticlOpenCL.so.1", icd = "rusticl.icd", label = "rusticl",
    package = "mesa-opencl-icd",
  },
  {
    stem = "libMesaOpenCL", file = "libMesaOpenCL.so.1", icd = "mesa.icd", label = "Clover",
    package = "mesa-opencl-icd", vendor = "1002",
  },
  {
    stem = "libigdrcl", file = "libigdrcl.so", icd = "intel.icd", label = "Intel GPU", vendor = "8086",
    package = "intel-opencl-icd", places = {"/usr/lib/*/intel-opencl", "/opt/intel/opencl"},
  },
  {
    stem = "libamdocl64", file = "libamdocl64.so", icd = "amdocl64.icd", label = "AMD ROCm", vendor = "1002",
    places = {"/opt/rocm/lib", "/opt/rocm/opencl/lib", "/opt/rocm-*/lib", "/opt/rocm-*/opencl/lib",
              "/opt/amdgpu/lib/*", "/opt/amdgpu-pro/lib/*"},
  },
  {
    stem = "libintelocl", file = "libintelocl.so", icd = "intel-cpu.icd", label = "Intel CPU",
    places = {"/opt/intel/oneapi/compiler/*/lib", "/opt/intel/oneapi/compiler/*/linux/lib/x64",
              "/opt/intel/oneapi/lib", "/opt/intel/opencl*/lib64"},
  },
  {
    stem = "liboclgrind-rt-icd", file = oclgrind.file, icd = "oclgrind.icd", label = "Oclgrind",
    package = "oclgrind", debugger = true, places = oclgrind.places,
  },
}

--- Vendors of PCI devices that have OpenCL drivers.
known.vendors = {["10de"] = "NVIDIA", ["1002"] = "AMD", ["8086"] = "Intel"}

--- A library's name up to ".so".
-- @tparam string library a path or a name
function known.stem(library)
  return (library:match("[^/]*$"):gsub("%.so.*$", ""))
end

--- The known driver of a library.
-- @tparam string library a path or a name
-- @treturn ?table an entry of known.drivers
function known.driver(library)
  return find(known.drivers, function(driver) return driver.stem == known.stem(library) end)
end

return known

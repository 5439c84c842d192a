// The functions of NVML that opgate calls, for FAKE_NVML_DEVICES devices. Signatures as in nvml.h.
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kSuccess = 0;
constexpr int kInvalidArgument = 2;
constexpr int kNotSupported = 3;
constexpr int kNoPermission = 4;
constexpr int kNotFound = 6;
constexpr int kInsufficientSize = 7;
constexpr int kDriverNotLoaded = 9;

struct Fake {
  unsigned index;
};
Fake fakes[8] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}};

unsigned number(const char* variable, unsigned otherwise) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(value, nullptr, 10));
}

bool is(const char* variable, const char* value) {
  const char* const actual = std::getenv(variable);
  return actual != nullptr && std::strcmp(actual, value) == 0;
}

int write(char* text, unsigned length, const char* value) {
  return std::snprintf(text, length, "%s", value) < static_cast<int>(length) ? kSuccess : kInsufficientSize;
}

int write_uuid(const Fake* device, char* text, unsigned length) {
  char uuid[64];
  std::snprintf(uuid, sizeof uuid, "GPU-%u0000000-1111-2222-3333-444444444444", device->index);
  return write(text, length, uuid);
}

}  // namespace

struct FakePciInfo {
  char bus_id_legacy[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};
struct FakeMemory {
  unsigned long long total, free, used;
};
struct FakeProcess {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};

extern "C" {

int nvmlInit_v2() {
  return is("FAKE_NVML_INIT", "no-driver") ? kDriverNotLoaded : kSuccess;
}

const char* nvmlErrorString(int code) {
  return code == kDriverNotLoaded ? "Driver Not Loaded" : code == kNoPermission ? "Insufficient Permissions" : "Other";
}

int nvmlSystemGetDriverVersion(char* text, unsigned length) {
  return write(text, length, "580.159.03");
}

int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 13010;
  return kSuccess;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = number("FAKE_NVML_DEVICES", 1);
  return kSuccess;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, Fake** device) {
  if (index == number("FAKE_NVML_FORBIDDEN", 99)) return kNoPermission;
  if (index >= 8) return kInvalidArgument;
  *device = &fakes[index];
  return kSuccess;
}

int nvmlDeviceGetHandleByUUID(const char* uuid, Fake** device) {
  for (unsigned i = 0; i < number("FAKE_NVML_DEVICES", 1); ++i) {
    char other[96];
    write_uuid(&fakes[i], other, sizeof other);
    if (std::strcmp(uuid, other) == 0) {
      *device = &fakes[i];
      return kSuccess;
    }
  }
  return kNotFound;
}

int nvmlDeviceGetName(Fake*, char* text, unsigned length) {
  return write(text, length, "NVIDIA H200");
}
int nvmlDeviceGetUUID(Fake* device, char* text, unsigned length) {
  return write_uuid(device, text, length);
}

int nvmlDeviceGetMemoryInfo(Fake*, FakeMemory* memory) {
  *memory = {150754820096ULL, 1, 2};
  return kSuccess;
}

int nvmlDeviceGetPciInfo_v3(Fake* device, FakePciInfo* info) {
  std::snprintf(info->bus_id, sizeof info->bus_id, "00000000:%02X:00.0", device->index + 4);
  return kSuccess;
}

int nvmlDeviceGetClockInfo(Fake*, int which, unsigned* mhz) {
  *mhz = which == 1 ? 1755U : which == 2 ? 3201U : 0U;
  return kSuccess;
}

int nvmlDeviceGetMaxClockInfo(Fake*, int which, unsigned* mhz) {
  *mhz = which == 1 ? 1980U : 0U;
  return kSuccess;
}

int nvmlDeviceGetTemperature(Fake*, int sensor, unsigned* celsius) {
  *celsius = 41;
  return sensor == 0 ? kSuccess : kInvalidArgument;
}

int nvmlDeviceGetPowerUsage(Fake*, unsigned* mw) {
  *mw = 123456;
  return is("FAKE_NVML_POWER", "unknown") ? kNotSupported : kSuccess;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(Fake*, unsigned long long* reasons) {
  *reasons = number("FAKE_NVML_THROTTLE", 0) != 0 ? number("FAKE_NVML_THROTTLE", 0) : 0x1'0000'0004ULL;
  return kSuccess;
}

// FAKE_NVML_PROCESSES processes, from pid FAKE_NVML_FIRST_PID upwards.
int nvmlDeviceGetComputeRunningProcesses_v3(Fake*, unsigned* count, FakeProcess* processes) {
  const unsigned all = number("FAKE_NVML_PROCESSES", 0);
  const bool enough = *count >= all;
  *count = all;
  if (!enough) return kInsufficientSize;
  for (unsigned i = 0; i < all; ++i) processes[i] = {number("FAKE_NVML_FIRST_PID", 1) + i, 1, 0, 0};
  return kSuccess;
}

int nvmlDeviceGetPersistenceMode(Fake*, unsigned* mode) {
  *mode = number("FAKE_NVML_PERSISTENCE", 1);
  return kSuccess;
}

int nvmlDeviceGetEccMode(Fake*, unsigned* current, unsigned* pending) {
  *current = 1;
  *pending = 0;
  return kSuccess;
}

int nvmlDeviceGetTotalEccErrors(Fake*, int type, int counter, unsigned long long* count) {
  *count = number("FAKE_NVML_UNCORRECTED", 0);
  return type == 1 && counter == 0 ? kSuccess : kInvalidArgument;
}

// Without FAKE_NVML_MIG as a driver that is too old for it.
int nvmlDeviceGetMigMode(Fake*, unsigned* current, unsigned* pending) {
  *current = number("FAKE_NVML_MIG", 0);
  *pending = *current;
  return std::getenv("FAKE_NVML_MIG") == nullptr ? kNotSupported : kSuccess;
}

int nvmlDeviceGetVirtualizationMode(Fake*, int* mode) {
  *mode = static_cast<int>(number("FAKE_NVML_VIRTUALIZATION", 0));
  return kSuccess;
}

int nvmlDeviceGetEnforcedPowerLimit(Fake*, unsigned* mw) {
  *mw = number("FAKE_NVML_POWER_LIMIT", 700000);
  return kSuccess;
}

int nvmlDeviceGetPowerManagementDefaultLimit(Fake*, unsigned* mw) {
  *mw = 700000;
  return kSuccess;
}

}  // extern "C"

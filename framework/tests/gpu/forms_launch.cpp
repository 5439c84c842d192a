// Kernels launched by other calls than <<<>>>.
#include <cuda.h>

#include "selftest.hpp"

namespace selftest {
namespace {

cudaLaunchConfig_t config_of(const Launch& launch, cudaStream_t stream, cudaLaunchAttribute* attribute) {
  cudaLaunchConfig_t config{};
  config.gridDim = launch.grid;
  config.blockDim = launch.block;
  config.stream = stream;
  config.attrs = attribute;
  config.numAttrs = 1;
  return config;
}

template <Kernel kernel>
class Plain final : public Form {
 public:
  void run(const opgate::Call& call, bool) override { scale_all(call, kernel, call.stream); }
};

// A kernel that is first launched, and so loaded, by one of the calls that are held on trial: the check and the
// calibration make five calls before.
class Late final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    constexpr int kFirst = 7;
    scale_all(call, ++calls_ < kFirst ? Kernel::scale : Kernel::late, call.stream);
  }

 private:
  int calls_ = 0;
};

template <int parts>
class Parts final : public Form {
 public:
  void run(const opgate::Call& call, bool) override { scale_parts(call, parts); }
};

class ClusterLaunch final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    Launch all(call, 0, size_of(call));
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = 2;
    cluster.val.clusterDim.y = 1;
    cluster.val.clusterDim.z = 1;
    const cudaLaunchConfig_t config = config_of(all, call.stream, &cluster);
    OPGATE_CUDA(cudaLaunchKernelExC(&config, address_of(Kernel::clustered), all.arguments));
  }
};

class CooperativeLaunch final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    Launch all(call, 0, size_of(call));
    OPGATE_CUDA(cudaLaunchCooperativeKernel(address_of(Kernel::strided), strided_grid(), all.block, all.arguments, 0,
                                            call.stream));
  }
};

// Two halves; the second may start as soon as the blocks of the first are done.
class ProgrammaticLaunch final : public Form {
 public:
  void run(const opgate::Call& call, bool) override {
    const std::int64_t n = size_of(call);
    scale(call, 0, n / 2, call.stream);
    Launch second(call, n / 2, n);
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = config_of(second, call.stream, &early);
    OPGATE_CUDA(cudaLaunchKernelExC(&config, address_of(Kernel::scale), second.arguments));
  }
};

// Only the driver's API launches; it is looked up, so that no executable needs libcuda.so.1 to start.
class DriverLaunch final : public Form {
 public:
  void set_up(const opgate::Call&) override {
    constexpr unsigned kSince = 11080;  // cuLaunchKernelEx came with CUDA 11.8
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
    OPGATE_CUDA(cudaGetDriverEntryPointByVersion("cuLaunchKernelEx", &found, kSince, cudaEnableDefault, &result));
    if (result != cudaDriverEntryPointSuccess) {
      throw opgate::Error(opgate::ErrorKind::op, "the driver has no cuLaunchKernelEx");
    }
    launch_ = reinterpret_cast<LaunchKernelEx>(found);
    OPGATE_CUDA(cudaGetFuncBySymbol(&function_, address_of(Kernel::scale)));
  }

  void run(const opgate::Call& call, bool) override {
    Launch all(call, 0, size_of(call));
    CUlaunchConfig config{};
    config.gridDimX = all.grid.x;
    config.gridDimY = 1;
    config.gridDimZ = 1;
    config.blockDimX = all.block.x;
    config.blockDimY = 1;
    config.blockDimZ = 1;
    config.hStream = call.stream;
    if (launch_(&config, function_, all.arguments, nullptr) != CUDA_SUCCESS) {
      throw opgate::Error(opgate::ErrorKind::cuda, "cuLaunchKernelEx failed");
    }
  }

 private:
  using LaunchKernelEx = CUresult (*)(const CUlaunchConfig*, CUfunction, void**, void**);
  LaunchKernelEx launch_ = nullptr;
  cudaFunction_t function_ = nullptr;
};

const Registered kPlain{"plain-large", made<Plain<Kernel::scale>>};
const Registered kLate{"late-kernel", made<Late>};
const Registered kStrided{"strided", made<Plain<Kernel::strided>>};
const Registered kClustered{"clustered", made<Plain<Kernel::clustered>>};
const Registered kTwo{"two-kernels", made<Parts<2>>};
const Registered kThree{"three-kernels", made<Parts<3>>};
const Registered kThreeLarge{"three-kernels-large", made<Parts<3>>};  // over 20 us
const Registered kFour{"four-kernels", made<Parts<4>>};
const Registered kEight{"eight-kernels", made<Parts<8>>};
const Registered kMany{"many-launches", made<Parts<1500>>};
const Registered kMillion{"million-launches", made<Parts<5000>>};
const Registered kCluster{"cluster-launch", made<ClusterLaunch>};
const Registered kCooperative{"cooperative-launch", made<CooperativeLaunch>};
const Registered kProgrammatic{"programmatic-launch", made<ProgrammaticLaunch>};
const Registered kDriver{"driver-launch", made<DriverLaunch>};

}  // namespace
}  // namespace selftest

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

namespace opgate::collect {

// Activity buffers that are zero and already mapped when CUPTI asks for one, because it asks in the thread that
// launches. Buffers come back in any thread; those that came back while a phase is open are that phase's.
class BufferPool {
 public:
  struct Free {
    void operator()(std::uint8_t* memory) const noexcept { std::free(memory); }
  };
  using Memory = std::unique_ptr<std::uint8_t, Free>;
  struct Buffer {
    Memory memory;
    std::size_t size = 0;
    std::size_t valid = 0;  // bytes of records in it
  };

  // Sets the size of the buffers handed out from now on and makes spare ones of it. Any size, however small;
  // Error(cupti) when there is no memory.
  void set_size(std::size_t bytes);
  // From now on buffers that come back are kept; those of before are not.
  void open();
  [[nodiscard]] std::size_t size() const;
  // What came back since open(), in the order of completion.
  [[nodiscard]] std::vector<Buffer> close();
  // Makes those of the current size available again; they are zeroed when next wanted.
  void recycle(std::vector<Buffer> buffers);
  // Buffers whose records could not be kept since open(), for want of memory.
  [[nodiscard]] std::size_t lost() const;

  // For the CUPTI callbacks: nullptr and size 0 when there is no memory, which CUPTI counts as dropped records.
  [[nodiscard]] std::uint8_t* request(std::size_t& size) noexcept;
  void complete(std::uint8_t* raw, std::size_t size, std::size_t valid) noexcept;

 private:
  static Memory allocate(std::size_t bytes);

  mutable std::mutex mutex_;
  std::size_t size_ = std::size_t{256} * 1024;
  bool open_ = false;
  std::size_t lost_ = 0;
  std::vector<Memory> clean_;      // of size_ bytes, all zero
  std::vector<Memory> dirty_;      // of size_ bytes, were used
  std::vector<Buffer> completed_;  // came back inside the phase
};

}  // namespace opgate::collect

//===- Cubin.cpp - What is read of a cubin --------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// LLVM's Object library would cost start-up; the section headers of an ELF file
// (System V gABI, "Sections") are all that is needed here.
//===----------------------------------------------------------------------===//
#include "Cubin.h"
#include "llvm/Support/Endian.h"

using namespace ptxpredict;

namespace {

/// Reads of a file where nothing is trusted.
struct Bytes {
  StringRef Text;

  /// The \p T at \p Offset; 0 beyond the end.
  template <typename T>
  uint64_t at(uint64_t Offset) const {
    if (Offset > Text.size() || Text.size() - Offset < sizeof(T))
      return 0;
    return llvm::support::endian::read<T>(Text.data() + Offset,
                                          llvm::endianness::little);
  }
  /// The text at \p Offset up to a zero byte; empty beyond the end.
  StringRef name(uint64_t Offset) const {
    return Offset < Text.size() ? Text.substr(Offset).split('\0').first
                                : StringRef();
  }
};

} // namespace

std::map<std::string, uint64_t> ptxpredict::readCodeSizes(StringRef Cubin) {
  std::map<std::string, uint64_t> Sizes;
  // Magic number, ELFCLASS64, ELFDATA2LSB.
  if (!Cubin.starts_with("\x7f"
                         "ELF\x02\x01"))
    return Sizes;
  Bytes File{Cubin};
  uint64_t Headers = File.at<uint64_t>(0x28); // e_shoff
  uint64_t Size = File.at<uint16_t>(0x3a);    // e_shentsize
  uint64_t Number = File.at<uint16_t>(0x3c);  // e_shnum
  uint64_t Names = File.at<uint16_t>(0x3e);   // e_shstrndx
  constexpr uint64_t HeaderBytes = 64;
  if (Size < HeaderBytes || Headers > Cubin.size())
    return Sizes;
  // Many sections, as with thousands of kernels, are numbered in the first.
  if (Number == 0)
    Number = File.at<uint64_t>(Headers + 0x20); // sh_size
  if (Names == 0xffff)
    Names = File.at<uint32_t>(Headers + 0x28); // sh_link
  if (Number > (Cubin.size() - Headers) / Size || Names >= Number)
    return Sizes;
  uint64_t NameTable = File.at<uint64_t>(Headers + Names * Size + 0x18);
  if (NameTable > Cubin.size())
    return Sizes;
  for (uint64_t I = 0; I != Number; ++I) {
    uint64_t Header = Headers + I * Size;
    StringRef Name = File.name(NameTable + File.at<uint32_t>(Header));
    if (Name.consume_front(".text.") && !Name.empty())
      Sizes[Name.str()] = File.at<uint64_t>(Header + 0x20);
  }
  return Sizes;
}

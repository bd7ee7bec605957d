// Exceptions of C++ in WebAssembly. Debian's libc++abi for wasm32 has the types, but neither __cxa_throw nor a personality: here they
// are, over the instructions of the machine, as the Itanium C++ ABI describes them. One thread, no foreign exceptions, and no
// exception specifications.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <typeinfo>

namespace {

/// Stands in front of every object that is thrown.
struct alignas(16) Header {
  const std::type_info* type;
  void* (*destroy)(void*);
  void* seen;     // the object, as the type that catches it sees it
  Header* outer;  // the exception that was being handled before
  int handlers;   // negative while it is thrown again
};

Header* handled = nullptr;

Header& header_of(void* object) { return static_cast<Header*>(object)[-1]; }

/// The virtual functions of libc++abi's std::type_info, in their order.
class CatchingType {
 public:
  virtual ~CatchingType() = default;
  virtual void first_unused() const = 0;
  virtual void second_unused() const = 0;
  virtual bool can_catch(const CatchingType* thrown, void*& object) const = 0;
};

std::uintptr_t read_unsigned(const std::uint8_t*& at) {
  std::uintptr_t result = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = *at++;
    result |= static_cast<std::uintptr_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return result;
  }
}

std::intptr_t read_signed(const std::uint8_t*& at) {
  std::uintptr_t result = 0;
  for (unsigned shift = 0;;) {
    const std::uint8_t byte = *at++;
    result |= static_cast<std::uintptr_t>(byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    if ((byte & 0x40) != 0 && shift < 8 * sizeof(result)) result |= ~std::uintptr_t{0} << shift;
    return static_cast<std::intptr_t>(result);
  }
}

constexpr std::uint8_t omitted = 0xff;

/// The table that the compiler makes for a function with handlers.
struct HandlerTable {
  const std::uint8_t* places;
  const std::uint8_t* actions;
  const CatchingType* const* types;  // its end: type i is types[-i]

  explicit HandlerTable(const std::uint8_t* at) {
    if (*at++ != omitted) std::abort();  // no landing pads far away
    const std::uint8_t encoding = *at++;
    const std::uintptr_t distance = encoding == omitted ? 0 : read_unsigned(at);
    types = reinterpret_cast<const CatchingType* const*>(at + distance);
    ++at;
    const std::uintptr_t length = read_unsigned(at);
    places = at;
    actions = at + length;
  }
};

/// The number of the handler for the exception at a place of the function; 0 if there is none.
std::uintptr_t handler_for(const HandlerTable& table, std::uintptr_t place, Header& header, void* object) {
  const std::uint8_t* at = table.places;
  std::uintptr_t action = 0;
  for (std::uintptr_t i = 0; i <= place; ++i) {
    read_unsigned(at);
    action = read_unsigned(at);
  }
  if (action == 0) return 0;
  for (at = table.actions + action - 1;;) {
    const std::intptr_t type = read_signed(at);
    if (type > 0) {
      const CatchingType* const wanted = table.types[-type];
      void* seen = object;
      if (wanted == nullptr || wanted->can_catch(reinterpret_cast<const CatchingType*>(header.type), seen)) {
        header.seen = seen;
        return static_cast<std::uintptr_t>(type);
      }
    }
    const std::uint8_t* const base = at;
    const std::intptr_t next = read_signed(at);
    if (next == 0) return 0;
    at = base + next;
  }
}

[[noreturn]] void raise(void* object) { __builtin_wasm_throw(0, object); }

}  // namespace

extern "C" {

/// What a landing pad fills in before it asks, and reads afterwards.
struct LandingPadContext {
  std::uintptr_t place;
  const std::uint8_t* table;
  std::uintptr_t selector;
} __wasm_lpad_context;

int _Unwind_CallPersonality(void* object) {
  __wasm_lpad_context.selector = handler_for(HandlerTable(__wasm_lpad_context.table),
                                             __wasm_lpad_context.place, header_of(object), object);
  return 0;
}

void* __cxa_allocate_exception(std::size_t size) throw() {
  auto* const header =
      static_cast<Header*>(std::aligned_alloc(alignof(Header), (sizeof(Header) + size + 15) / 16 * 16));
  if (header == nullptr) std::abort();
  return header + 1;
}

void __cxa_free_exception(void* object) throw() { std::free(&header_of(object)); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
  header_of(object) = {type, destroy, object, nullptr, 0};
  raise(object);
}

void* __cxa_begin_catch(void* object) throw() {
  Header& header = header_of(object);
  header.handlers = (header.handlers < 0 ? -header.handlers : header.handlers) + 1;
  if (handled != &header) {
    header.outer = handled;
    handled = &header;
  }
  return header.seen;
}

void __cxa_end_catch() {
  Header* const header = handled;
  if (header->handlers < 0) {
    if (++header->handlers == 0) handled = header->outer;
  } else if (--header->handlers == 0) {
    handled = header->outer;
    if (header->destroy != nullptr) header->destroy(header + 1);
    __cxa_free_exception(header + 1);
  }
}

[[noreturn]] void __cxa_rethrow() {
  if (handled == nullptr) std::terminate();
  handled->handlers = -handled->handlers;
  raise(handled + 1);
}

void* __cxa_get_exception_ptr(void* object) throw() { return header_of(object).seen; }

// Debian's compiler-rt for wasm32 is compiled with the stack protector.
std::uintptr_t __stack_chk_guard = 0x8a3c91e7;
[[noreturn]] void __stack_chk_fail() { std::abort(); }
}

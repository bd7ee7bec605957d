// The list of methods for the free motion, as suites of the tests need it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "polhode/free_motion/methods.hpp"

namespace polhode::reference {

using namespace core;

template <class Tuple>
struct AsTypes;
template <class... M>
struct AsTypes<std::tuple<M...>> {
  using type = ::testing::Types<M...>;
};

struct MethodName {
  template <class M>
  static std::string GetName(int) {
    std::string name(M::info.name);
    for (char& c : name)
      if (c == '-') c = '_';
    return name;
  }
};

/// The method of the same name over another scalar.
template <class Method, class T>
struct Rebind;
template <template <class> class M, class From, class T>
struct Rebind<M<From>, T> {
  using type = M<T>;
};
template <class From, int order, class T>
struct Rebind<MoserVeselov<From, order>, T> {
  using type = MoserVeselov<T, order>;
};
template <class From, int order, class T>
struct Rebind<Magnus<From, order>, T> {
  using type = Magnus<T, order>;
};
template <class From, Representation r, class T>
struct Rebind<Frb<From, r>, T> {
  using type = Frb<T, r>;
};
template <class From, template <class> class A, class T>
struct Rebind<JacobiEuler<From, A>, T> {
  using type = JacobiEuler<T, A>;
};

}  // namespace polhode::reference

// The list of methods for the free rigid body: what is in it has a name in scenario files, is listed by the
// command, and passes the conformance suite of the tests.
#pragma once

#include <tuple>
#include <type_traits>

#include "polhode/free_motion/engine_formulas.hpp"
#include "polhode/free_motion/exact.hpp"
#include "polhode/free_motion/frb.hpp"
#include "polhode/free_motion/jacobi_euler.hpp"
#include "polhode/free_motion/jacobi_kept.hpp"
#include "polhode/free_motion/magnus.hpp"
#include "polhode/free_motion/mclachlan_reich.hpp"
#include "polhode/free_motion/moser_veselov.hpp"
#include "polhode/free_motion/rk4.hpp"

namespace POLHODE_CORE {

template <Scalar T>
using FreeMotionMethods =
    std::tuple<Exact<T>, FrbMatrix<T>, FrbQuaternion<T>, JacobiStandard<T>, JacobiReduced<T>, JacobiKept<T>,
               Magnus<T, 2>, Magnus<T, 4>, MoserVeselov<T, 2>, MoserVeselov<T, 4>, MoserVeselov<T, 6>,
               MoserVeselov<T, 8>, MoserVeselov<T, 10>, McLachlanReich<T>, RungeKutta4<T>, ExplicitEuler<T>,
               MomentumKept<T>, ImplicitEuler<T>, ImplicitMidpoint<T>>;

/// Calls visit(std::type_identity<Method>{}) for each method of the list.
template <Scalar T, class Visitor>
void for_each_free_motion_method(Visitor&& visit) {
  [&]<class... Methods>(std::type_identity<std::tuple<Methods...>>) {
    (visit(std::type_identity<Methods>{}), ...);
  }(std::type_identity<FreeMotionMethods<T>>{});
}

}  // namespace POLHODE_CORE

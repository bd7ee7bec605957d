// The splitting schemes, as data: what is in the list has a name in scenario files, is listed by the command, and is put to
// the test with every method for the free motion.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "polhode/error.hpp"
#include "polhode/splitting/scheme.hpp"

namespace POLHODE_CORE {

namespace detail {

using Texts = std::string_view;

inline constexpr std::array strang_weights{Texts("")};
inline constexpr std::array yoshida_4{Texts("1.3512071919596576340476878089714608269"), Texts("")};
inline constexpr std::array suzuki_4{Texts("0.41449077179437573714235406286076149571"),
                                     Texts("0.41449077179437573714235406286076149571"), Texts("")};
// (14 - sqrt(19))/108, 2/5, (20 - 7 sqrt(19))/108, -1/10, ...
inline constexpr std::array mclachlan_4{Texts("0.089269454226475244886694611260559114267"),
                                        Texts("0.4"),
                                        Texts("-0.097336042636895508015359943398308422351"),
                                        Texts("-0.1"),
                                        Texts(""),
                                        Texts("")};
inline constexpr std::array blanes_moan_4{Texts("0.0792036964311957"),
                                          Texts("0.209515106613362"),
                                          Texts("0.353172906049774"),
                                          Texts("-0.143851773179818"),
                                          Texts("-0.0420650803577195"),
                                          Texts(""),
                                          Texts("")};
inline constexpr std::array rkn4_6{Texts("0.0829844064174052"),
                                   Texts("0.245298957184271"),
                                   Texts("0.396309801498368"),
                                   Texts("0.604872665711080"),
                                   Texts("-0.0390563049223486"),
                                   Texts(""),
                                   Texts("")};
inline constexpr std::array yoshida_6{Texts("0.784513610477557263819497633866349876"),
                                      Texts("0.235573213359358133684793182978534602"),
                                      Texts("-1.17767998417887100694641568096431573"), Texts("")};
inline constexpr std::array kahan_li_6{
    Texts("0.39216144400731413927925056"), Texts("0.33259913678935943859974864"),
    Texts("-0.70624617255763935980996482"), Texts("0.08221359629355080023149045"), Texts("")};
inline constexpr std::array blanes_moan_6{Texts("0.0502627644003922"),
                                          Texts("0.148816447901042"),
                                          Texts("0.413514300428344"),
                                          Texts("-0.132385865767784"),
                                          Texts("0.0450798897943977"),
                                          Texts("0.067307604692185"),
                                          Texts("-0.188054853819569"),
                                          Texts("0.432666402578175"),
                                          Texts("0.541960678450780"),
                                          Texts(""),
                                          Texts("")};
inline constexpr std::array rkn6_11{Texts("0.0414649985182624"),
                                    Texts("0.123229775946271"),
                                    Texts("0.198128671918067"),
                                    Texts("0.290553797799558"),
                                    Texts("-0.0400061921041533"),
                                    Texts("-0.127049212625417"),
                                    Texts("0.0752539843015807"),
                                    Texts("-0.246331761062075"),
                                    Texts("-0.0115113874206879"),
                                    Texts("0.357208872795928"),
                                    Texts(""),
                                    Texts("")};
// [CZ08 (23)]
inline constexpr std::array rkn6_14{Texts("0.0378593198406116"),
                                    Texts("0.09171915262446165"),
                                    Texts("0.102635633102435"),
                                    Texts("0.183983170005006"),
                                    Texts("-0.0258678882665587"),
                                    Texts("-0.05653436583288827"),
                                    Texts("0.314241403071477"),
                                    Texts("0.004914688774712854"),
                                    Texts("-0.130144459517415"),
                                    Texts("0.143761127168358"),
                                    Texts("0.106417700369543"),
                                    Texts("0.328567693746804"),
                                    Texts("-0.00879424312851058"),
                                    Texts(""),
                                    Texts("")};
inline constexpr std::array mclachlan_8{
    Texts("0.74167036435061295344822780"), Texts("-0.40910082580003159399730010"),
    Texts("0.19075471029623837995387626"), Texts("-0.57386247111608226665638773"),
    Texts("0.29906418130365592384446354"), Texts("0.33462491824529818378495798"),
    Texts("0.31529309239676659663205666"), Texts("")};
inline constexpr std::array kahan_li_8{Texts("0.13020248308889008087881763"),
                                       Texts("0.56116298177510838456196441"),
                                       Texts("-0.38947496264484728640807860"),
                                       Texts("0.15884190655515560089621075"),
                                       Texts("-0.39590389413323757733623154"),
                                       Texts("0.18453964097831570709183254"),
                                       Texts("0.25837438768632204729397911"),
                                       Texts("0.29501172360931029887096624"),
                                       Texts("")};
// Gauss-Legendre quadrature: the nodes and weights of three and four kicks.
inline constexpr std::array aba_6_2{Texts("0.11270166537925831148207346002176003892"),
                                    Texts("0.27777777777777777777777777777777777778"), Texts(""), Texts("")};
inline constexpr std::array aba_8_2{
    Texts("0.06943184420297371238802675555359524745214"), Texts("0.1739274225687269286865319746109997036177"),
    Texts("0.2605776340045981552106403648947824089476"), Texts(""), Texts("")};
inline constexpr std::array aba_10_4{Texts("0.04706710064597250612947887637243678556564"),
                                     Texts("0.1188819173681970199453503950853885936957"),
                                     Texts("0.1847569354170881069247376193702560968574"),
                                     Texts("0.2410504605515015657441667865901651105675"),
                                     Texts("0.2827060056798362053243616565541452479160"),
                                     Texts("-0.2732866667053238060543113981664559460630"),
                                     Texts(""),
                                     Texts("")};
inline constexpr std::array aba_8_6_4{Texts("0.0711334264982231177779387300061549964174"),
                                      Texts("0.183083687472197221961703757166430291072"),
                                      Texts("0.241153427956640098736487795326289649618"),
                                      Texts("0.310782859898574869507522291054262796375"),
                                      Texts("0.521411761772814789212136078067994229991"),
                                      Texts("-0.0265646185119588006972121379164987592663"),
                                      Texts(""),
                                      Texts("")};
inline constexpr std::array aba_10_6_4{Texts("0.03809449742241219545697532230863756534060"),
                                       Texts("0.09585888083707521061077150377145884776921"),
                                       Texts("0.1452987161169137492940200726606637497442"),
                                       Texts("0.2044461531429987806805077839164344779763"),
                                       Texts("0.2076276957255412507162056113249882065158"),
                                       Texts("0.2170703479789911017143385924306336714532"),
                                       Texts("0.4359097036515261592231548624010651844006"),
                                       Texts(""),
                                       Texts("")};

}  // namespace detail

inline constexpr std::array schemes{
    Scheme{.name = "strang",
           .summary = "kick, free motion, kick",
           .source = "Str68",
           .order = 2,
           .generalised = {2, 2, 0},
           .first = Part::kick,
           .of_strang_steps = true,
           .coefficients = detail::strang_weights},
    Scheme{.name = "yoshida-4",
           .summary = "triple jump of Strang steps, also of Forest and Ruth",
           .source = "Yos90",
           .order = 4,
           .of_strang_steps = true,
           .coefficients = detail::yoshida_4},
    Scheme{.name = "suzuki-4",
           .summary = "five Strang steps",
           .source = "Suz90",
           .order = 4,
           .of_strang_steps = true,
           .coefficients = detail::suzuki_4},
    Scheme{.name = "mclachlan-4",
           .summary = "five stages of least error",
           .source = "McL95",
           .order = 4,
           .coefficients = detail::mclachlan_4},
    Scheme{.name = "blanes-moan-4",
           .summary = "six stages of least error, S6",
           .source = "BM02",
           .order = 4,
           .coefficients = detail::blanes_moan_4},
    Scheme{.name = "rkn4-6",
           .summary = "six stages of least error, Nystrom",
           .source = "BM02",
           .order = 4,
           .nystrom = true,
           .first = Part::kick,
           .coefficients = detail::rkn4_6},
    Scheme{.name = "yoshida-6",
           .summary = "seven Strang steps, solution A",
           .source = "Yos90",
           .order = 6,
           .of_strang_steps = true,
           .coefficients = detail::yoshida_6},
    Scheme{.name = "kahan-li-6",
           .summary = "nine Strang steps",
           .source = "KL97",
           .order = 6,
           .of_strang_steps = true,
           .coefficients = detail::kahan_li_6},
    Scheme{.name = "blanes-moan-6",
           .summary = "ten stages of least error, S10",
           .source = "BM02",
           .order = 6,
           .coefficients = detail::blanes_moan_6},
    Scheme{.name = "rkn6-11",
           .summary = "eleven stages of least error, Nystrom",
           .source = "BM02",
           .order = 6,
           .nystrom = true,
           .first = Part::kick,
           .coefficients = detail::rkn6_11},
    Scheme{.name = "rkn6-14",
           .summary = "fourteen stages of least error, Nystrom",
           .source = "BM02",
           .order = 6,
           .nystrom = true,
           .coefficients = detail::rkn6_14},
    Scheme{.name = "mclachlan-8",
           .summary = "fifteen Strang steps",
           .source = "McL95",
           .order = 8,
           .of_strang_steps = true,
           .coefficients = detail::mclachlan_8},
    Scheme{.name = "kahan-li-8",
           .summary = "seventeen Strang steps",
           .source = "KL97",
           .order = 8,
           .of_strang_steps = true,
           .coefficients = detail::kahan_li_8},
    Scheme{.name = "aba-6-2",
           .summary = "SABA3, three kicks at Gauss nodes, for nearly free motion",
           .source = "LR01",
           .order = 2,
           .generalised = {6, 2, 0},
           .coefficients = detail::aba_6_2},
    Scheme{.name = "aba-8-2",
           .summary = "SABA4, four kicks at Gauss nodes, for nearly free motion",
           .source = "LR01",
           .order = 2,
           .generalised = {8, 2, 0},
           .coefficients = detail::aba_8_2},
    Scheme{.name = "aba-10-4",
           .summary = "seven kicks, for nearly free motion",
           .source = "BCFLMM13",
           .order = 4,
           .generalised = {10, 4, 0},
           .coefficients = detail::aba_10_4},
    Scheme{.name = "aba-8-6-4",
           .summary = "seven kicks, for nearly free motion",
           .source = "BCFLMM13",
           .order = 4,
           .generalised = {8, 6, 4},
           .coefficients = detail::aba_8_6_4},
    Scheme{.name = "aba-10-6-4",
           .summary = "eight kicks, for nearly free motion",
           .source = "BCFLMM13",
           .order = 4,
           .generalised = {10, 6, 4},
           .coefficients = detail::aba_10_6_4},
};
static_assert(std::ranges::all_of(schemes, detail::well_formed));

/// The scheme of that name, or a null pointer.
constexpr const Scheme* find_scheme(std::string_view name) {
  for (const Scheme& s : schemes)
    if (s.name == name) return &s;
  return nullptr;
}

/// The same, where the name is known to be in the list or the caller is to be told: throws InputError with all names.
constexpr const Scheme& scheme(std::string_view name) {
  if (const Scheme* const found = find_scheme(name)) return *found;
  std::string sentence = "there is no scheme '" + std::string(name.substr(0, 40)) + "'; there are ";
  for (const Scheme& s : schemes) sentence += (&s == schemes.data() ? "" : ", ") + std::string(s.name);
  throw InputError(sentence);
}

}  // namespace POLHODE_CORE

namespace polhode {
using core::scheme;
using core::schemes;
}  // namespace polhode

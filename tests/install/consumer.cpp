// A program of somebody who installed polhode: it sees the installed headers and nothing of the source tree.
#include <polhode_step.h>
#include <polhode/polhode.hpp>
#include <polhode/version.hpp>

#include <iostream>

int main() { std::cout << polhode::version << '\n'; }

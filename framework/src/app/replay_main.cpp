#include "app/case_main.hpp"

// opgate_case: the case runner without an op, for machines without CUDA and for recorded traces.
int main(int argc, char** argv) {
  return opgate::app::case_main(argc, argv, {});
}

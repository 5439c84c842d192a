#include "app/case_main.hpp"
#include "run/cuda_world.hpp"

int main(int argc, char** argv) {
  return opgate::app::case_main(argc, argv, &opgate::run::make_cuda_world);
}

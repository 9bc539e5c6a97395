// main() of the C++ tests of a layer that uses Python: starts the interpreter the layer was built
// for, with the packages of its environment, and runs the tests with the GIL held.
#include <Python.h>
#include <gtest/gtest.h>

#include <cstdio>

namespace {

bool start_python() {
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  // The program name makes Python find the prefix and the site-packages of that interpreter.
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, SPLICE_TEST_PYTHON);
  if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status)) {
    std::fprintf(stderr, "cannot start Python: %s\n", status.err_msg ? status.err_msg : "?");
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (!start_python()) return 2;
  const int failed = RUN_ALL_TESTS();
  return Py_FinalizeEx() < 0 ? 2 : failed;
}

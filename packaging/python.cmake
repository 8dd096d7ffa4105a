# SPDX-License-Identifier: MIT
# Installs the Python package as the component `python` (docs/python.md):
#   cmake --install build/host --prefix PREFIX --component python
# It uses the command, the model and the machines of the component `cox`.
install(TARGETS coxswain_host LIBRARY DESTINATION lib/coxswain COMPONENT python)
# The component `cox` has the package, too, because sweeps and campaigns run in it.
foreach(component python cox)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/coxswain DESTINATION lib/python3/dist-packages COMPONENT ${component}
    FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "*.css" PATTERN "*.js" PATTERN "__pycache__" EXCLUDE)
endforeach()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(SQLite3 3.37 REQUIRED)
# Its name since CMake 4.3; the old one is deprecated there.
if(NOT TARGET SQLite3::SQLite3)
  add_library(SQLite3::SQLite3 INTERFACE IMPORTED)
  target_link_libraries(SQLite3::SQLite3 INTERFACE SQLite::SQLite3)
endif()

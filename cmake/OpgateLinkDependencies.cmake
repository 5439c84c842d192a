find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(SQLite3 3.37 REQUIRED)
# CMake 4 calls it SQLite3::SQLite3.
if(NOT TARGET SQLite::SQLite3)
  add_library(SQLite::SQLite3 INTERFACE IMPORTED)
  target_link_libraries(SQLite::SQLite3 INTERFACE SQLite3::SQLite3)
endif()

# A layer is a folder under src/: one static library, and one test program of its *_test.cpp files.

# Without exceptions, so that the same code can run where there are none (a browser).
function(add_library_of folder target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LINKS")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(${target} PRIVATE -fno-exceptions)
  target_link_libraries(${target} PUBLIC ${arg_LINKS})
endfunction()

function(add_tests_of folder target)
  file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*_test.cpp)
  if(TESSERA_TESTS AND tests)
    add_test_program(${target} ${tests})
  endif()
endfunction()

# A GoogleTest program over the registry of all games. Tests run in the top folder, so that they find their files.
function(add_test_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE tessera_registry GTest::gtest GTest::gtest_main)
  gtest_discover_tests(${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DISCOVERY_MODE PRE_TEST
                       PROPERTIES TIMEOUT 900)
endfunction()

function(add_layer folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS")
  add_library_of(${folder} tessera_${folder} LINKS ${arg_LINKS})
  add_tests_of(${folder} ${folder}_test)
endfunction()

# Every folder under src/games/ is a game: NAME/NAME.hpp declares the class tessera::Name. The registry is generated:
# a source a game, which makes its handle and holds its rules.md, and one source that lists them.
function(add_games)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "LINKS")
  file(GLOB folders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/games/*)
  set(entries)
  set(declarations)
  set(listed)
  set(libraries)
  foreach(folder IN LISTS folders)
    if(NOT IS_DIRECTORY ${folder})
      continue()
    endif()
    get_filename_component(GAME ${folder} NAME)
    string(SUBSTRING ${GAME} 0 1 initial)
    string(SUBSTRING ${GAME} 1 -1 rest)
    string(TOUPPER ${initial} initial)
    set(GAME_CLASS ${initial}${rest})

    add_library_of(games/${GAME} tessera_game_${GAME} LINKS ${arg_LINKS})
    add_tests_of(games/${GAME} ${GAME}_test)
    list(APPEND libraries tessera_game_${GAME})

    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/rules.md)
    file(READ ${folder}/rules.md GAME_RULES)
    set(entry ${PROJECT_BINARY_DIR}/registry/${GAME}.cpp)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/game_entry.cpp.in ${entry} @ONLY)
    list(APPEND entries ${entry})
    string(APPEND declarations "const GameInfo& ${GAME}_info();\n")
    string(APPEND listed "&${GAME}_info(), ")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/registry.cpp.in ${PROJECT_BINARY_DIR}/registry/registry.cpp @ONLY)
  add_library(tessera_registry STATIC ${entries} ${PROJECT_BINARY_DIR}/registry/registry.cpp)
  target_link_libraries(tessera_registry PUBLIC ${libraries})
endfunction()

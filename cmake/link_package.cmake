# cmake -DFROM=python/splice -DTO=<build>/python/splice -P link_package.cmake
# Makes TO hold a link to each entry of FROM and drops links whose entry is gone.
file(MAKE_DIRECTORY "${TO}")
file(GLOB present "${TO}/*")
foreach(path IN LISTS present)
  if(IS_SYMLINK "${path}")
    file(REMOVE "${path}")
  endif()
endforeach()
file(GLOB entries RELATIVE "${FROM}" "${FROM}/*")
list(REMOVE_ITEM entries __pycache__)
foreach(entry IN LISTS entries)
  file(CREATE_LINK "${FROM}/${entry}" "${TO}/${entry}" SYMBOLIC)
endforeach()

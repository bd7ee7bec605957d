# The comments of the C headers for Doxygen: one before a declaration, one after an enumerator. Lines that head a section are left out.
/^\/\* -{3,}.*\*\/$/d
s,^( *)/\* ,\1/** ,
s,([^ ] +)/\*\* ,\1/**< ,
s,([^ ] +)/\* ,\1/**< ,

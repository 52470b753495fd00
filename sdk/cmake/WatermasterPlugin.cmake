# wm_add_plugin(NAME MANIFEST plugin.ini SOURCES ...): a plugin as the host loads it.

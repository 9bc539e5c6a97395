"""The version, in one place: read by CMakeLists.txt and pyproject.toml as text."""

__version__ = "0.1.0"

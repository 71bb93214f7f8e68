"""Profiles: how a foreign log becomes the canonical one, without code for a new operator."""

from audit.profile.database import files_of, log_database, stored_tables
from audit.profile.find import Files, Matched, find_files
from audit.profile.load import load_profile, shipped
from audit.profile.model import Profile, TableMap
from audit.profile.query import Rows, run_query
from audit.profile.translate import Translated, translate

__all__ = [
    "Files",
    "Matched",
    "Profile",
    "Rows",
    "TableMap",
    "Translated",
    "files_of",
    "find_files",
    "load_profile",
    "log_database",
    "run_query",
    "shipped",
    "stored_tables",
    "translate",
]

"""Packed libraries: read as the command reads them, with the same limits."""

import io
import zipfile

import ludex
import pytest
from conftest import CLASSICS

MANIFEST = "ludex-library: 1\nname: classics\nversion: 1.0.0\nauthor: Ada\nlicence: CC0-1.0\n"


def packed(path, more=()):
    """Pig as `ludex pack` packs it, and whatever else there is to be in it."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ludex.yaml", MANIFEST)
        for file in sorted((CLASSICS / "rules" / "pig").rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(CLASSICS).as_posix())
        for name, content in more:
            archive.writestr(name, content)
    return path


def refused(path):
    with pytest.raises(ludex.Error) as error:
        ludex.load("pig", library=path)
    return error.value


def test_a_packed_library_is_played_as_its_folder(tmp_path, pig):
    game = ludex.load("pig", library=packed(tmp_path / "classics.zip"))
    assert game.hash == pig.hash
    assert game.sim(100) == pig.sim(100)
    assert "pig" in ludex.games(library=str(tmp_path / "classics.zip"))


def test_a_name_that_leads_out_of_the_library_is_refused(tmp_path):
    error = refused(packed(tmp_path / "out.zip", [("../rules/pig/more.ludex", "ludex 1\n")]))
    assert error.code == "LX0842" and "leads out of the library" in error.message


def test_what_was_made_to_fill_memory_is_refused(tmp_path):
    error = refused(packed(tmp_path / "bomb.zip", [("rules/pig/more.yaml", " " * 900_000)]))
    assert error.code == "LX0843"


def test_what_is_no_zip_is_refused(tmp_path):
    path = tmp_path / "none.zip"
    path.write_bytes(b"PK\x03\x04")
    assert refused(path).code == "LX0841"
    path = tmp_path / "whole.txt"
    path.write_text("a text")
    assert "neither a folder nor a packed library" in refused(path).message


def test_a_library_without_a_manifest_is_refused(tmp_path):
    path = tmp_path / "bare.zip"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("rules/pig/pig.ludex", "ludex 1\n")
    path.write_bytes(buffer.getvalue())
    assert refused(path).code == "LX0844"

"""What a release says about itself is said once, or is the same in every file."""

import re
import tomllib
from pathlib import Path

import pytest

import partwise as pw

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.one_backend
yaml = pytest.importorskip("yaml")


def loaded(*parts):
    return yaml.safe_load(ROOT.joinpath(*parts).read_text())


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_versions_agree():
    changes = re.search(r"^## (\S+) \(([\d-]+)\)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    citation = loaded("CITATION.cff")
    assert changes[1] == citation["version"] == pw.__version__
    assert changes[2] == citation["date-released"].isoformat()
    assert loaded(".ci", "conda", "recipe.yaml")["context"]["version"] == pw.__version__
    assert citation["license"] == project()["project"]["license"] == "MIT"


def test_the_recipe_needs_what_the_package_needs():
    needs = loaded(".ci", "conda", "recipe.yaml")["requirements"]["run"]
    metadata = project()["project"]
    wanted = [f"python{metadata['requires-python']}", *metadata["dependencies"]]
    assert [need.replace(" ", "") for need in needs] == wanted


def test_pythons_agree():
    """Classifiers, wheels, workflow and the page of versions name the same Pythons."""
    metadata = project()
    named = "Programming Language :: Python :: 3."
    pythons = [
        name.removeprefix("Programming Language :: Python :: ")
        for name in metadata["project"]["classifiers"]
        if name.startswith(named)
    ]
    assert metadata["project"]["requires-python"] == f">={pythons[0]}"
    wheels = metadata["tool"]["cibuildwheel"]["build"]
    assert [f"cp{version.replace('.', '')}-*" for version in pythons] == [
        wheel for wheel in wheels if "t-" not in wheel
    ]
    workflow = loaded(".github", "workflows", "checks.yml")["jobs"]["run"]
    assert workflow["strategy"]["matrix"]["python"] == pythons
    page = (ROOT / "docs" / "versions.md").read_text()
    assert f"Python {pythons[0]} to {pythons[-1]};" in page


def test_workflows_run_what_is_here():
    jobs = loaded(".github", "workflows", "checks.yml")["jobs"]
    commands = {
        name: [step["run"] for step in job["steps"] if "run" in step]
        for name, job in jobs.items()
    }
    assert commands["run"] == ["bash .ci/run"]
    assert {commands[name][-1] for name in ("long", "long_debian")} == {
        "bash .ci/long ${{ matrix.step }}"
    }
    long = (ROOT / ".ci" / "long").read_text()
    steps = re.search(r"^all=\(([^)]*)\)$", long, re.M)[1].split()
    assert set(steps) == set(re.findall(r"^step_(\w+)\(\)", long, re.M))
    in_debian = [x["step"] for x in jobs["long_debian"]["strategy"]["matrix"]["include"]]
    assert sorted(jobs["long"]["strategy"]["matrix"]["step"] + in_debian) == sorted(steps)
    publish = loaded(".github", "workflows", "release.yml")["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}  # trusted publishing, no password
    assert publish["if"] == "startsWith(github.ref, 'refs/tags/v')"


def test_the_tests_of_wheels_are_one_list():
    command = project()["tool"]["cibuildwheel"]["test-command"]
    folders = [word for word in command.split() if word.startswith("tests/")]
    script = (ROOT / ".ci" / "wheels").read_text()
    assert re.search(r"-a tests=\((.*)\)", script)[1].split() == folders
    assert all((ROOT / folder).is_dir() for folder in folders)


@pytest.mark.parametrize("name", ["wrong_value", "fault", "proposal"])
def test_templates_of_issues_ask_for_something(name):
    form = loaded(".github", "ISSUE_TEMPLATE", f"{name}.yml")
    asked_for = [field for field in form["body"] if field["type"] != "markdown"]
    assert form["name"]
    assert form["description"]
    assert len({field["id"] for field in asked_for}) == len(asked_for) >= 3
    assert any(field.get("validations", {}).get("required") for field in asked_for)


@pytest.mark.parametrize("name", ["SECURITY.md", "CODE_OF_CONDUCT.md", "docs/versions.md"])
def test_pages_of_the_project_link_to_what_is_there(name):
    path = ROOT / name
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
        assert (path.parent / target).exists(), target
    assert name in (ROOT / "README.md").read_text() + (ROOT / "CONTRIBUTING.md").read_text()

"""The tasks of the project: `nox -l` lists them, `nox -s NAME` runs one.

Sessions that take the package as it is share the environment that the Makefile keeps up to date
(.venv), so they start at once. Those that need another build or other packages make their own.
"""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import nox

nox.needs_version = ">=2024.10"
nox.options.sessions = ["lint", "layers", "stubs", "tests"]
nox.options.reuse_existing_virtualenvs = True

ROOT = Path(__file__).parent
PEERS = ("greedy", "oblique", "logistic", "forest", "optimal")
PROGRAMS = ROOT / ".venv" / "bin"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
BUILD_TOOLS = [*PROJECT["build-system"]["requires"], "cmake>=3.26", "ninja"]
DEV = {need.split("=")[0]: need for need in PROJECT["project"]["optional-dependencies"]["dev"]}
INTERPRETERS = ["3.11", "3.12", "3.13", "3.14"]  # one wheel serves all but the first
LEAST_TYPED = 0.95  # of the public names
STUB = ROOT / "src" / "treewright" / "_core.pyi"


def run(session: nox.Session, program: str, *arguments: str, **options: object) -> None:
    """Run a program of .venv, brought up to date first."""
    session.run("make", "--silent", "dev", external=True, silent=True)
    session.run(str(PROGRAMS / program), *arguments, external=True, **options)


def run_tests(session: nox.Session, *arguments: str, **options: object) -> None:
    """Run pytest of .venv on two processes."""
    run(session, "python", "-m", "pytest", "-n", "2", *arguments, *session.posargs, **options)


def install_wheel(session: nox.Session, *, extra: str = "", options: tuple[str, ...] = ()) -> None:
    """Install treewright as users do, from a wheel of what is compiled for .venv already."""
    folder = Path(session.create_tmp()).resolve() / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    make_wheel = ("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    run(session, "python", *make_wheel, "--wheel-dir", str(folder), ".")
    (wheel,) = folder.glob("*.whl")
    session.install(*options, f"{wheel}{extra}")
    session.install("--force-reinstall", "--no-deps", str(wheel))  # the version may be the same


def build_wheel(session: nox.Session, *, folder: Path) -> Path:
    """Build the source distribution, and from it a wheel, as the package index would get them.

    Wheels of other interpreters stay in the folder.
    """
    unpacked = folder / "unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    for old in folder.glob("*.tar.gz"):
        old.unlink()
    session.install("build", *BUILD_TOOLS)
    make = ("python", "-m", "build", "--no-isolation", "--outdir")
    session.run(*make, str(folder), "--sdist", ".")
    (sources,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(sources, unpacked, filter="data")
    (content,) = unpacked.iterdir()
    session.run(*make, str(unpacked), "--wheel", str(content))
    (wheel,) = unpacked.glob("*.whl")
    return wheel.replace(folder / wheel.name)


def build_into(
    session: nox.Session, *, name: str, extra: str = "", options: tuple[str, ...] = ()
) -> None:
    """Build treewright into the session's own environment, in a build folder of its own."""
    session.install(*BUILD_TOOLS)
    folder = f"--config-settings=build-dir=build/{name}"
    session.install("--no-build-isolation", folder, *options, f".{extra}")


@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """Run the tests that are not marked slow (arguments go to pytest)."""
    run_tests(session, "-m", "not slow")


@nox.session(venv_backend="none")
def long(session: nox.Session) -> None:
    """Run the tests that `make test` leaves out for its time, but for the slow ones."""
    run_tests(session, "-m", "long and not slow")


@nox.session(venv_backend="none")
def slow(session: nox.Session) -> None:
    """Run the slow tests, and the property tests with many more random examples."""
    environment = {"TREEWRIGHT_HYPOTHESIS": "thorough"}
    run_tests(session, "-m", "slow", env=environment)
    if not session.posargs:
        run_tests(session, "-m", "not slow", "tests/properties", env=environment)


@nox.session(venv_backend="none")
def certificates(session: nox.Session) -> None:
    """Hold 100,000 random certificates of optimal trees against trying everything.

    Arguments go to the program: `nox -s certificates -- --count 1000 --first 7`.
    """
    run(session, "python", "tests/twins/certificate_check.py", *session.posargs)


@nox.session(venv_backend="none")
def pmml(session: nox.Session) -> None:
    """Run the tests of exported PMML in the JPMML evaluator too, which needs Java."""
    extra = PROJECT["project"]["optional-dependencies"]["pmml"]
    run(session, "python", "-m", "pip", "install", "--quiet", *extra)
    arguments = session.posargs or ["-k", "pmml"]
    run(session, "python", "-m", "pytest", "tests", *arguments)


@nox.session(venv_backend="none")
def lint(session: nox.Session) -> None:
    """Check layout and habits of Python and C++ and the types of src; with --fix, mend them."""
    fix = "--fix" in session.posargs
    sources = sorted(str(path) for path in ROOT.glob("cpp/**/*.[ch]pp"))
    run(session, "ruff", "check", *(["--fix"] if fix else []), ".")
    run(session, "ruff", "format", *([] if fix else ["--check"]), ".")
    run(session, "clang-format", *(["-i"] if fix else ["--dry-run", "-Werror"]), *sources)
    run(session, "mypy")


@nox.session(venv_backend="none")
def layers(session: nox.Session) -> None:
    """Check that no import and no #include runs against the arrows of the design."""
    run(session, "python", "-m", "pytest", "tests/project/test_layers.py", *session.posargs)


@nox.session(venv_backend="none")
def stubs(session: nox.Session) -> None:
    """Write the stub of the compiled core anew; with --check, fail if that would change it."""
    fresh = Path(session.create_tmp()) / "_core.pyi"
    make_stub = ("python", "-m", "nanobind.stubgen", "-q", "-m", "treewright._core", "-o")
    run(session, *make_stub, str(fresh))
    if "--check" not in session.posargs:
        shutil.copyfile(fresh, STUB)
    elif fresh.read_text() != STUB.read_text():
        session.run("diff", "-u", str(STUB), str(fresh), external=True, success_codes=[0, 1])
        session.error("The stub of the core is out of date: run `nox -s stubs` and commit it.")


@nox.session
def sanitize(session: nox.Session) -> None:
    """Build with the address and undefined-behaviour sanitizers and run the tests over it."""
    options = (
        "--config-settings=cmake.build-type=Debug",
        "--config-settings=cmake.define.TREEWRIGHT_SANITIZE=ON",
    )
    build_into(session, name="sanitize", extra="[test]", options=options)

    def library(name: str) -> str:
        command = [os.environ.get("CXX", "c++"), f"-print-file-name={name}"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    # Python itself is not instrumented: the sanitizers must be there before it starts, and with
    # them libstdc++, so that they find the real __cxa_throw. Python leaks on purpose. Reports go to
    # files because pytest swallows what a dying process writes.
    reports = Path(session.create_tmp()).resolve()
    for old in reports.glob("report.*"):
        old.unlink()
    environment = {
        "LD_PRELOAD": ":".join(map(library, ("libasan.so", "libubsan.so", "libstdc++.so"))),
        "ASAN_OPTIONS": f"detect_leaks=0:allocator_may_return_null=1:log_path='{reports}/report'",
        "UBSAN_OPTIONS": f"print_stacktrace=1:halt_on_error=1:log_path='{reports}/report'",
        "PYTHONMALLOC": "malloc",
    }
    too_slow_here = "tests/cli/test_cli_process.py::test_help_answers_at_once"
    arguments = session.posargs or ["-n", "2", "-m", "not slow", "--deselect", too_slow_here]
    try:
        session.run("python", "-m", "pytest", *arguments, env=environment)
    finally:
        for report in sorted(reports.glob("report.*")):
            session.warn(report.read_text())


@nox.session(venv_backend="none")
def browser(session: nox.Session) -> None:
    """Open the page in a real Chromium, which is installed through apt where that is allowed."""
    if shutil.which("chromium") is None:
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            session.skip("there is no chromium, and only root can install it through apt")
        session.run("apt-get", "update", external=True, silent=True)
        install = ("apt-get", "install", "--yes", "--no-install-recommends")
        session.run(*install, "chromium", "fonts-noto-core", external=True, silent=True)
    needs = PROJECT["project"]["optional-dependencies"]["browser"]
    run(session, "python", "-m", "pip", "install", "--quiet", *needs[1:])
    run(session, "python", "-m", "pytest", *(session.posargs or ["tests/browser"]))


@nox.session(venv_backend="none")
def dask(session: nox.Session) -> None:
    """Run the tests of workers of a Dask cluster, and of Dask's tables."""
    needs = PROJECT["project"]["optional-dependencies"]["dask"]
    run(session, "python", "-m", "pip", "install", "--quiet", *needs)
    arguments = session.posargs or ["-k", "dask", "tests/bigdata"]
    run(session, "python", "-m", "pytest", "-m", "slow or not slow", *arguments)


@nox.session
def minimal(session: nox.Session) -> None:
    """Run the tests over the wheel with required packages only: no data-frame library."""
    install_wheel(session)
    session.install("pytest", "pytest-xdist", "hypothesis", "jsonschema")
    session.run("python", "-m", "pytest", "-n", "2", "-m", "not slow", *session.posargs)


@nox.session
def oldest(session: nox.Session) -> None:
    """Run the tests with the oldest supported release of every required package."""
    constraints = Path(session.create_tmp()) / "constraints.txt"
    needs = [need.replace(">=", "==") for need in PROJECT["project"]["dependencies"]]
    needs.append("pytest<9")  # later ones warn of how older scikit-learn lists its checks
    constraints.write_text("\n".join(needs))
    install_wheel(session, extra="[test]", options=(f"--constraint={constraints}",))
    session.run("python", "-m", "pytest", "-n", "2", "-m", "not slow", *session.posargs)


@nox.session
def wheels(session: nox.Session) -> None:
    """Build sources and wheel, install the wheel in an empty environment and look at it shortly.

    On another interpreter: `nox -s wheels --force-python 3.13`. The wheel stays in build/dist.
    """
    wheel = build_wheel(session, folder=ROOT / "build" / "dist")
    clean = Path(session.create_tmp()).resolve() / "clean"
    session.run("python", "-m", "venv", "--clear", str(clean))
    python = str(clean / ("Scripts" if os.name == "nt" else "bin") / "python")
    session.run(python, "-m", "pip", "install", "--quiet", str(wheel), external=True)
    smoke = str(ROOT / "tests" / "smoke.py")
    session.run(python, "-I", smoke, str(wheel), external=True)
    if "-abi3-" in wheel.name:
        session.install("abi3audit")
        session.run("abi3audit", "--strict", "--summary", str(wheel))


@nox.session(python=INTERPRETERS)
def interpreters(session: nox.Session) -> None:
    """Run the quick tests over the wheels in build/dist on every interpreter that is here.

    They are those that `nox -s wheels` made: with `--force-python 3.12` the one for 3.12 and all
    later releases, with `--force-python 3.11` its own. `nox -s interpreters-3.13` takes one
    interpreter.
    """
    first = session.python == INTERPRETERS[0]
    version = PROJECT["project"]["version"]
    tag, maker = ("cp311-cp311", "3.11") if first else ("cp312-abi3", "3.12")
    found = list((ROOT / "build" / "dist").glob(f"treewright-{version}-{tag}-*.whl"))
    if not found:
        session.error(f"There is no wheel yet: run `nox -s wheels --force-python {maker}`.")
    session.install(f"{found[0]}[test]")
    session.install("--force-reinstall", "--no-deps", str(found[0]))  # the version may be the same
    quick = ("-n", "2", "-m", "not slow and not long")
    session.run("python", "-m", "pytest", *quick, *session.posargs)


@nox.session
def typing(session: nox.Session) -> None:
    """Check types as users meet them: a sample with mypy --strict, and how much is typed at all."""
    install_wheel(session)
    session.install(DEV["mypy"], "pyright[nodejs]==1.*")
    sample = str(ROOT / "tests" / "typing" / "user_sample.py")
    session.chdir(session.create_tmp())  # away from src: the installed package is judged
    session.run("mypy", "--strict", "--config-file=", sample)
    session.run("python", sample, silent=True)
    judge = ("pyright", "--verifytypes", "treewright", "--ignoreexternal", "--outputjson")
    found = session.run(*judge, silent=True, success_codes=[0, 1], stderr=None)
    score = json.loads(str(found))["typeCompleteness"]["completenessScore"]
    session.log(f"{score:.1%} of the public names have a known type")
    if score < LEAST_TYPED:
        session.error(f"At least {LEAST_TYPED:.0%} must have one.")


@nox.session
def coverage(session: nox.Session) -> None:
    """Measure which lines the tests run, of Python and of C++ (arguments go to pytest).

    The figures of every room are printed at the end and, without arguments, go to docs/testing.md;
    pages to look at are in build/coverage.
    """
    options = (
        "--config-settings=cmake.define.TREEWRIGHT_COVERAGE=ON",
        "--config-settings=install.strip=false",
    )
    build_into(session, name="coverage", extra="[dask,test]", options=options)
    session.install("coverage>=7.10", "pytest-cov>=7", "gcovr>=8.4")
    folder = ROOT / "build" / "coverage"
    for counts in (*folder.rglob("*.gcda"), *folder.glob("python.data*")):
        counts.unlink()
    arguments = session.posargs or ["-n", "2", "-m", "not slow"]
    counting = ("python", "-m", "pytest", "--cov", "--cov-report=")
    try:
        session.run(*counting, *arguments)
        if not session.posargs:  # nothing else runs what is written for workers
            session.run(*counting, "--cov-append", "-m", "slow", "tests/bigdata/test_dask.py")
    finally:
        session.run("coverage", "html", "--quiet", "--directory", str(folder / "python"))
        session.run("coverage", "json", "--quiet", "-o", str(folder / "python.json"))
        session.run(
            *("gcovr", "--root", ".", "--filter", "cpp/", str(folder)),
            *("--gcov-executable", os.environ.get("GCOV", "gcov"), "--exclude-throw-branches"),
            "--merge-lines",  # a line of a template counts once
            "--gcov-ignore-parse-errors=negative_hits.warn",
            # hot loops of searches
            "--gcov-ignore-parse-errors=suspicious_hits.warn_once_per_file",
            *("--txt", str(folder / "cpp.txt")),
            *("--html-details", str(folder / "cpp.html")),
            *("--json-summary", str(folder / "cpp.json")),
        )
        page = [] if session.posargs else ["--page", "docs/testing.md"]
        counted = (str(folder / "python.json"), str(folder / "cpp.json"))
        session.run("python", "tools/coverage_tables.py", *counted, *page)


@nox.session
def tidy(session: nox.Session) -> None:
    """Run clang-tidy over the core."""
    session.install("clang-tidy==23.*", *BUILD_TOOLS)
    nanobind = session.run("python", "-m", "nanobind", "--cmake_dir", silent=True)
    session.run(
        *("cmake", "-G", "Ninja", "-S", ".", "-B", "build/tidy"),
        *(f"-Dnanobind_DIR={str(nanobind).strip()}", f"-DPython_EXECUTABLE={sys.executable}"),
    )
    sources = [str(path) for path in sorted(ROOT.glob("cpp/treewright/**/*.cpp"))]
    session.run("clang-tidy", "--quiet", "-p", "build/tidy", *(session.posargs or sources))


@nox.session(venv_backend="none")
def docs(session: nox.Session) -> None:
    """Build the site into build/site from nothing and run the examples of its pages.

    A warning is an error, and so is a page that would load something from the network or has a
    link inside the site that leads nowhere.
    """
    needs = PROJECT["project"]["optional-dependencies"]["docs"]
    run(session, "python", "-m", "pip", "install", "--quiet", *needs[1:])
    for folder in ("docs/made", "build/site", "build/doctrees"):
        shutil.rmtree(ROOT / folder, ignore_errors=True)
    strict = ("--fail-on-warning", "--keep-going", "--jobs", "2", "--quiet")
    folders = ("--doctree-dir", "build/doctrees", "docs", "build/site")
    run(session, "python", "-m", "sphinx", "--builder", "html", *strict, *folders)
    run(session, "python", "tools/check_site.py", "build/site")
    run_tests(session, "tests/project/test_docs.py")


@nox.session(venv_backend="none")
def papers(session: nox.Session) -> None:
    """Hold our numbers against those of the papers, on one page: benchmarks/results/papers.md.

    Some minutes, with stored results where a paper is judged as a whole only; `-- --whole` runs
    every table of every paper for some hours and stores each result.
    """
    overview = ("-m", "benchmarks.papers.overview", "--output", "benchmarks/results/papers.md")
    run(session, "python", *overview, *session.posargs)


@nox.session(venv_backend="none")
def peers(session: nox.Session) -> None:
    """Run the comparisons with other libraries, on tiny sizes to see that they work.

    `-- --whole` measures for some hours and stores the results: close every other program first.
    """
    whole = "--whole" in session.posargs
    for name in PEERS:
        result = ("--output", f"benchmarks/results/peers_{name}.md")
        run(
            session, "python", "-m", f"benchmarks.peers.{name}", *(result if whole else ["--quick"])
        )


@nox.session(venv_backend="none")
def bench(session: nox.Session) -> None:
    """Run one benchmark with its arguments: `nox -s bench -- studies.rounding --quick`."""
    if not session.posargs:
        session.error("Name a program of benchmarks/: nox -s bench -- studies.rounding --quick")
    module, *arguments = session.posargs
    run(session, "python", "-m", f"benchmarks.{module}", *arguments)

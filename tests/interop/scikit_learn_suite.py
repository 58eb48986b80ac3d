"""scikit-learn's own tests of its supervised clustering metrics, run against partwise.

``python tests/interop/scikit_learn_suite.py`` puts the functions of
``partwise.interop.sklearn`` under scikit-learn's names and runs the tests that scikit-learn
installs.
"""

import importlib
import os
import sys

import pytest

from partwise.interop import sklearn as interop

TESTS = ("test_supervised", "test_common")
#: Tests that are left out, and why.
LEFT_OUT = {
    "test_public_entropy_deprecation": "wording: scikit-learn warns that its name will go",
    "test_generalized_average": "no metric: a helper that partwise does without",
}
#: Devices with a memory of their own, of which partwise takes nothing without being told.
DEVICES = ("-device1-", "-cuda-", "-mps-", "-xpu-")
#: What tests of the metrics that need no classes have in their names.
UNSUPERVISED = ("silhouette", "_bouldin_", "_harabasz_")


def replace_names():
    """Put partwise's functions where scikit-learn's tests take them from."""
    modules = [
        importlib.import_module(name)
        for name in (
            "sklearn.metrics",
            "sklearn.metrics.cluster",
            "sklearn.metrics.cluster._supervised",
        )
    ]
    replaced = set()
    for name in interop.__all__:
        for module in modules:
            if hasattr(module, name):
                setattr(module, name, getattr(interop, name))
                replaced.add(name)
    modules[-1]._entropy = interop.entropy
    return replaced


class Suite:
    """What runs, counted."""

    def __init__(self):
        self.left_out = set()

    def pytest_collection_modifyitems(self, config, items):
        """Leave out what tests no metric of partwise."""
        assert items, "scikit-learn installs no tests here"
        kept = []
        for item in items:
            assert item.module.rand_score is interop.rand_score
            name = item.originalname
            if name in LEFT_OUT:
                self.left_out.add(f"{name} ({LEFT_OUT[name]})")
            elif any(device in item.name for device in DEVICES):
                self.left_out.add(f"{name} for arrays on another device (not in main memory)")
            elif (
                "silhouette" in item.name
                or "_bouldin_" in item.name
                or "_harabasz_" in item.name
            ):
                continue  # unsupervised metrics
            else:
                kept.append(item)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


def main():
    """Run the tests; the exit status is pytest's."""
    replace_names()
    modules = [f"sklearn.metrics.cluster.tests.{name}" for name in TESTS]
    suite = Suite()
    settings = ["-c", os.devnull, "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    status = pytest.main([*settings, "--pyargs", *modules], plugins=[suite])
    for name in sorted(suite.left_out):
        print(f"left out: {name}")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Plots as SVG, when matplotlib is there; the measurement does not need it."""

from pathlib import Path


def draw(path: Path, size: tuple, paint) -> bool:
    """Calls `paint(axes)` and writes the figure; the same numbers give the same file.
    False, and no file, without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        path.unlink(missing_ok=True)  # an old plot would not match the new figures
        return False
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "sme", "font.size": 9})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=size)
    paint(axes)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    return True


def lines(path: Path, series: dict, x_label: str, y_label: str) -> bool:
    """A log-log plot. `series` maps a name to points (x, median, least, greatest)."""
    beside = len(series) > 5  # inside, so many names would cover lines

    def paint(axes) -> None:
        for number, (name, points) in enumerate(series.items()):
            if points:
                x, middle, least, greatest = zip(*points)
                style = "-" if number < 10 else "--"  # there are ten colours
                axes.loglog(x, middle, marker="o", markersize=3, linestyle=style, label=name)
                axes.fill_between(x, least, greatest, alpha=0.15)
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.grid(True, which="major", alpha=0.3)
        if beside:
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        else:
            axes.legend()

    return draw(path, (7.6 if beside else 6.4, 4.0), paint)


def bars(path: Path, values: dict, x_label: str) -> bool:
    """Horizontal bars. `values` maps a name to (median, least, greatest)."""

    def paint(axes) -> None:
        names = list(reversed(values))
        middle = [values[name][0] for name in names]
        spread = [[values[name][0] - values[name][1] for name in names],
                  [values[name][2] - values[name][0] for name in names]]
        axes.barh(names, middle, xerr=spread, capsize=3, color="tab:blue", alpha=0.7)
        axes.set_xlabel(x_label)

    return draw(path, (6.4, 0.8 + 0.5 * len(values)), paint)

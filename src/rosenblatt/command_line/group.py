"""The group of all commands."""

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rosenblatt")
def cli() -> None:
    """The perceptron: separate your data, or know for certain that nothing can.

    DATA is a CSV, TSV, white space, Parquet, libsvm, .npy or .npz file, or - for standard input;
    without it, commands use embedded credit data.
    """

"""The order of the gallery: as the course teaches."""

EXAMPLES = [
    "credit",
    "primal_and_dual",
    "rate_and_start",
    "batch_and_stochastic",
    "why_it_stops",
    "when_data_touch",
    "images_in_conflict",
    "stretching",
    "pocket_on_noise",
    "votes",
    "wrong_labels",
    "kernels",
]


class TeachingOrder:
    """A sort key of sphinx-gallery; an example that is not listed is an error."""

    def __init__(self, folder: str) -> None:
        pass

    def __call__(self, file: str) -> int:
        return EXAMPLES.index(file.removesuffix(".py"))

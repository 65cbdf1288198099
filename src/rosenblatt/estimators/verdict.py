"""What a fitted model says of its training, in a sentence for notebooks."""

from rosenblatt.inputs.fitted_model import FittedModel

ENDINGS = {
    "separated": "separated",
    "inseparable": "not separable, proved",
    "margin": "open: no separator has a margin above min_margin",
    "max_iter": "open after max_iter passes",
    "max_updates": "open after max_updates mistakes",
    "tol": "ended by tol",
    "early_stopping": "ended by early stopping",
}


def verdict_of(model: FittedModel) -> str:
    """How training ended, and how many rows the hypothesis gets wrong; for each class if asked."""
    reasons = model.stop_reason_ if isinstance(model.stop_reason_, list) else [model.stop_reason_]
    names = [""] if len(reasons) == 1 else [f"{c}: " for c in model.classes_.tolist()]
    return "; ".join(
        f"{name}{ENDINGS[reason]} ({wrong} training {'row' if wrong == 1 else 'rows'} wrong)"
        for name, reason, wrong in zip(names, reasons, model._errors, strict=True)
    )

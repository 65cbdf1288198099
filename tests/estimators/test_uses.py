"""What people do with scikit-learn's Perceptron can be done with ours, with no other exceptions."""

import copy
import io
import pickle
from contextlib import suppress

import joblib
import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
import sklearn
from sklearn import (
    base,
    calibration,
    compose,
    ensemble,
    feature_selection,
    inspection,
    metrics,
    model_selection,
    multiclass,
    multioutput,
    pipeline,
    preprocessing,
)
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import Perceptron as Peer

from rosenblatt import Perceptron

mpl.use("Agg")
pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]
CANCER, LABELS = load_breast_cancer(return_X_y=True)
CANCER = preprocessing.scale(CANCER)[:200, :6]
LABELS = LABELS[:200]
IRIS, SPECIES = load_iris(return_X_y=True)
FRAME = pd.DataFrame(CANCER, columns=list("abcdef"))
SPARSE = ("csr", "csc", "coo", "lil", "dok", "dia", "bsr")
KINDS = {
    "int8": np.int8,
    "bool": bool,
    "float": float,
    "object": object,
    "str": str,
    "bytes": "S1",
}


def fit_score(model, X=CANCER, y=LABELS):
    return model.fit(X, y).score(X, y)


def search(kind, model, grid, **how):
    found = kind(model, grid, cv=3, **how).fit(CANCER, LABELS)
    assert found.best_score_ > 0.7
    return found.predict(CANCER)


def routed(C):
    with sklearn.config_context(enable_metadata_routing=True):
        model = C().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        weights = {"sample_weight": np.linspace(0.5, 1, 200)}
        model_selection.cross_validate(model, CANCER, LABELS, params=weights)
        piped = pipeline.make_pipeline(preprocessing.StandardScaler(), model)
        return piped.fit(CANCER, LABELS, **weights)


def named(C):
    model = C().fit(FRAME, LABELS)
    assert model.feature_names_in_.tolist() == list("abcdef")
    return model.predict(FRAME)


def through_a_file(model):
    file = io.BytesIO()
    joblib.dump(model.fit(CANCER, LABELS), file)
    file.seek(0)
    return joblib.load(file).predict(CANCER)


def online(model, X=CANCER, y=LABELS):
    for part in np.array_split(np.arange(len(y)), 4):
        model.partial_fit(X[part], y[part], classes=np.unique(y))
    return model.score(X, y)


def one_column(C, X):
    return compose.make_column_transformer(
        (preprocessing.KBinsDiscretizer(3), ["a"]), remainder="passthrough"
    ).fit_transform(X)


def by_hand(C):
    model = C()
    model.coef_, model.intercept_ = np.ones((1, 6)), np.zeros(1)
    model.classes_ = np.array([0, 1])
    return model.predict(CANCER)


def sparsified(C):
    model = C(penalty="l1", max_iter=5, tol=None).fit(CANCER, LABELS).sparsify()
    model.predict(sp.csr_array(CANCER))
    return pickle.loads(pickle.dumps(model)).densify().predict(CANCER)


DISPLAYS = {
    "confusion": metrics.ConfusionMatrixDisplay.from_estimator,
    "roc": metrics.RocCurveDisplay.from_estimator,
    "precision recall": metrics.PrecisionRecallDisplay.from_estimator,
    "det": metrics.DetCurveDisplay.from_estimator,
}
GRID = {"penalty": [None, "l2", "l1", "elasticnet"], "alpha": [1e-4, 1e-2]}
SCORERS = ("accuracy", "f1", "roc_auc", "average_precision", "balanced_accuracy", "precision")
META = {
    "one-vs-one": multiclass.OneVsOneClassifier,
    "one-vs-rest": multiclass.OneVsRestClassifier,
    "output code": multiclass.OutputCodeClassifier,
    "bagging": ensemble.BaggingClassifier,
}
TWO = np.column_stack((SPECIES, SPECIES > 0))
OUTPUTS = {
    "several outputs": multioutput.MultiOutputClassifier,
    "a chain of outputs": multioutput.ClassifierChain,
}
USES = {
    "fit": lambda C: fit_score(C()),
    "three classes": lambda C: fit_score(C(), IRIS, SPECIES),
    "lists": lambda C: C().fit(CANCER.tolist(), LABELS.tolist()).predict(CANCER.tolist()),
    "pipeline": lambda C: fit_score(pipeline.make_pipeline(preprocessing.StandardScaler(), C())),
    "pipeline with frames": lambda C: pipeline.make_pipeline(
        preprocessing.StandardScaler().set_output(transform="pandas"), C()
    ).fit(FRAME, LABELS),
    "sample weights": lambda C: C().fit(CANCER, LABELS, sample_weight=np.ones(200)),
    "start": lambda C: C().fit(CANCER, LABELS, coef_init=np.zeros((1, 6)), intercept_init=0),
    "warm start": lambda C: C(warm_start=True).fit(CANCER, LABELS).fit(CANCER, LABELS).coef_,
    "early stopping": lambda C: C(early_stopping=True, tol=1e-3).fit(CANCER, LABELS).n_iter_,
    "jobs": lambda C: C(n_jobs=2).fit(IRIS, SPECIES).coef_,
    "verbose": lambda C: C(verbose=0).fit(CANCER, LABELS),
    "seed": lambda C: C(random_state=np.random.RandomState(3)).fit(CANCER, LABELS),
    "no seed": lambda C: C(random_state=None).fit(CANCER, LABELS),
    "attributes": lambda C: [
        getattr(C().fit(CANCER, LABELS), name)
        for name in ("coef_", "intercept_", "classes_", "n_iter_", "t_", "n_features_in_")
    ],
    "decision function": lambda C: C().fit(CANCER, LABELS).decision_function(CANCER),
    "routing": routed,
    "names": named,
    "polars": lambda C: C().fit(pl.DataFrame(FRAME.to_dict("list")), LABELS),
    "series": lambda C: C().fit(FRAME, pd.Series(LABELS)).predict(FRAME),
    "categories": lambda C: C().fit(FRAME, pd.Series(LABELS.astype(str), dtype="category")),
    "weights by hand": by_hand,
    "sparsify": sparsified,
    "float32": lambda C: C().fit(CANCER.astype(np.float32), LABELS).coef_.dtype == np.float32,
    "float16": lambda C: C().fit(CANCER.astype(np.float16), LABELS),
    "integers": lambda C: C().fit(np.rint(CANCER * 9).astype(int), LABELS),
    "fortran": lambda C: C().fit(np.asfortranarray(CANCER), LABELS),
    "views": lambda C: C().fit(CANCER[::2, ::-1], LABELS[::2]),
    "read only": lambda C: C().fit(np.frombuffer(CANCER.tobytes()).reshape(200, 6), LABELS),
    "clone": lambda C: base.clone(C(eta0=0.5).fit(CANCER, LABELS)).fit(CANCER, LABELS),
    "copy": lambda C: copy.deepcopy(C().fit(CANCER, LABELS)).predict(CANCER),
    "pickle": lambda C: pickle.loads(pickle.dumps(C().fit(CANCER, LABELS))).predict(CANCER),
    "joblib": lambda C: through_a_file(C()),
    "set params": lambda C: C().set_params(eta0=0.1, penalty="l2").fit(CANCER, LABELS),
    "repr": lambda C: repr(C(eta0=0.1)),
    "html": lambda C: C().fit(CANCER, LABELS)._repr_html_(),
    "html before fit": lambda C: C()._repr_html_(),
    "online": lambda C: online(C()),
    "online, three classes": lambda C: online(C(), IRIS, SPECIES),
    "online after fit": lambda C: online(C().fit(CANCER, LABELS)),
    "grid search": lambda C: search(model_selection.GridSearchCV, C(), GRID),
    "random search": lambda C: search(
        model_selection.RandomizedSearchCV, C(), GRID, n_iter=3, random_state=0
    ),
    "halving": lambda C: search(model_selection.HalvingGridSearchCV, C(), {"eta0": [0.1, 1.0]}),
    "cross-validated predictions": lambda C: model_selection.cross_val_predict(
        C(), CANCER, LABELS, method="decision_function"
    ),
    "learning curve": lambda C: model_selection.learning_curve(C(), CANCER, LABELS),
    "learning curve, online": lambda C: model_selection.learning_curve(
        C(), CANCER, LABELS, exploit_incremental_learning=True, shuffle=True, random_state=0
    ),
    "validation curve": lambda C: model_selection.validation_curve(
        C(penalty="l2", max_iter=5, tol=None),
        CANCER,
        LABELS,
        param_name="alpha",
        param_range=[1e-4, 1e-2],
    ),
    "permutation test": lambda C: model_selection.permutation_test_score(
        C(), CANCER, LABELS, n_permutations=3
    ),
    "returned estimators": lambda C: (
        model_selection.cross_validate(C(), CANCER, LABELS, return_estimator=True)["estimator"][
            0
        ].coef_
    ),
    "calibration, sigmoid": lambda C: fit_score(calibration.CalibratedClassifierCV(C())),
    "calibration, isotonic": lambda C: (
        calibration.CalibratedClassifierCV(C(), method="isotonic", cv=3)
        .fit(CANCER, LABELS)
        .predict_proba(CANCER)
    ),
    "calibration, three classes": lambda C: fit_score(
        calibration.CalibratedClassifierCV(C()), IRIS, SPECIES
    ),
    "boosting": lambda C: fit_score(ensemble.AdaBoostClassifier(C(), n_estimators=3)),
    "stacking": lambda C: fit_score(ensemble.StackingClassifier([("p", C()), ("q", C(eta0=0.1))])),
    "stacked on top": lambda C: fit_score(ensemble.StackingClassifier([("p", Peer())], C())),
    "voting": lambda C: fit_score(ensemble.VotingClassifier([("p", C()), ("q", C(eta0=0.1))])),
    "elimination": lambda C: fit_score(feature_selection.RFE(C(), n_features_to_select=2)),
    "elimination, cross-validated": lambda C: fit_score(feature_selection.RFECV(C(), cv=3)),
    "selection": lambda C: feature_selection.SelectFromModel(
        C(penalty="l1", max_iter=5, tol=None)
    ).fit_transform(CANCER, LABELS),
    "sequential selection": lambda C: feature_selection.SequentialFeatureSelector(
        C(), n_features_to_select=2, cv=2
    ).fit(CANCER, LABELS),
    "importance": lambda C: inspection.permutation_importance(
        C().fit(CANCER, LABELS), CANCER, LABELS, n_repeats=2
    ),
    "partial dependence": lambda C: inspection.partial_dependence(
        C().fit(CANCER, LABELS), CANCER, [0], response_method="decision_function"
    ),
    "boundary": lambda C: inspection.DecisionBoundaryDisplay.from_estimator(
        C().fit(CANCER[:, :2], LABELS), CANCER[:, :2]
    ),
    "boundary, three classes": lambda C: inspection.DecisionBoundaryDisplay.from_estimator(
        C().fit(IRIS[:, :2], SPECIES), IRIS[:, :2], response_method="predict"
    ),
    "threshold": lambda C: model_selection.TunedThresholdClassifierCV(C(), cv=3).fit(
        CANCER, LABELS
    ),
    "fixed threshold": lambda C: model_selection.FixedThresholdClassifier(
        C(), threshold=0.5, response_method="decision_function"
    ).fit(CANCER, LABELS),
    "probabilities": lambda C: C().fit(CANCER, LABELS).predict_proba(CANCER),
    "NaN": lambda C: C().fit(np.where(CANCER > 2, np.nan, CANCER), LABELS),
    "other columns": lambda C: C().fit(CANCER, LABELS).predict(CANCER[:, :3]),
    "one class": lambda C: C().fit(CANCER, np.zeros(200)),
}
USES |= {
    f"sparse {k}": lambda C, k=k: C().fit(sp.csr_matrix(CANCER).asformat(k), LABELS) for k in SPARSE
}
USES |= {
    f"sparse array {k}": lambda C, k=k: (
        C().fit(sp.csr_array(CANCER).asformat(k), LABELS).predict(sp.csr_array(CANCER).asformat(k))
    )
    for k in SPARSE
}
USES |= {
    f"labels {k}": lambda C, t=t: C().fit(CANCER, LABELS.astype(t)).predict(CANCER)
    for k, t in KINDS.items()
}
USES |= {
    f"{k} display": lambda C, d=d: d(C().fit(CANCER, LABELS), CANCER, LABELS)
    for k, d in DISPLAYS.items()
}
USES |= {
    f"scored by {s}": lambda C, s=s: model_selection.cross_val_score(C(), CANCER, LABELS, scoring=s)
    for s in SCORERS
}
USES |= {name: lambda C, m=m: m(C()).fit(IRIS, SPECIES).predict(IRIS) for name, m in META.items()}
USES |= {name: lambda C, m=m: m(C()).fit(IRIS, TWO).predict(IRIS) for name, m in OUTPUTS.items()}
USES |= {
    f"{name}={value!r}": lambda C, w={name: value}: fit_score(C(**w))
    for name, values in {
        "penalty": [None, "l2", "l1", "elasticnet"],
        "alpha": [0, 1e-4, 1.0],
        "l1_ratio": [0, 0.5, 1],
        "fit_intercept": [True, False],
        "max_iter": [1, 5, 1000],
        "tol": [None, 1e-3, 0],
        "shuffle": [True, False],
        "eta0": [0.01, 1, 100.0],
        "n_iter_no_change": [1, 20],
        "class_weight": [None, "balanced", {0: 1, 1: 5}],
        "validation_fraction": [0.2],
    }.items()
    for value in values
}


def no_other_exception(use):
    """A use raises nothing that scikit-learn's Perceptron does not, and hands back the like."""
    try:
        theirs = use(Peer)
    except Exception as error:
        with suppress(type(error), ValueError, AttributeError):
            use(Perceptron)
    else:
        assert kind_of(use(Perceptron)) == kind_of(theirs)


def kind_of(result):
    """The shape of an array, and whether it holds numbers; the type of anything else but learners.

    Labels stay as they came here: objects are not made text, nor masked integers floats.
    """
    if isinstance(result, np.ndarray):
        return result.shape, result.dtype.kind in "biuf"
    return None if hasattr(result, "fit") else type(result)


@pytest.mark.slow
@pytest.mark.parametrize("name", USES)
def test_no_exception_that_scikit_learn_does_not_raise(name):
    no_other_exception(USES[name])

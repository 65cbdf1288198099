"""What people do with scikit-learn's Perceptron inside its other tools, and between packages."""

import io
import pickle

import cloudpickle
import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
import sklearn
import skops.io
from sklearn import (
    base,
    calibration,
    compose,
    decomposition,
    ensemble,
    feature_extraction,
    feature_selection,
    frozen,
    impute,
    inspection,
    kernel_approximation,
    metrics,
    model_selection,
    multiclass,
    multioutput,
    pipeline,
    preprocessing,
    random_projection,
    semi_supervised,
)
from sklearn.datasets import load_digits
from test_uses import CANCER, FRAME, IRIS, LABELS, SPECIES, fit_score, no_other_exception, online

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]
DIGITS, NUMBERS = (part[:400] for part in load_digits(return_X_y=True))
WORDS = ["good film", "bad film", "good play", "bad play", "fine film", "poor play"] * 5
MOODS = np.array(["praise", "blame", "praise", "blame", "praise", "blame"] * 5)
MIXED = FRAME.assign(where=np.resize(["north", "south", "west"], 200))
WEIGHTS = np.linspace(0.5, 1.5, 200)
GROUPS = np.arange(200) % 7
PIPED = {"p__penalty": [None, "l2"], "p__alpha": [1e-5, 1e-3], "s": ["passthrough"]}
MANY = np.column_stack([c == SPECIES for c in range(3)]).astype(int)
CUSTOM = metrics.make_scorer(metrics.fbeta_score, beta=2)


def steps(C, **params):
    return pipeline.Pipeline([("s", preprocessing.StandardScaler()), ("p", C(**params))])


def before(transformer, C, X=CANCER, y=LABELS):
    return fit_score(pipeline.make_pipeline(transformer, C()), X, y)


def by_column(C):
    kinds = compose.make_column_transformer(
        (preprocessing.StandardScaler(), compose.make_column_selector(dtype_include=float)),
        (preprocessing.OneHotEncoder(), ["where"]),
    )
    return before(kinds, C, MIXED)


def searched(search, X=CANCER, y=LABELS, **fit):
    search.fit(X, y, **fit)
    return pd.DataFrame(search.cv_results_).shape, search.best_estimator_.predict(X)


def unlabelled(C):
    y = np.where(np.arange(200) % 3 == 0, -1, LABELS)
    scored = calibration.CalibratedClassifierCV(C(), cv=2)
    return semi_supervised.SelfTrainingClassifier(scored).fit(CANCER, y).predict(CANCER)


def text(C, vectorizer):
    return fit_score(pipeline.make_pipeline(vectorizer, C()), WORDS, MOODS)


def text_stream(C):
    hashed, model = feature_extraction.text.HashingVectorizer(n_features=64), C()
    for part in np.array_split(np.arange(30), 5):
        words = hashed.transform([WORDS[i] for i in part])
        model.partial_fit(words, MOODS[part], classes=["blame", "praise"])
    return model.predict(hashed.transform(WORDS))


def routed_search(C):
    with sklearn.config_context(enable_metadata_routing=True):
        model = C().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        search = model_selection.GridSearchCV(model, {"eta0": [0.1, 1]}, cv=3)
        return searched(search, sample_weight=WEIGHTS)


def routed(C, wrap):
    with sklearn.config_context(enable_metadata_routing=True):
        model = wrap(C().set_fit_request(sample_weight=True))
        return model.fit(CANCER, LABELS, sample_weight=WEIGHTS).predict(CANCER)


def routed_groups(C):
    with sklearn.config_context(enable_metadata_routing=True):
        cv = model_selection.GroupKFold(3)
        return model_selection.cross_val_score(
            C(), CANCER, LABELS, cv=cv, params={"groups": GROUPS}
        )


def frames_out(C):
    with sklearn.config_context(transform_output="pandas"):
        return feature_selection.SelectFromModel(C()).fit_transform(FRAME, LABELS)


def polars_out(C):
    kept = feature_selection.SelectFromModel(C()).set_output(transform="polars")
    return kept.fit_transform(pl.DataFrame(FRAME.to_dict("list")), LABELS).columns


def indices(C, kind):
    X = sp.csr_array(CANCER)
    X.indices, X.indptr = X.indices.astype(kind), X.indptr.astype(kind)
    return C().fit(X, LABELS).decision_function(X)


def unsorted(C):
    columns, starts = np.array([2, 0, 1, 1], np.int32), np.array([0, 2, 4], np.int32)
    X = sp.csr_array((np.ones(4), columns, starts), shape=(2, 3))
    return C().fit(X, [0, 1]).predict(X)


def skops_file(C):
    model = C().fit(CANCER, LABELS)
    trusted = skops.io.get_untrusted_types(data=skops.io.dumps(model))
    return skops.io.loads(skops.io.dumps(model), trusted=trusted).predict(CANCER)


def joblib_file(C):
    file = io.BytesIO()
    joblib.dump(steps(C).fit(CANCER, LABELS), file, compress=3)
    file.seek(0)
    return joblib.load(file).predict(CANCER)


def goes_on_after_pickle(C):
    model = C().partial_fit(CANCER[:100], LABELS[:100], classes=[0, 1])
    return pickle.loads(pickle.dumps(model)).partial_fit(CANCER[100:], LABELS[100:]).t_


def warm_penalties(C):
    model = C(warm_start=True, penalty="l2", max_iter=3, tol=None)
    return [model.set_params(alpha=a).fit(CANCER, LABELS).coef_ for a in (1e-1, 1e-3, 1e-5)]


def warm_with_more_rows(C):
    model = C(warm_start=True)
    return [model.fit(CANCER[:n], LABELS[:n]).score(CANCER, LABELS) for n in (50, 100, 200)]


def refitted(C):
    model = C().fit(CANCER, LABELS)
    return model.fit(IRIS, SPECIES).predict(IRIS)


def edited(C):
    model = C().fit(CANCER, LABELS)
    model.coef_[0, 0], model.intercept_ = 0.0, model.intercept_ + 1
    return model.partial_fit(CANCER, LABELS).predict(CANCER)


def balanced_stream(C):
    weights = {0: 2.0, 1: 1.0}
    return online(C(class_weight=weights))


def weighted_stream(C):
    model = C()
    for part in np.array_split(np.arange(200), 4):
        model.partial_fit(CANCER[part], LABELS[part], [0, 1], sample_weight=WEIGHTS[part])
    return model.decision_function(CANCER)


def inherited(C):
    class Mine(C):
        def predict(self, X):
            return super().predict(X)

    return base.clone(Mine(eta0=0.5)).fit(CANCER, LABELS).predict(CANCER)


def nested(C):
    model = pipeline.make_pipeline(preprocessing.StandardScaler(), C())
    inner = model_selection.GridSearchCV(model, {"perceptron__eta0": [0.1, 1]}, cv=2)
    return model_selection.cross_val_score(inner, CANCER, LABELS, cv=3)


def threads(C):
    with joblib.parallel_backend("threading", n_jobs=2):
        return model_selection.cross_val_score(C(), CANCER, LABELS, cv=4)


def refused_penalty(C):
    return C(penalty="l3").fit(CANCER, LABELS)


def several_metrics(C):
    how = ["accuracy", "roc_auc", "f1"]
    return sorted(model_selection.cross_validate(C(), CANCER, LABELS, scoring=how, cv=3))


SEARCHES = {
    "in a pipeline": lambda C: model_selection.GridSearchCV(steps(C), PIPED, cv=3),
    "several scores": lambda C: model_selection.GridSearchCV(
        C(), {"eta0": [0.1, 1]}, scoring=["f1", "roc_auc"], refit="f1", cv=3
    ),
    "own score": lambda C: model_selection.GridSearchCV(C(), {"tol": [None, 1e-3]}, scoring=CUSTOM),
    "drawn alpha": lambda C: model_selection.RandomizedSearchCV(
        C(penalty="elasticnet", max_iter=5, tol=None),
        {"alpha": np.logspace(-6, -1, 20), "l1_ratio": [0.1, 0.5, 0.9]},
        n_iter=4,
        cv=3,
        random_state=0,
    ),
    "halving over penalties": lambda C: model_selection.HalvingGridSearchCV(
        C(), {"penalty": [None, "l1", "l2"], "alpha": [1e-4, 1e-2]}, cv=2, random_state=0
    ),
    "halving, drawn": lambda C: model_selection.HalvingRandomSearchCV(
        C(), {"eta0": [0.01, 0.1, 1, 10]}, cv=2, random_state=0
    ),
    "halving over passes": lambda C: model_selection.HalvingGridSearchCV(
        C(tol=None), {"eta0": [0.1, 1]}, resource="max_iter", max_resources=9, cv=2
    ),
    "class weights": lambda C: model_selection.GridSearchCV(
        C(), {"class_weight": [None, "balanced", {0: 1, 1: 9}]}, scoring="balanced_accuracy", cv=3
    ),
    "jobs": lambda C: model_selection.GridSearchCV(C(), {"eta0": [0.1, 1]}, cv=2, n_jobs=2),
    "estimator": lambda C: model_selection.GridSearchCV(
        pipeline.Pipeline([("m", C())]), {"m": [C(), C(penalty="l1")]}, cv=2
    ),
}
SCALERS = {
    "minmax": preprocessing.MinMaxScaler(),
    "robust": preprocessing.RobustScaler(),
    "quantiles": preprocessing.QuantileTransformer(n_quantiles=20),
    "power": preprocessing.PowerTransformer(),
    "polynomials": preprocessing.PolynomialFeatures(2),
    "splines": preprocessing.SplineTransformer(),
    "bins": preprocessing.KBinsDiscretizer(4),
    "principal components": decomposition.PCA(3),
    "truncated svd": decomposition.TruncatedSVD(3),
    "random projection": random_projection.SparseRandomProjection(4, random_state=0),
    "random fourier features": kernel_approximation.RBFSampler(random_state=0),
    "nystroem": kernel_approximation.Nystroem(n_components=20, random_state=0),
    "best columns": feature_selection.SelectKBest(k=3),
    "several transforms": pipeline.make_union(preprocessing.StandardScaler(), decomposition.PCA(2)),
    "imputer": impute.SimpleImputer(),
}
VECTORIZERS = {
    "counts": feature_extraction.text.CountVectorizer(),
    "tf-idf": feature_extraction.text.TfidfVectorizer(),
    "hashed words": feature_extraction.text.HashingVectorizer(n_features=64),
}
WRAPPERS = {
    "bagging with features drawn": lambda C: ensemble.BaggingClassifier(
        C(), n_estimators=3, max_features=0.5, max_samples=0.5, random_state=0
    ),
    "bagging in jobs": lambda C: ensemble.BaggingClassifier(C(), n_estimators=3, n_jobs=2),
    "a vote with weights": lambda C: ensemble.VotingClassifier(
        [("p", C()), ("d", base.clone(steps(C)))], weights=[2, 1]
    ),
    "stacking on decision values": lambda C: ensemble.StackingClassifier(
        [("p", C())], stack_method="decision_function", passthrough=True
    ),
    "frozen": lambda C: frozen.FrozenEstimator(C().fit(CANCER, LABELS)),
    "calibrated after freezing": lambda C: calibration.CalibratedClassifierCV(
        frozen.FrozenEstimator(C().fit(CANCER, LABELS))
    ),
    "calibrated as one": lambda C: calibration.CalibratedClassifierCV(C(), ensemble=False, cv=3),
    "a threshold for f1": lambda C: model_selection.TunedThresholdClassifierCV(
        C(), scoring="f1", cv=3, store_cv_results=True
    ),
    "elimination in steps": lambda C: feature_selection.RFE(
        steps(C), importance_getter="named_steps.p.coef_"
    ),
    "backward selection": lambda C: pipeline.make_pipeline(
        feature_selection.SequentialFeatureSelector(C(), direction="backward", cv=2), C()
    ),
    "bags of pipelines": lambda C: ensemble.BaggingClassifier(steps(C), n_estimators=2),
    "a cached pipeline": lambda C: pipeline.make_pipeline(
        preprocessing.StandardScaler(), C(), memory=joblib.Memory(None)
    ),
    "elimination, smallest norms": lambda C: feature_selection.SelectFromModel(
        C(), threshold="median", max_features=3
    ),
}
SPLITS = {
    "shuffled": model_selection.ShuffleSplit(3, random_state=0),
    "repeated": model_selection.RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=0),
    "in time": model_selection.TimeSeriesSplit(3),
    "by group": model_selection.StratifiedGroupKFold(3),
}
USES = {
    "column transformer": by_column,
    "self training": unlabelled,
    "a stream of texts": text_stream,
    "routed weights in a search": routed_search,
    "routed through calibration": lambda C: routed(C, calibration.CalibratedClassifierCV),
    "routed through one-vs-rest": lambda C: routed(C, multiclass.OneVsRestClassifier),
    "routed through bagging": lambda C: routed(C, ensemble.BaggingClassifier),
    "routed groups": routed_groups,
    "pandas out": frames_out,
    "polars out": polars_out,
    "32-bit indices": lambda C: indices(C, np.int32),
    "64-bit indices": lambda C: indices(C, np.int64),
    "unsorted columns, some twice": unsorted,
    "skops": skops_file,
    "cloudpickle": lambda C: cloudpickle.loads(cloudpickle.dumps(steps(C).fit(CANCER, LABELS))),
    "joblib, packed": joblib_file,
    "a stream after pickle": goes_on_after_pickle,
    "warm starts over alpha": warm_penalties,
    "warm starts with more rows": warm_with_more_rows,
    "fitted to other data": refitted,
    "edited weights": edited,
    "a stream with class weights": balanced_stream,
    "a stream with sample weights": weighted_stream,
    "a balanced stream": lambda C: online(C(class_weight="balanced")),
    "a stream with early stopping": lambda C: online(C(early_stopping=True)),
    "a stream of frames": lambda C: (
        C().partial_fit(FRAME, LABELS, [0, 1]).partial_fit(FRAME, LABELS)
    ),
    "a stream without classes": lambda C: C().partial_fit(CANCER, LABELS),
    "a stream with other columns": lambda C: (
        C().fit(CANCER, LABELS).partial_fit(IRIS[:100], SPECIES[:100])
    ),
    "a stream with a new class": lambda C: C().partial_fit(IRIS, SPECIES, classes=[0, 1]),
    "a subclass": inherited,
    "nested searches": nested,
    "threads": threads,
    "an unknown penalty": refused_penalty,
    "an unknown parameter": lambda C: C().set_params(depth=3),
    "several metrics": several_metrics,
    "columns in another order": lambda C: C().fit(FRAME, LABELS).predict(FRAME[list("fedcba")]),
    "a frame, then an array": lambda C: C().fit(FRAME, LABELS).predict(FRAME.to_numpy()),
    "predict before fit": lambda C: C().predict(CANCER),
    "too few rows": lambda C: C().fit(CANCER, LABELS[:10]),
    "ten classes": lambda C: fit_score(C(), DIGITS, NUMBERS),
    "one-vs-one on digits": lambda C: fit_score(
        multiclass.OneVsOneClassifier(C()), DIGITS, NUMBERS
    ),
    "one-vs-rest of many labels": lambda C: (
        multiclass.OneVsRestClassifier(C()).fit(IRIS, MANY).predict(IRIS)
    ),
    "many labels at once": lambda C: C().fit(IRIS, MANY),
    "output codes": lambda C: (
        multiclass.OutputCodeClassifier(C(), code_size=3, random_state=0)
        .fit(DIGITS, NUMBERS)
        .predict(DIGITS)
    ),
    "a chain, cross-validated": lambda C: (
        multioutput.ClassifierChain(C(), cv=3, order="random", random_state=0)
        .fit(IRIS, MANY)
        .decision_function(IRIS)
    ),
    "outputs online": lambda C: (
        multioutput.MultiOutputClassifier(C())
        .partial_fit(IRIS, MANY, classes=[[0, 1]] * 3)
        .predict(IRIS)
    ),
    "one-vs-rest online": lambda C: (
        multiclass.OneVsRestClassifier(C())
        .partial_fit(IRIS, SPECIES, classes=[0, 1, 2])
        .predict(IRIS)
    ),
    "importance in frames": lambda C: (
        inspection.permutation_importance(
            C().fit(FRAME, LABELS), FRAME, LABELS, scoring="roc_auc", n_repeats=2
        ).importances.shape
    ),
    "two-way dependence": lambda C: (
        inspection.PartialDependenceDisplay.from_estimator(
            C().fit(FRAME, LABELS),
            FRAME,
            [("a", "b"), "c"],
            response_method="decision_function",
            grid_resolution=5,
        ).axes_.shape
    ),
    "learning curve display": lambda C: model_selection.LearningCurveDisplay.from_estimator(
        C(), CANCER, LABELS, cv=3
    ),
    "validation curve display": lambda C: model_selection.ValidationCurveDisplay.from_estimator(
        C(), CANCER, LABELS, param_name="max_iter", param_range=[1, 5], cv=3
    ),
    "calibration display": lambda C: calibration.CalibrationDisplay.from_estimator(
        calibration.CalibratedClassifierCV(C(), cv=2).fit(CANCER, LABELS), CANCER, LABELS
    ),
    "prediction intervals of a search": lambda C: searched(SEARCHES["jobs"](C), FRAME, LABELS),
    "a confusion matrix across folds": lambda C: (
        metrics.confusion_matrix(
            SPECIES, model_selection.cross_val_predict(C(), IRIS, SPECIES)
        ).shape
    ),
    "tags": lambda C: sklearn.utils.get_tags(C()).estimator_type,
    "is a classifier": lambda C: base.is_classifier(C()),
    "html of a pipeline": lambda C: len(steps(C)._repr_html_()) > 0,
    "reads like its call": lambda C: eval(repr(C(eta0=0.5)), {"Perceptron": C}).eta0,
}
USES |= {f"search, {k}": lambda C, s=s: searched(s(C)) for k, s in SEARCHES.items()}
USES |= {f"after {k}": lambda C, t=t: before(base.clone(t), C) for k, t in SCALERS.items()}
USES |= {k: lambda C, v=v: text(C, base.clone(v)) for k, v in VECTORIZERS.items()}
USES |= {k: lambda C, w=w: w(C).fit(CANCER, LABELS) for k, w in WRAPPERS.items()}
USES |= {
    f"folds {k}": lambda C, cv=cv: model_selection.cross_val_score(
        C(), CANCER, LABELS, groups=GROUPS, cv=cv
    )
    for k, cv in SPLITS.items()
}


@pytest.mark.parametrize("name", USES)
def test_no_exception_that_scikit_learn_does_not_raise(name):
    no_other_exception(USES[name])

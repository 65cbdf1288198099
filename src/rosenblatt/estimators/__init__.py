"""The scikit-learn API: named configurations of the loop."""

from rosenblatt.estimators.kernel_perceptron import KernelPerceptron
from rosenblatt.estimators.perceptron import Perceptron

__all__ = ["KernelPerceptron", "Perceptron"]

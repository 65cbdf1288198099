"""The scikit-learn API: named configurations of the loop."""

"""Kernel functions, Gram matrices and feature spaces."""

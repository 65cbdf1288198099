"""Coefficients that run to infinity, the rows behind them, and columns that depend on others."""

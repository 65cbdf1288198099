"""Rules, by the path under which they are public."""

from rosenblatt.core.rules import RULES, Rule

__all__ = ["RULES", "Rule"]

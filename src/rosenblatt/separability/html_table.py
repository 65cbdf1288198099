"""What a notebook shows of an answer: a table of facts, and a sentence."""

from html import escape


def html_table(facts: dict[str, str], sentence: str) -> str:
    """The facts that there are, and the sentence, as HTML."""
    rows = [f"<tr><th>{k}</th><td>{escape(v)}</td></tr>" for k, v in facts.items() if v]
    return f"<table>{''.join(rows)}</table><p>{escape(sentence)}</p>"

"""The adversary: hard tables, random configurations and forged certificates, for a given time.

    cd tests && python -m adversary 10m [seed [processes]]

prints its seed, then whatever is false, with as few rows and columns as show it, and at the end
the verdicts by family and what was tried. It runs a process on each core. Its judge is exact and
knows nothing of the library. Table k of a family is drawn from (seed, family, k), whichever process
does it, so it can be drawn again.
"""

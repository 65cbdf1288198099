"""How hard hypothesis searches: a little by default, long with HYPOTHESIS_PROFILE=fuzz.

With HYPOTHESIS_PROFILE=ci the examples are the same in every run: what lands does not depend on
chance, and the other two look for what is new.
"""

import os

from hypothesis import HealthCheck, settings

quiet = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", max_examples=40, **quiet)
settings.register_profile("ci", max_examples=40, derandomize=True, **quiet)
settings.register_profile("fuzz", max_examples=2000, print_blob=True, **quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

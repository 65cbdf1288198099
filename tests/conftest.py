"""How hard hypothesis searches: a little by default, long with HYPOTHESIS_PROFILE=nightly."""

import os

from hypothesis import HealthCheck, settings

quiet = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", max_examples=40, **quiet)
settings.register_profile("nightly", max_examples=2000, **quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

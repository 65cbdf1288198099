"""The playground: a local page that replays what the library learned, mistake by mistake.

`server` speaks HTTP and computes nothing; `workers` are processes of their own, which can be
stopped; `answers` is what they do: a state comes in as JSON, and the run goes back. The page learns
nothing itself.
"""

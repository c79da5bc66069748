# The work on hardwon, by name. `just --list` shows it; each line is an ordinary command and works without just.

# Run the tests: all of them, or what is named (`just test tests/kernel -k registry`).
test *arguments:
    uv run pytest {{ arguments }}

# Try every property on cases that no run tried before, over and over; what is found becomes an `@example`.
explore rounds="10":
    for round in $(seq {{ rounds }}); do HYPOTHESIS_PROFILE=explore uv run pytest -m hypothesis || exit; done

# Check everything that continuous integration checks.
check:
    .ci/run

# Put the code into its form, and mend what can be mended by itself.
format:
    uv run ruff format .
    uv run ruff check --fix .

# Measure what docs/benchmarks.md promises: every benchmark, or the one named (`just bench help`).
bench name="*":
    for file in tests/benchmarks/bench_{{ name }}.py; do uv run python "$file" || exit; done

# Hold the documents against the code: hooks, decisions, links.
docs:
    uv run pytest tests/house/test_documentation.py

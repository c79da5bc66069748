"""The life of a rule after it was accepted: what stands behind it and against it, how it does, which it was before."""

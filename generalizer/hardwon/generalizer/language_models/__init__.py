"""Language models, an adapter a module: each imports its library when the first call is made, and not before."""

"""What the calls of tools do. Only a call imports this, since it brings pydantic, the store and the embedder."""

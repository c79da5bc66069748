"""The stores' half of the hook program: what is read of an index or a database without waiting for anybody."""

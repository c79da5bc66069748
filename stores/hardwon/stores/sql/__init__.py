"""The store over SQL: its tables, and one implementation of the doors, shared by SQLite and PostgreSQL."""

"""The memory in a PostgreSQL database, which many machines share: the doors are those of `hardwon.stores.sql`."""

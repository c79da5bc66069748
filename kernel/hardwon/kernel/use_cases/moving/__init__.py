"""Moving a memory: archives and vaults, another store, backups, the rehearsal of an upgrade; over the ports alone."""

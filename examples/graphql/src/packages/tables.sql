-- Says whose database this is: the bytes of "lock".
PRAGMA application_id = 0x6c6f636b;

DROP TABLE IF EXISTS dependencies;
DROP TABLE IF EXISTS packages;

CREATE TABLE packages (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    source TEXT,
    checksum TEXT
) STRICT;

CREATE TABLE dependencies (
    package INTEGER NOT NULL REFERENCES packages,
    dependency INTEGER NOT NULL REFERENCES packages,
    PRIMARY KEY (package, dependency)
) STRICT, WITHOUT ROWID;

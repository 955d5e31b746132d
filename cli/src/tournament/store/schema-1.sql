-- Version 1. Moments are UTC, as RFC 3339 writes them. Whoever changes a table adds a file that changes it, and leaves this
-- one as it is.

CREATE TABLE tournament (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    game TEXT NOT NULL,
    title TEXT NOT NULL,
    mode TEXT NOT NULL,
    options TEXT NOT NULL,
    package_hash TEXT NOT NULL,
    team_size INTEGER CHECK (team_size > 0),
    entrants TEXT,
    tokens INTEGER NOT NULL CHECK (tokens > 0),
    organiser TEXT NOT NULL,
    created TEXT NOT NULL,
    deadline TEXT NOT NULL,
    time_up INTEGER NOT NULL CHECK (time_up IN (0, 1)),
    closed TEXT,
    page TEXT,
    CHECK ((team_size IS NULL) = (entrants IS NULL))
) STRICT;

-- The key is the name without capitals and unseen signs: names that look alike have one key.
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE,
    joined TEXT NOT NULL,
    left TEXT
) STRICT;

CREATE TABLE duels (
    id INTEGER PRIMARY KEY,
    challenger INTEGER NOT NULL REFERENCES players (id),
    challenged INTEGER NOT NULL REFERENCES players (id),
    state TEXT NOT NULL CHECK (state IN ('challenged', 'accepted', 'refused', 'withdrawn', 'finished', 'void')),
    winner INTEGER,
    reason TEXT,
    challenger_line_up TEXT,
    challenged_line_up TEXT,
    challenger_agreed INTEGER NOT NULL CHECK (challenger_agreed IN (0, 1)),
    challenged_agreed INTEGER NOT NULL CHECK (challenged_agreed IN (0, 1)),
    commitment TEXT,
    made TEXT NOT NULL,
    ended TEXT,
    CHECK (challenger <> challenged),
    CHECK (winner IN (challenger, challenged)),
    CHECK ((state = 'finished') = (winner IS NOT NULL)),
    CHECK ((state = 'void') = (reason IS NOT NULL)),
    CHECK ((state IN ('challenged', 'accepted')) = (ended IS NULL))
) STRICT;

CREATE TABLE recordings (
    duel INTEGER PRIMARY KEY REFERENCES duels (id),
    text TEXT NOT NULL
) STRICT;

CREATE TABLE journal (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    by TEXT,
    duel INTEGER REFERENCES duels (id),
    event TEXT NOT NULL
) STRICT;

CREATE INDEX journal_of_a_duel ON journal (duel);

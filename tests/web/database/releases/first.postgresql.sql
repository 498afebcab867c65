CREATE FUNCTION numduel_tell() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM pg_notify('numduel', to_jsonb(COALESCE(NEW, OLD)) ->> TG_ARGV[0]);
  RETURN NULL;
END $$;
CREATE TABLE alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE duels (
    name text NOT NULL,
    setup text NOT NULL,
    seat1 text,
    seat2 text,
    name1 text,
    name2 text,
    coach boolean NOT NULL,
    room text,
    room_round integer,
    pupil1 integer,
    pupil2 integer,
    created bigint NOT NULL,
    finished boolean NOT NULL,
    over boolean NOT NULL,
    champion integer
);
CREATE TABLE events (
    duel text NOT NULL,
    number integer NOT NULL,
    body text NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE pupils (
    room text NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    secret text NOT NULL
);
CREATE TABLE records (
    name text NOT NULL,
    body text NOT NULL,
    created bigint NOT NULL
);
CREATE TABLE rooms (
    code text NOT NULL,
    secret text NOT NULL,
    setup text NOT NULL,
    coach boolean NOT NULL,
    round integer NOT NULL,
    version integer NOT NULL,
    touched bigint NOT NULL
);
INSERT INTO alembic_version VALUES ('0001');
INSERT INTO duels VALUES ('FlduWw3crYwC', '{"game": "multiplicity", "players": ["human", "human"], "first": 1, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 908972913, "started": "2026-11-15T23:15:45+00:00", "format": "numduel-match/1", "settings": {"size": 20, "start": 1, "opening": "any", "start_open": false}}', '98da8628adb11ab2f2f8040d8f288c5c50b229bdc9c913f64d476897eebe0e2b', '456ba0392cc2289a87e4b6074ad9f29a3c5d9f5074728c4d032189fd9a623832', NULL, NULL, false, NULL, NULL, NULL, NULL, 1794784545, true, true, 2);
INSERT INTO duels VALUES ('VF4R0dITMn_C', '{"game": "double-or-add", "players": ["human", "human"], "first": 1, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 3313428034, "started": "2026-11-15T23:15:46+00:00", "format": "numduel-match/1", "settings": {"target": 31, "start": 1}}', '6e736e160362f91763c3112db1044e0062aab04f175767850db66947b6986d3d', '976c714cb54e62a27a84c1b683ea0eafbebf28fc3140cf46ac79facc5ff3d0d9', NULL, NULL, false, NULL, NULL, NULL, NULL, 1794784546, false, false, NULL);
INSERT INTO duels VALUES ('zYRMvf57i06i', '{"game": "double-or-add", "players": ["human", "human"], "first": 2, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 853114134, "started": "2026-11-15T23:15:46+00:00", "format": "numduel-match/1", "settings": {"target": 31, "start": 1}}', 'c89cf06094d67cb6efe100fe50c3206f80314b3fec7f1ddf68a56f25927f5971', '2332c1ec5958770569a090f1559e809ab5ba220b2ede2dd725b1f6164938d11d', 'Ada', 'Max', false, 'BBHCW', 1, 1, 2, 1794784546, false, false, NULL);
INSERT INTO events VALUES ('FlduWw3crYwC', 1, '{"move": 7}', 1794784545);
INSERT INTO events VALUES ('FlduWw3crYwC', 2, '{"move": 14}', 1794784546);
INSERT INTO events VALUES ('FlduWw3crYwC', 3, '{"move": 2}', 1794784546);
INSERT INTO events VALUES ('FlduWw3crYwC', 4, '{"move": 4}', 1794784546);
INSERT INTO events VALUES ('FlduWw3crYwC', 5, '{"move": 8}', 1794784546);
INSERT INTO events VALUES ('FlduWw3crYwC', 6, '{"move": 16}', 1794784546);
INSERT INTO events VALUES ('VF4R0dITMn_C', 1, '{"move": 1}', 1794784546);
INSERT INTO events VALUES ('VF4R0dITMn_C', 2, '{"move": 2}', 1794784546);
INSERT INTO pupils VALUES ('BBHCW', 1, 'Ada', 'c89cf06094d67cb6efe100fe50c3206f80314b3fec7f1ddf68a56f25927f5971');
INSERT INTO pupils VALUES ('BBHCW', 2, 'Max', '2332c1ec5958770569a090f1559e809ab5ba220b2ede2dd725b1f6164938d11d');
INSERT INTO records VALUES ('vvI3W4RM0J5r', '{"format": "numduel-record/1", "game": "multiplicity", "settings": {"size": 20}, "players": ["human", "human"], "first": 1, "moves": [7, 14], "outcome": null, "started": "2026-01-02T03:04:05+00:00"}
', 1794784549);
INSERT INTO rooms VALUES ('BBHCW', '8c23360f06668d0de8dbe5c6fe13ec8a0f08abfe89ecddbeccdc49163b271149', '{"game": "double-or-add", "players": ["human", "human"], "first": 1, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 853113133, "started": "2026-11-15T23:15:46+00:00", "format": "numduel-match/1", "settings": {"target": 31, "start": 1}}', false, 1, 4, 1794784546);
ALTER TABLE ONLY alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY duels
    ADD CONSTRAINT duels_pkey PRIMARY KEY (name);
ALTER TABLE ONLY events
    ADD CONSTRAINT events_pkey PRIMARY KEY (duel, number);
ALTER TABLE ONLY pupils
    ADD CONSTRAINT pupils_pkey PRIMARY KEY (room, number);
ALTER TABLE ONLY pupils
    ADD CONSTRAINT pupils_room_name_key UNIQUE (room, name);
ALTER TABLE ONLY records
    ADD CONSTRAINT records_pkey PRIMARY KEY (name);
ALTER TABLE ONLY rooms
    ADD CONSTRAINT rooms_pkey PRIMARY KEY (code);
CREATE INDEX ix_duels_room ON duels USING btree (room);
CREATE TRIGGER numduel_tell AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION numduel_tell('duel');
CREATE TRIGGER numduel_tell AFTER DELETE OR UPDATE ON rooms FOR EACH ROW EXECUTE FUNCTION numduel_tell('code');
ALTER TABLE ONLY duels
    ADD CONSTRAINT duels_room_fkey FOREIGN KEY (room) REFERENCES rooms(code) ON DELETE CASCADE;
ALTER TABLE ONLY events
    ADD CONSTRAINT events_duel_fkey FOREIGN KEY (duel) REFERENCES duels(name) ON DELETE CASCADE;
ALTER TABLE ONLY pupils
    ADD CONSTRAINT pupils_room_fkey FOREIGN KEY (room) REFERENCES rooms(code) ON DELETE CASCADE;

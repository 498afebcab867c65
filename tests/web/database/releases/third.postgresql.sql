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
CREATE TABLE answers (
    room text NOT NULL,
    pupil integer NOT NULL,
    move text NOT NULL
);
CREATE TABLE calendar (
    day integer NOT NULL,
    number integer NOT NULL,
    seen bigint NOT NULL
);
CREATE TABLE chains (
    room text NOT NULL,
    pupil integer NOT NULL,
    made integer NOT NULL,
    numbers text NOT NULL
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
    at bigint NOT NULL,
    token text NOT NULL
);
CREATE TABLE outside (
    room text NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    secret text NOT NULL,
    removed integer
);
CREATE TABLE pupils (
    room text NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    secret text NOT NULL
);
CREATE TABLE questions (
    room text NOT NULL,
    number integer NOT NULL,
    game text NOT NULL,
    settings text NOT NULL,
    "position" text NOT NULL,
    stage text NOT NULL,
    worth text NOT NULL
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
    touched bigint NOT NULL,
    locked boolean DEFAULT false NOT NULL,
    screened boolean DEFAULT false NOT NULL,
    answered integer DEFAULT 0 NOT NULL,
    chain integer DEFAULT 0 NOT NULL
);
INSERT INTO alembic_version VALUES ('0006');
INSERT INTO calendar VALUES (20773, 20772, 1794863923);
INSERT INTO duels VALUES ('6g-CXEuj4VXR', '{"game": "multiplicity", "players": ["human", "human"], "first": 1, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 3291337024, "started": "2026-11-15T23:16:05+00:00", "names": [null, null], "best_of": false, "coin": false, "format": "numduel-match/1", "settings": {"size": 20, "start": 1, "opening": "any", "start_open": false}}', '34fd1fb5af9897600df4e54c97793bef9ccb296b112eb6e94be1e18af8005dfb', 'cdb492b9300625fcbb33eb54f2bd639f1fe724daa6bf1a4db7b8b57ba5846f1d', NULL, NULL, false, NULL, NULL, NULL, NULL, 1794784565, true, true, 2);
INSERT INTO duels VALUES ('w9yafdah5_QP', '{"game": "double-or-add", "players": ["human", "human"], "first": 1, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 3293297378, "started": "2026-11-15T23:16:07+00:00", "names": [null, null], "best_of": false, "coin": false, "format": "numduel-match/1", "settings": {"target": 31, "start": 1}}', '261859b28bbe0779973cbc2fd37467762579bd6c1bcb76c6a9400b3f0fb85a85', '677a8cc0179f7bcbdfbd619f2edd7cc239bfd45651186b03d70ed92912a8ed6d', NULL, NULL, false, NULL, NULL, NULL, NULL, 1794784567, false, false, NULL);
INSERT INTO duels VALUES ('gFnjPs04l9Dk', '{"game": "double-or-add", "players": ["human", "human"], "first": 2, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 4103691344, "started": "2026-11-15T23:16:07+00:00", "names": [null, null], "best_of": false, "coin": false, "format": "numduel-match/1", "settings": {"target": 31, "start": 1}}', '358a0dcbcb5270cbc3026eb3b260a7bce4e5a78de71844020e785c95e47e1ee1', '8c3a8bc591018c37459731a275e006d571bbb4ecf0b1bc362b0e97e4c66d2fa2', 'Ada', 'Max', false, 'VWNNC', 1, 1, 2, 1794784567, false, false, NULL);
INSERT INTO events VALUES ('6g-CXEuj4VXR', 1, '{"move": 7}', 1794784565, '860f091897b85a43');
INSERT INTO events VALUES ('6g-CXEuj4VXR', 2, '{"move": 14}', 1794784566, 'da1e6f03d0eb0a66');
INSERT INTO events VALUES ('6g-CXEuj4VXR', 3, '{"move": 2}', 1794784566, '7c0b90f08fec199c');
INSERT INTO events VALUES ('6g-CXEuj4VXR', 4, '{"move": 4}', 1794784566, '7c84979aa41e1ce4');
INSERT INTO events VALUES ('6g-CXEuj4VXR', 5, '{"move": 8}', 1794784566, '103ca8a83d560c8d');
INSERT INTO events VALUES ('6g-CXEuj4VXR', 6, '{"move": 16}', 1794784566, '662b6de373ee01da');
INSERT INTO events VALUES ('w9yafdah5_QP', 1, '{"move": 1}', 1794784567, '83235fb66e91f7d8');
INSERT INTO events VALUES ('w9yafdah5_QP', 2, '{"move": 2}', 1794784567, 'c441d4e0c0513d32');
INSERT INTO pupils VALUES ('VWNNC', 1, 'Ada', '358a0dcbcb5270cbc3026eb3b260a7bce4e5a78de71844020e785c95e47e1ee1');
INSERT INTO pupils VALUES ('VWNNC', 2, 'Max', '8c3a8bc591018c37459731a275e006d571bbb4ecf0b1bc362b0e97e4c66d2fa2');
INSERT INTO records VALUES ('XDLpzTTHUW71', '{"format": "numduel-record/1", "game": "multiplicity", "settings": {"size": 20}, "players": ["human", "human"], "first": 1, "moves": [7, 14], "outcome": null, "started": "2026-01-02T03:04:05+00:00"}
', 1794784571);
INSERT INTO rooms VALUES ('VWNNC', 'd7b2049bb53af978e31890bc69bf97f5f3d268ca01b6a0c899aebe018bc2d2c6', '{"game": "double-or-add", "players": ["human", "human"], "first": 1, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 4103690343, "started": "2026-11-15T23:16:07+00:00", "names": [null, null], "best_of": false, "coin": false, "format": "numduel-match/1", "settings": {"target": 31, "start": 1}}', false, 1, 4, 1794784567, false, false, 0, 0);
ALTER TABLE ONLY alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY answers
    ADD CONSTRAINT answers_pkey PRIMARY KEY (room, pupil);
ALTER TABLE ONLY chains
    ADD CONSTRAINT chains_pkey PRIMARY KEY (room, pupil);
ALTER TABLE ONLY duels
    ADD CONSTRAINT duels_pkey PRIMARY KEY (name);
ALTER TABLE ONLY events
    ADD CONSTRAINT events_pkey PRIMARY KEY (duel, number);
ALTER TABLE ONLY outside
    ADD CONSTRAINT outside_pkey PRIMARY KEY (room, number);
ALTER TABLE ONLY pupils
    ADD CONSTRAINT pupils_pkey PRIMARY KEY (room, number);
ALTER TABLE ONLY pupils
    ADD CONSTRAINT pupils_room_name_key UNIQUE (room, name);
ALTER TABLE ONLY questions
    ADD CONSTRAINT questions_pkey PRIMARY KEY (room);
ALTER TABLE ONLY records
    ADD CONSTRAINT records_pkey PRIMARY KEY (name);
ALTER TABLE ONLY rooms
    ADD CONSTRAINT rooms_pkey PRIMARY KEY (code);
CREATE INDEX ix_duels_room ON duels USING btree (room);
CREATE TRIGGER numduel_tell AFTER DELETE ON duels FOR EACH ROW EXECUTE FUNCTION numduel_tell('name');
CREATE TRIGGER numduel_tell AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION numduel_tell('duel');
CREATE TRIGGER numduel_tell AFTER DELETE OR UPDATE ON rooms FOR EACH ROW EXECUTE FUNCTION numduel_tell('code');
ALTER TABLE ONLY answers
    ADD CONSTRAINT answers_room_fkey FOREIGN KEY (room) REFERENCES questions(room) ON DELETE CASCADE;
ALTER TABLE ONLY chains
    ADD CONSTRAINT chains_room_fkey FOREIGN KEY (room) REFERENCES rooms(code) ON DELETE CASCADE;
ALTER TABLE ONLY duels
    ADD CONSTRAINT duels_room_fkey FOREIGN KEY (room) REFERENCES rooms(code) ON DELETE CASCADE;
ALTER TABLE ONLY events
    ADD CONSTRAINT events_duel_fkey FOREIGN KEY (duel) REFERENCES duels(name) ON DELETE CASCADE;
ALTER TABLE ONLY outside
    ADD CONSTRAINT outside_room_fkey FOREIGN KEY (room) REFERENCES rooms(code) ON DELETE CASCADE;
ALTER TABLE ONLY pupils
    ADD CONSTRAINT pupils_room_fkey FOREIGN KEY (room) REFERENCES rooms(code) ON DELETE CASCADE;
ALTER TABLE ONLY questions
    ADD CONSTRAINT questions_room_fkey FOREIGN KEY (room) REFERENCES rooms(code) ON DELETE CASCADE;

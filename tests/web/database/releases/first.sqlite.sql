BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE duels (
	name TEXT NOT NULL, 
	setup TEXT NOT NULL, 
	seat1 TEXT, 
	seat2 TEXT, 
	name1 TEXT, 
	name2 TEXT, 
	coach BOOLEAN NOT NULL, 
	room TEXT, 
	room_round INTEGER, 
	pupil1 INTEGER, 
	pupil2 INTEGER, 
	created BIGINT NOT NULL, 
	finished BOOLEAN NOT NULL, 
	over BOOLEAN NOT NULL, 
	champion INTEGER, 
	PRIMARY KEY (name), 
	FOREIGN KEY(room) REFERENCES rooms (code) ON DELETE CASCADE
);
INSERT INTO "duels" VALUES('0BgvNz6wlUP7','{"game": "multiplicity", "players": ["human", "human"], "first": 1, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 374141586, "started": "2026-11-15T23:15:38+00:00", "format": "numduel-match/1", "settings": {"size": 20, "start": 1, "opening": "any", "start_open": false}}','4bec078541d17877cb09da9e183a514ac64e7edf3c134d88f1edec28ebb61b49','a0265db36af7b28cb9e7ff4d2adf1812a84497f88049c4ec9811e532ec8805e4',NULL,NULL,0,NULL,NULL,NULL,NULL,1794784538,1,1,2);
INSERT INTO "duels" VALUES('9J8MRwvgeGUg','{"game": "double-or-add", "players": ["human", "human"], "first": 1, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 199895002, "started": "2026-11-15T23:15:38+00:00", "format": "numduel-match/1", "settings": {"target": 31, "start": 1}}','11fbf3aeaf469723047b8594eaf089756c4853d3ad297f53bd06f5774f14dbd4','b3089e449173b0fe55439d73989d7233f7d1cc1e81e3d1aec1378caa31c137f4',NULL,NULL,0,NULL,NULL,NULL,NULL,1794784538,0,0,NULL);
INSERT INTO "duels" VALUES('zT5TUMVQ03nN','{"game": "double-or-add", "players": ["human", "human"], "first": 2, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 1045037294, "started": "2026-11-15T23:15:38+00:00", "format": "numduel-match/1", "settings": {"target": 31, "start": 1}}','3f5e63e8cc354bebe9c0aa2f01246588beca8a5348cabb20c27d49fb651c2d75','628be5b527d699b5a01446cf4f6fe3b0e30f6f302b121b72740101c1ae04403e','Ada','Max',0,'RBNZV',1,1,2,1794784538,0,0,NULL);
CREATE TABLE events (
	duel TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	PRIMARY KEY (duel, number), 
	FOREIGN KEY(duel) REFERENCES duels (name) ON DELETE CASCADE
);
INSERT INTO "events" VALUES('0BgvNz6wlUP7',1,'{"move": 7}',1794784538);
INSERT INTO "events" VALUES('0BgvNz6wlUP7',2,'{"move": 14}',1794784538);
INSERT INTO "events" VALUES('0BgvNz6wlUP7',3,'{"move": 2}',1794784538);
INSERT INTO "events" VALUES('0BgvNz6wlUP7',4,'{"move": 4}',1794784538);
INSERT INTO "events" VALUES('0BgvNz6wlUP7',5,'{"move": 8}',1794784538);
INSERT INTO "events" VALUES('0BgvNz6wlUP7',6,'{"move": 16}',1794784538);
INSERT INTO "events" VALUES('9J8MRwvgeGUg',1,'{"move": 1}',1794784538);
INSERT INTO "events" VALUES('9J8MRwvgeGUg',2,'{"move": 2}',1794784538);
CREATE TABLE pupils (
	room TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	PRIMARY KEY (room, number), 
	UNIQUE (room, name), 
	FOREIGN KEY(room) REFERENCES rooms (code) ON DELETE CASCADE
);
INSERT INTO "pupils" VALUES('RBNZV',1,'Ada','3f5e63e8cc354bebe9c0aa2f01246588beca8a5348cabb20c27d49fb651c2d75');
INSERT INTO "pupils" VALUES('RBNZV',2,'Max','628be5b527d699b5a01446cf4f6fe3b0e30f6f302b121b72740101c1ae04403e');
CREATE TABLE records (
	name TEXT NOT NULL, 
	body TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "records" VALUES('5wNJ4nx-B8B2','{"format": "numduel-record/1", "game": "multiplicity", "settings": {"size": 20}, "players": ["human", "human"], "first": 1, "moves": [7, 14], "outcome": null, "started": "2026-01-02T03:04:05+00:00"}
',1794784542);
CREATE TABLE rooms (
	code TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	setup TEXT NOT NULL, 
	coach BOOLEAN NOT NULL, 
	round INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	touched BIGINT NOT NULL, 
	PRIMARY KEY (code)
);
INSERT INTO "rooms" VALUES('RBNZV','6d7b3f56130a909d8b35a089002e708e3e3dac5dd975815a951262d30f312df5','{"game": "double-or-add", "players": ["human", "human"], "first": 1, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 1045036293, "started": "2026-11-15T23:15:38+00:00", "format": "numduel-match/1", "settings": {"target": 31, "start": 1}}',0,1,4,1794784538);
CREATE INDEX ix_duels_room ON duels (room);
COMMIT;

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
INSERT INTO "duels" VALUES('l0l5Tqd3UPxF','{"game": "multiplicity", "players": ["human", "human"], "first": 1, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 4006490703, "started": "2026-11-15T23:15:55+00:00", "names": [null, null], "best_of": false, "coin": false, "format": "numduel-match/1", "settings": {"size": 20, "start": 1, "opening": "any", "start_open": false}}','e451fc91cac630fd614349aa5194efefa7bc608858f5c0f373b2a78df238e734','11f46874eb61915cbfd38c178759bc6720e29eb762a954d714250d9f58bef478',NULL,NULL,0,NULL,NULL,NULL,NULL,1794784555,1,1,2);
INSERT INTO "duels" VALUES('bfxPu2NYnS2M','{"game": "double-or-add", "players": ["human", "human"], "first": 1, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 341056522, "started": "2026-11-15T23:15:55+00:00", "names": [null, null], "best_of": false, "coin": false, "format": "numduel-match/1", "settings": {"target": 31, "start": 1}}','5df12aad49b4f94d337344d0ac44d3b22c159f040a3a8c8cb87ba453fcfc21ec','38fadf5f97980e67a553f175a25d17e5f8243aeab93ec63a9ec0f2ffdcf53ba3',NULL,NULL,0,NULL,NULL,NULL,NULL,1794784555,0,0,NULL);
INSERT INTO "duels" VALUES('_iZMX9yUmfAd','{"game": "double-or-add", "players": ["human", "human"], "first": 2, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 2701020988, "started": "2026-11-15T23:15:55+00:00", "names": [null, null], "best_of": false, "coin": false, "format": "numduel-match/1", "settings": {"target": 31, "start": 1}}','3493e493ea48588cff6af4cf4785187ba4a13ef089c5b596470c7cdf92b9a563','e0883fecd31901d2f9d6b4342f45cb06e9e057e3c79bf02e0c0aea3e3697e0f4','Ada','Max',0,'BKPSL',1,1,2,1794784555,0,0,NULL);
CREATE TABLE events (
	duel TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	token TEXT NOT NULL, 
	PRIMARY KEY (duel, number), 
	FOREIGN KEY(duel) REFERENCES duels (name) ON DELETE CASCADE
);
INSERT INTO "events" VALUES('l0l5Tqd3UPxF',1,'{"move": 7}',1794784555,'de24dcb28e996b4c');
INSERT INTO "events" VALUES('l0l5Tqd3UPxF',2,'{"move": 14}',1794784555,'c166de9353d88437');
INSERT INTO "events" VALUES('l0l5Tqd3UPxF',3,'{"move": 2}',1794784555,'a2488ffcc0fd8bb7');
INSERT INTO "events" VALUES('l0l5Tqd3UPxF',4,'{"move": 4}',1794784555,'2c759c056e67f296');
INSERT INTO "events" VALUES('l0l5Tqd3UPxF',5,'{"move": 8}',1794784555,'13af6b6a8615ee21');
INSERT INTO "events" VALUES('l0l5Tqd3UPxF',6,'{"move": 16}',1794784555,'fa487716d413cc54');
INSERT INTO "events" VALUES('bfxPu2NYnS2M',1,'{"move": 1}',1794784555,'fe32baf7acbc01da');
INSERT INTO "events" VALUES('bfxPu2NYnS2M',2,'{"move": 2}',1794784555,'23b9aa3df5a43743');
CREATE TABLE pupils (
	room TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	PRIMARY KEY (room, number), 
	UNIQUE (room, name), 
	FOREIGN KEY(room) REFERENCES rooms (code) ON DELETE CASCADE
);
INSERT INTO "pupils" VALUES('BKPSL',1,'Ada','3493e493ea48588cff6af4cf4785187ba4a13ef089c5b596470c7cdf92b9a563');
INSERT INTO "pupils" VALUES('BKPSL',2,'Max','e0883fecd31901d2f9d6b4342f45cb06e9e057e3c79bf02e0c0aea3e3697e0f4');
CREATE TABLE records (
	name TEXT NOT NULL, 
	body TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "records" VALUES('w1Q_WomTyp8j','{"format": "numduel-record/1", "game": "multiplicity", "settings": {"size": 20}, "players": ["human", "human"], "first": 1, "moves": [7, 14], "outcome": null, "started": "2026-01-02T03:04:05+00:00"}
',1794784560);
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
INSERT INTO "rooms" VALUES('BKPSL','a2e8a6e4c06089e512d0388881149ad72bce90e5f92edd6d7d667fc5a0e5a26e','{"game": "double-or-add", "players": ["human", "human"], "first": 1, "rounds": 1, "swap": false, "turn_limit": 2000, "seed": 2701019987, "started": "2026-11-15T23:15:55+00:00", "names": [null, null], "best_of": false, "coin": false, "format": "numduel-match/1", "settings": {"target": 31, "start": 1}}',0,1,4,1794784555);
CREATE INDEX ix_duels_room ON duels (room);
COMMIT;

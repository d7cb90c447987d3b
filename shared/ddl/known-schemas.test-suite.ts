// Test schemas in the manner of well-known applications, each with the habits of those who wrote or generated it.

export const KNOWN_SCHEMAS: Readonly<Record<string, string>> = {
  'browser history, by hand': `
CREATE TABLE moz_places (   id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR, visit_count INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0 NOT NULL, typed INTEGER DEFAULT 0 NOT NULL, frecency INTEGER DEFAULT -1 NOT NULL, last_visit_date INTEGER , guid TEXT, foreign_count INTEGER DEFAULT 0 NOT NULL, url_hash INTEGER DEFAULT 0 NOT NULL , description TEXT, preview_image_url TEXT, origin_id INTEGER REFERENCES moz_origins(id));
CREATE TABLE moz_origins ( id INTEGER PRIMARY KEY, prefix TEXT NOT NULL, host TEXT NOT NULL, frecency INTEGER NOT NULL, UNIQUE (prefix, host) );
CREATE INDEX moz_places_hostindex ON moz_places (rev_host);
CREATE UNIQUE INDEX moz_places_guid_uniqueindex ON moz_places (guid);
CREATE TABLE moz_items_annos (  id INTEGER PRIMARY KEY, item_id INTEGER NOT NULL, anno_attribute_id INTEGER, content LONGVARCHAR, flags INTEGER DEFAULT 0, expiration INTEGER DEFAULT 0)`,
  'browser history, by macros': `
CREATE TABLE meta(key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);
CREATE TABLE urls(id INTEGER PRIMARY KEY AUTOINCREMENT,url LONGVARCHAR,title LONGVARCHAR,visit_count INTEGER DEFAULT 0 NOT NULL,typed_count INTEGER DEFAULT 0 NOT NULL,last_visit_time INTEGER NOT NULL,hidden INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE visits(id INTEGER PRIMARY KEY AUTOINCREMENT,url INTEGER NOT NULL,visit_time INTEGER NOT NULL,from_visit INTEGER,transition INTEGER DEFAULT 0 NOT NULL,opener_visit INTEGER, originator_cache_guid TEXT, is_known_to_sync BOOLEAN DEFAULT FALSE NOT NULL);
CREATE TABLE keyword_search_terms (keyword_id INTEGER NOT NULL,url_id INTEGER NOT NULL,term LONGVARCHAR NOT NULL,normalized_term LONGVARCHAR NOT NULL);
CREATE INDEX visits_url_index ON visits (url);
CREATE INDEX keyword_search_terms_index1 ON keyword_search_terms (keyword_id, normalized_term)`,
  'mail, one file for all accounts': `
CREATE TABLE mailboxes (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT UNIQUE ON CONFLICT ABORT, total_count INTEGER NOT NULL DEFAULT 0, unread_count INTEGER NOT NULL DEFAULT 0);
CREATE TABLE messages (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, message_id INTEGER NOT NULL DEFAULT 0, sender INTEGER REFERENCES addresses(ROWID) ON DELETE SET NULL, subject_prefix TEXT COLLATE NOCASE, mailbox INTEGER NOT NULL REFERENCES mailboxes(ROWID) ON DELETE CASCADE, flags INTEGER NOT NULL DEFAULT 0, read INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL DEFAULT 0);
CREATE TABLE addresses (ROWID INTEGER PRIMARY KEY, address COLLATE NOCASE, comment, UNIQUE(address, comment) ON CONFLICT REPLACE);
CREATE INDEX messages_mailbox_index ON messages(mailbox, read) WHERE read = 0;
CREATE TRIGGER after_add_message AFTER INSERT ON messages FOR EACH ROW BEGIN UPDATE mailboxes SET total_count = total_count + 1 WHERE ROWID = new.mailbox; END`,
  'mail, with a full-text index': `
CREATE TABLE folderLocations (id INTEGER PRIMARY KEY, folderURI TEXT NOT NULL, dirtyStatus INTEGER NOT NULL, name TEXT NOT NULL, indexingPriority INTEGER NOT NULL);
CREATE TABLE conversations (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, oldestMessageDate INTEGER, newestMessageDate INTEGER);
CREATE TABLE messageAttributes (conversationID INTEGER NOT NULL, messageID INTEGER NOT NULL, attributeID INTEGER NOT NULL, value NUMERIC);
CREATE VIRTUAL TABLE messagesText USING fts5(body, subject, attachmentNames, author UNINDEXED, tokenize = 'porter');
CREATE INDEX attribFastDeletion ON messageAttributes(conversationID, messageID)`,
  'chat on a desk': `
CREATE TABLE message (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, text TEXT, replace INTEGER DEFAULT 0, service_center TEXT, handle_id INTEGER DEFAULT 0, date INTEGER, is_from_me INTEGER DEFAULT 0, attributedBody BLOB);
CREATE TABLE handle (ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, id TEXT NOT NULL, country TEXT, service TEXT NOT NULL, UNIQUE (id, service) );
CREATE TABLE chat_message_join (chat_id INTEGER REFERENCES chat (ROWID) ON DELETE CASCADE, message_id INTEGER REFERENCES message (ROWID) ON DELETE CASCADE, message_date INTEGER DEFAULT 0, PRIMARY KEY (chat_id, message_id));
CREATE TABLE chat (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, style INTEGER, state INTEGER);
CREATE INDEX message_idx_undelivered ON message(service_center, date DESC) WHERE text IS NULL`,
  'chat on a phone': `
CREATE TABLE messages (_id INTEGER PRIMARY KEY AUTOINCREMENT, key_remote_jid TEXT NOT NULL, key_from_me INTEGER, key_id TEXT NOT NULL, status INTEGER, data TEXT, timestamp INTEGER, latitude REAL, longitude REAL, thumb_image TEXT);
CREATE UNIQUE INDEX messages_key_index on messages (key_remote_jid, key_from_me, key_id);
CREATE TABLE android_metadata (locale TEXT);
CREATE TABLE group_participants (_id INTEGER PRIMARY KEY AUTOINCREMENT, gjid TEXT NOT NULL, jid TEXT NOT NULL, admin INTEGER, pending INTEGER)`,
  'chat with encryption': `
CREATE TABLE items(
      id TEXT PRIMARY KEY ASC,
      json TEXT
    );
CREATE TABLE messages(
        rowid INTEGER PRIMARY KEY ASC,
        id STRING UNIQUE,
        json TEXT, readStatus INTEGER,
        expires_at INTEGER,
        isErased INTEGER, type STRING, body TEXT
        -- added later
        , isStory INTEGER GENERATED ALWAYS AS (type IS 'story'),
        seenStatus NUMBER default 0, expiresAt INT GENERATED ALWAYS AS (ifnull(expires_at, 9007199254740991)) STORED);
CREATE INDEX messages_unread ON messages (id, readStatus) WHERE readStatus IS NOT NULL;
CREATE INDEX messages_preview ON messages (id, isErased, expiresAt, type DESC) WHERE isStory IS NOT 1 AND (type IS NULL OR type NOT IN ('a', 'b'))`,
  'notes, from an object graph': `
CREATE TABLE ZICCLOUDSYNCINGOBJECT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCRYPTOITERATIONCOUNT INTEGER, ZISPASSWORDPROTECTED INTEGER, ZMARKEDFORDELETION INTEGER, ZCREATIONDATE TIMESTAMP, ZIDENTIFIER VARCHAR, ZDATA BLOB );
CREATE TABLE Z_12NOTES ( Z_12FOLDERS INTEGER, Z_9NOTES INTEGER, PRIMARY KEY (Z_12FOLDERS, Z_9NOTES) );
CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
CREATE INDEX ZICCLOUDSYNCINGOBJECT_ZIDENTIFIER_INDEX ON ZICCLOUDSYNCINGOBJECT (ZIDENTIFIER COLLATE BINARY ASC)`,
  photos: `
CREATE TABLE "Adobe_images" (
    id_local INTEGER PRIMARY KEY,
    id_global UNIQUE NOT NULL,
    aspectRatioCache NOT NULL DEFAULT -1,
    captureTime,
    fileFormat NOT NULL DEFAULT 'unset',
    rating,
    touchTime NOT NULL DEFAULT 0
);
CREATE TABLE [exif data] ([image] INTEGER REFERENCES [Adobe_images], [f-number] REAL, [iso speed] INT CHECK ([iso speed] BETWEEN 1 AND 1000000));
CREATE INDEX "index_Adobe_images_rating" ON "Adobe_images"( rating, captureTime )`,
  'version control': `
CREATE TABLE blob(
  rid INTEGER PRIMARY KEY,        -- Record ID
  rcvid INTEGER,                  -- Origin of this record
  size INTEGER,                   -- Size of content. -1 for a phantom.
  uuid TEXT UNIQUE NOT NULL,      -- hash of the content
  content BLOB,                   -- Compressed content of this record
  CHECK( length(uuid)>=40 AND rid>0 )
);
CREATE TABLE delta(
  rid INTEGER PRIMARY KEY,                 -- BLOB that is delta-compressed
  srcid INTEGER NOT NULL REFERENCES blob   -- Baseline for delta-compression
);
CREATE TABLE user(
  uid INTEGER PRIMARY KEY,        -- User ID
  login TEXT UNIQUE,              -- login name of the user
  pw TEXT,                        -- password
  cap TEXT,                       -- Capabilities of this user
  info TEXT,                      -- contact information
  mtime DATE,                     -- last change.  seconds since 1970
  photo BLOB                      -- JPEG image of this user
);
CREATE TABLE config(
  name TEXT PRIMARY KEY NOT NULL,  -- Primary name of the entry
  value CLOB,                      -- Content of the named parameter
  mtime DATE,                      -- last modified.  seconds since 1970
  CHECK( typeof(name)='text' AND length(name)>=1 )
) WITHOUT ROWID;
CREATE INDEX delta_i1 ON delta(srcid)`,
  'music shop, written by a generator': `
CREATE TABLE [Album]
(
    [AlbumId] INTEGER  NOT NULL,
    [Title] NVARCHAR(160)  NOT NULL,
    [ArtistId] INTEGER  NOT NULL,
    CONSTRAINT [PK_Album] PRIMARY KEY  ([AlbumId]),
    FOREIGN KEY ([ArtistId]) REFERENCES [Artist] ([ArtistId])
		ON DELETE NO ACTION ON UPDATE NO ACTION
);
CREATE TABLE [Artist]
(
    [ArtistId] INTEGER  NOT NULL,
    [Name] NVARCHAR(120),
    CONSTRAINT [PK_Artist] PRIMARY KEY  ([ArtistId])
);
CREATE TABLE [PlaylistTrack]
(
    [PlaylistId] INTEGER  NOT NULL,
    [TrackId] INTEGER  NOT NULL,
    [UnitPrice] NUMERIC(10,2)  NOT NULL,
    CONSTRAINT [PK_PlaylistTrack] PRIMARY KEY  ([PlaylistId], [TrackId])
);
CREATE UNIQUE INDEX [IPK_PlaylistTrack] ON [PlaylistTrack]([PlaylistId], [TrackId])`,
  'flash cards': `
CREATE TABLE cards (
  id integer PRIMARY KEY,
  nid integer NOT NULL,
  did integer NOT NULL,
  ord integer NOT NULL,
  mod integer NOT NULL,
  usn integer NOT NULL,
  type integer NOT NULL,
  queue integer NOT NULL,
  due integer NOT NULL,
  data text NOT NULL
);
CREATE TABLE tags (
  tag text NOT NULL PRIMARY KEY COLLATE NOCASE,
  usn integer NOT NULL,
  collapsed boolean NOT NULL,
  config blob NULL
) without rowid;
CREATE INDEX ix_cards_sched ON cards (did, queue, due)`,
  books: `
CREATE TABLE books ( id      INTEGER PRIMARY KEY AUTOINCREMENT,
                             title     TEXT NOT NULL DEFAULT 'Unknown' COLLATE NOCASE,
                             sort      TEXT COLLATE NOCASE,
                             timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
                             pubdate   TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
                             series_index REAL NOT NULL DEFAULT 1.0,
                             path TEXT NOT NULL DEFAULT "",
                             flags INTEGER NOT NULL DEFAULT 1,
                             uuid TEXT,
                             has_cover BOOL DEFAULT 0,
                             last_modified TIMESTAMP NOT NULL DEFAULT "2000-01-01 00:00:00+00:00");
CREATE TABLE comments ( id INTEGER PRIMARY KEY,
                              book INTEGER NOT NULL,
                              text TEXT NOT NULL COLLATE NOCASE,
                              UNIQUE(book)
                            );
CREATE INDEX authors_idx ON books (sort COLLATE NOCASE);
CREATE VIEW meta AS SELECT id, title, (SELECT text FROM comments WHERE book=books.id) comments FROM books`,
  references: `
CREATE TABLE items (
    itemID INTEGER PRIMARY KEY,
    itemTypeID INT NOT NULL,
    dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    libraryID INT NOT NULL,
    key TEXT NOT NULL,
    version INT NOT NULL DEFAULT 0,
    synced INT NOT NULL DEFAULT 0,
    UNIQUE (libraryID, key),
    FOREIGN KEY (libraryID) REFERENCES libraries(libraryID) ON DELETE CASCADE
);
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL, editable INT NOT NULL, CHECK (type IN ('user', 'group', 'feed')));
CREATE TRIGGER fki_items BEFORE INSERT ON items FOR EACH ROW WHEN NEW.libraryID IS NULL BEGIN
    SELECT RAISE(ABORT, 'insert on table "items" violates "END"');
  END`,
  'home automation': `
CREATE TABLE states (
	state_id INTEGER NOT NULL,
	entity_id CHAR(0),
	state VARCHAR(255),
	last_updated_ts FLOAT,
	old_state_id INTEGER,
	metadata_id INTEGER,
	PRIMARY KEY (state_id),
	FOREIGN KEY(old_state_id) REFERENCES states (state_id),
	FOREIGN KEY(metadata_id) REFERENCES states_meta (metadata_id)
);
CREATE TABLE states_meta (
	metadata_id INTEGER NOT NULL,
	entity_id VARCHAR(255),
	PRIMARY KEY (metadata_id)
);
CREATE INDEX ix_states_metadata_id_last_updated_ts ON states (metadata_id, last_updated_ts)`,
  'web framework, one': `
CREATE TABLE "auth_user" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "password" varchar(128) NOT NULL, "is_superuser" bool NOT NULL, "username" varchar(150) NOT NULL UNIQUE, "date_joined" datetime NOT NULL);
CREATE TABLE "auth_group_permissions" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "group_id" integer NOT NULL REFERENCES "auth_group" ("id") DEFERRABLE INITIALLY DEFERRED, "position" integer unsigned NOT NULL CHECK ("position" >= 0), "data" text NULL CHECK ((JSON_VALID("data") OR "data" IS NULL)), CONSTRAINT "one_group" UNIQUE ("group_id", "position"));
CREATE TABLE "auth_group" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(150) NOT NULL UNIQUE);
CREATE UNIQUE INDEX "auth_group_permissions_group_id_uniq" ON "auth_group_permissions" ("group_id", "position")`,
  'web framework, two': `
CREATE TABLE "schema_migrations" ("version" varchar NOT NULL PRIMARY KEY);
CREATE TABLE "posts" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "title" varchar DEFAULT NULL, "price" decimal(10,2) DEFAULT '0.0', "user_id" integer NOT NULL, "created_at" datetime(6) NOT NULL, CONSTRAINT "fk_rails_5b5ddfd518"
FOREIGN KEY ("user_id")
  REFERENCES "users" ("id")
, CONSTRAINT chk_price CHECK (price >= 0));
CREATE TABLE "users" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL);
CREATE INDEX "index_posts_on_user_id" ON "posts" ("user_id")`,
  maps: `
CREATE TABLE metadata (name text, value text);
CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
CREATE UNIQUE INDEX tile_index on tiles (zoom_level, tile_column, tile_row);
CREATE TABLE gpkg_contents (
  table_name TEXT NOT NULL PRIMARY KEY,
  data_type TEXT NOT NULL,
  identifier TEXT UNIQUE,
  description TEXT DEFAULT '',
  last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  min_x DOUBLE,
  srs_id INTEGER,
  CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id)
);
CREATE TABLE roads ( "fid" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "geom" MULTILINESTRING, "full name" TEXT(254), "oneway" BOOLEAN);
CREATE VIRTUAL TABLE rtree_roads_geom USING rtree(id, minx, maxx, miny, maxy)`,
  'media centre': `
CREATE TABLE files ( idFile integer primary key, idPath integer, strFilename text, playCount integer, lastPlayed text, dateAdded text);
CREATE TABLE movie ( idMovie integer primary key, idFile integer,c00 text,c01 text,c02 text,c03 text,c04 text, idSet integer, userrating integer, premiered text);
CREATE UNIQUE INDEX ix_movie_file_1 ON movie (idFile, idMovie);
CREATE VIEW movie_view AS SELECT  movie.*,  files.strFileName AS strFileName FROM movie  JOIN files ON    files.idFile=movie.idFile;
CREATE TRIGGER delete_movie AFTER DELETE ON movie FOR EACH ROW BEGIN DELETE FROM files WHERE idFile=old.idFile; END`,
  'passwords, strict and modern': `
CREATE TABLE IF NOT EXISTS vault
( id TEXT NOT NULL PRIMARY KEY
, owner TEXT NOT NULL -- who may read it
    REFERENCES owners (id) ON UPDATE CASCADE ON DELETE RESTRICT
, kind INTEGER NOT NULL DEFAULT 1 CHECK (kind IN (1, 2, 3)) -- login, note, card
, payload BLOB NOT NULL /* sealed */
, created_at INTEGER NOT NULL DEFAULT (unixepoch())
, CONSTRAINT "payload is sealed" CHECK (length(payload) > 16) ) STRICT, WITHOUT ROWID;
CREATE TABLE owners (id TEXT PRIMARY KEY, extra ANY) STRICT;
CREATE INDEX vault_owner ON vault (owner, created_at DESC)`,
  'dog ears of many years': `
CREATE TABLE "main"."Order Details"(OrderID int, ProductID int,
  "Unit Price" money default (0) constraint positive check ("Unit Price">=0) constraint c2 check(Discount between 0 and (1)),
  Quantity smallint not null default(1),
  Discount real default 0.0,
  primary key(OrderID, ProductID), foreign key (OrderID) references Orders on delete cascade check (Quantity>0) unique (ProductID,OrderID));
CREATE TABLE Orders(OrderID INTEGER PRIMARY KEY, [Ship Via] int null, "group" text, \`select\` float, 'quoted' text, ünïcode text)`,
  'photo albums': `
CREATE TABLE AlbumRoots (id INTEGER PRIMARY KEY, label TEXT, status INTEGER NOT NULL, type INTEGER NOT NULL, identifier TEXT, specificPath TEXT, UNIQUE(identifier, specificPath));
CREATE TABLE Albums
                    (id INTEGER PRIMARY KEY,
                    albumRoot INTEGER NOT NULL,
                    relativePath TEXT NOT NULL,
                    date DATE,
                    caption TEXT, -- shown below the album
                    UNIQUE(albumRoot, relativePath));
CREATE TABLE Images (id INTEGER PRIMARY KEY, album INTEGER, name TEXT NOT NULL, status INTEGER NOT NULL, modificationDate DATETIME, fileSize INTEGER, uniqueHash TEXT, UNIQUE (album, name));
CREATE TABLE ImagePositions (imageid INTEGER PRIMARY KEY, latitude TEXT, latitudeNumber REAL, longitudeNumber REAL, altitude REAL, accuracy REAL);
CREATE TABLE TagsTree (id INTEGER NOT NULL, pid INTEGER NOT NULL, UNIQUE (id, pid));
CREATE INDEX dir_index ON Images (album);
CREATE TRIGGER delete_image DELETE ON Images
            BEGIN
                DELETE FROM ImagePositions    WHERE imageid=OLD.id;
            END`,
  'e-books': `
CREATE TABLE books ( id      INTEGER PRIMARY KEY AUTOINCREMENT,
                             title     TEXT NOT NULL DEFAULT 'Unknown' COLLATE NOCASE,
                             sort      TEXT COLLATE NOCASE,
                             timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
                             series_index REAL NOT NULL DEFAULT 1.0,
                             path TEXT NOT NULL DEFAULT "",
                             last_modified TIMESTAMP NOT NULL DEFAULT "2000-01-01 00:00:00+00:00");
CREATE TABLE authors ( id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, link TEXT NOT NULL DEFAULT "", UNIQUE(name) );
CREATE TABLE books_authors_link ( id INTEGER PRIMARY KEY,
                                          book INTEGER NOT NULL,
                                          author INTEGER NOT NULL,
                                          UNIQUE(book, author)
                                        );
CREATE INDEX books_idx ON books (sort COLLATE NOCASE);
CREATE VIEW meta AS SELECT id, title, (SELECT group_concat(name) FROM authors WHERE authors.id IN (SELECT author FROM books_authors_link WHERE book = books.id)) authors FROM books;
CREATE TRIGGER fkc_insert BEFORE INSERT ON books_authors_link
        BEGIN
          SELECT CASE
              WHEN (SELECT id from books WHERE id=NEW.book) IS NULL
              THEN RAISE(ABORT, 'Foreign key violation: book not in books')
          END;
        END`,
  feeds: `
CREATE TABLE feed (id integer PRIMARY KEY, rssurl VARCHAR(1024) NOT NULL, url VARCHAR(1024), title VARCHAR(1024) NOT NULL , lastmodified INTEGER(11) NOT NULL DEFAULT 0, is_rtl INTEGER(1) NOT NULL DEFAULT 0 /* right to left */);
CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,guid VARCHAR(64) NOT NULL, title VARCHAR(1024) NOT NULL, feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL, content VARCHAR(65535) NOT NULL, unread INTEGER(1) NOT NULL , enclosure_url VARCHAR(1024), FOREIGN KEY(feedurl) REFERENCES feed(rssurl));
CREATE UNIQUE INDEX idx_rssurl ON feed(rssurl);
CREATE INDEX idx_unread ON item(unread) WHERE unread = 1`,
  'map tiles': `
CREATE TABLE metadata (name text, value text);
CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT, grid_id TEXT);
CREATE TABLE images (tile_data blob, tile_id text);
CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
CREATE VIEW tiles AS
    SELECT
        map.zoom_level AS zoom_level, -- from 0 on
        map.tile_column AS tile_column,
        images.tile_data AS tile_data
    FROM map
    JOIN images ON images.tile_id = map.tile_id`,
  'calendar and contacts': `
CREATE TABLE calendars (\n  "principaluri" varchar(255) NOT NULL DEFAULT (''),\n  "uri" varchar(255), "components" VARCHAR(64) CHECK ("components" IN ('VEVENT','VTODO','VJOURNAL') OR "components" IS NULL),\n  "id" integer PRIMARY KEY);
CREATE TABLE calendarobjects (
  id integer primary key asc,
  calendarid integer not null constraint of_calendar references calendars on delete cascade deferrable initially deferred,
  uri text not null,
  calendardata blob not null,
  lastmodified integer, firstoccurence integer, lastoccurence integer check (lastoccurence is null or lastoccurence >= firstoccurence),
  constraint "one of each" unique (calendarid, uri) on conflict replace
);
CREATE INDEX by_time ON calendarobjects (calendarid, firstoccurence) WHERE firstoccurence IS NOT NULL`,
};

# Makes databases, writes each as a dump with Python's module and with the program sqlite3 where there is one, and says what Python reads of them.
import json, os, random, shutil, sqlite3, subprocess, sys

folder = sys.argv[1]
SHELL = shutil.which('sqlite3')
found = []

# A value with its type and all its bytes; a real number as it is.
EXACT = "CASE typeof({0}) WHEN 'real' THEN {0} ELSE typeof({0}) || ' ' || hex({0}) END"
quoted = lambda name: '"' + name.replace('"', '""') + '"'

def judge(name, script, module=True):
    path = os.path.join(folder, f'{len(found)}.db')
    db = sqlite3.connect(path)
    db.text_factory = lambda data: data.decode('utf-8', 'surrogateescape')
    db.executescript(script)
    db.commit()
    tables = {}
    for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name").fetchall():
        columns = [row[1] for row in db.execute(f'PRAGMA table_xinfo({quoted(table)})') if row[6] != 1]
        sql = f"SELECT {', '.join(EXACT.format(quoted(one)) for one in columns)} FROM {quoted(table)}"
        tables[table] = {'sql': sql, 'rows': [[f'real {one!r}' if isinstance(one, float) else one for one in row] for row in db.execute(sql)]}
    objects = [list(row) for row in db.execute("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name, type")]
    dumps = {}
    try:
        if module: dumps['module'] = '\n'.join(db.iterdump()).encode('utf-8', 'surrogateescape')
    except sqlite3.Error: pass
    db.close()
    if SHELL: dumps['program'] = subprocess.run([SHELL, path, '.dump'], capture_output=True, check=True).stdout
    for maker, dump in dumps.items():
        file = f'{len(found)}.sql'
        with open(os.path.join(folder, file), 'wb') as out: out.write(dump)
        found.append({'name': f'{name}, written by the {maker}', 'file': file, 'tables': tables, 'objects': objects})

HARD = ["''", "' '", "'it''s'", "'\"'", "'\\'", "'a;b'", "'-- no'", "'/* no */'", "char(10)", "char(13, 10)", "char(9, 11, 12, 8, 127)", "char(128512, 233, 65279)", "'007'", "'1.10'", "'NULL'", "'\\n'", "'\\u0041'", "replace('x', 'x', char(10)) || 'char(10)'", "'BEGIN;'", "'CREATE TABLE y (x);'", "'unistr(''a'')'", "char(1114111, 65535)"]
NUMBERS = ['0', '-1', '9223372036854775807', '-9223372036854775807 - 1', '0.1', '1e300 * 10', '-1e-300', '5e-324', '1.7976931348623157e308', '1.0', '1e15', '1e16', '123456789012345680.0', '0.30000000000000004', '3.0e22']
BLOBS = ["x''", "x'00'", "x'27'", "x'ff00fe'", 'zeroblob(300)', "CAST('a''b' AS BLOB)"]
values = lambda items: ', '.join(f'({at}, {item})' for at, item in enumerate(items))

for type in ('', 'TEXT', 'BLOB', 'NUMERIC', 'INTEGER', 'REAL', 'VARCHAR(5)', 'DECIMAL(10,2)', 'BOOLEAN', 'DATETIME', 'JSON', 'ANY'):
    judge(f'all values in a column of {type or "no type"}', f'CREATE TABLE t (id INTEGER PRIMARY KEY, v {type}); INSERT INTO t VALUES {values(HARD + NUMBERS + BLOBS + ["NULL"])};')
judge('texts that are not UTF-8', "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, CAST(x'ff' AS TEXT)), (2, CAST(x'61c328' AS TEXT)), (3, 'é');", module=False)
judge('infinite numbers', "CREATE TABLE t (v); INSERT INTO t VALUES (1e999), (-1e999), (1);")
judge('long values', "CREATE TABLE t (a, b); INSERT INTO t VALUES (hex(zeroblob(100000)), zeroblob(100000));")
judge('STRICT', f"CREATE TABLE t (i INT, r REAL, t TEXT, b BLOB, a ANY) STRICT; INSERT INTO t VALUES (1, 1, '1', x'01', '007'), (NULL, -0.0, '', x'', 1.0);")
judge('WITHOUT ROWID', "CREATE TABLE t (a TEXT, b INTEGER, c, PRIMARY KEY (b DESC, a)) WITHOUT ROWID; INSERT INTO t VALUES ('x', 1, 1.5), ('y', 2, NULL);")
judge('AUTOINCREMENT', "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a); INSERT INTO t VALUES (5, 'x'), (9, 'y'); DELETE FROM t WHERE id = 9;")
judge('row ids of a table without a key', "CREATE TABLE t (a); INSERT INTO t (rowid, a) VALUES (7, 'x'), (3, 'y');")
judge('generated columns', "CREATE TABLE t (a INTEGER, b AS (a * 2), c TEXT AS (a || 'x') STORED, d); INSERT INTO t (a, d) VALUES (1, 'p'), (2, NULL);")
judge('defaults and checks', "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT DEFAULT 'it''s' NOT NULL CHECK (a <> ';'), b DEFAULT (1 + 2), c DEFAULT CURRENT_TIMESTAMP, d BLOB DEFAULT x'00', e REAL DEFAULT -1.5e3); INSERT INTO t (id, a) VALUES (1, 'x'); UPDATE t SET c = '2024-01-01';")
judge('foreign keys in a ring', 'CREATE TABLE a (id INTEGER PRIMARY KEY, b REFERENCES b DEFERRABLE INITIALLY DEFERRED); CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a ON DELETE CASCADE); INSERT INTO a VALUES (1, 1); INSERT INTO b VALUES (1, 1);')
judge('indexes', "CREATE TABLE t (a, b TEXT COLLATE NOCASE, c); INSERT INTO t VALUES (1, 'x', 2); CREATE UNIQUE INDEX i ON t (a, b COLLATE BINARY DESC) WHERE c > 0; CREATE INDEX \"odd; name\" ON t (lower(b), a + 1);")
judge('views and triggers', "CREATE TABLE t (a); CREATE TABLE log (x); CREATE VIEW v (n) AS SELECT a || ';' FROM t; CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES ('a;b'); UPDATE log SET x = CASE WHEN 1 THEN 'END;' ELSE '' END; END; CREATE TRIGGER w INSTEAD OF INSERT ON v BEGIN SELECT 1; END; INSERT INTO t VALUES (1);")
judge('comments in definitions', "CREATE TABLE t (a, -- first; 'x\n b /* ; \" */, c); INSERT INTO t VALUES (1, 2, 3); CREATE VIEW v AS SELECT a -- ;\n FROM t;")
for odd in ('select', 'with space', 'qu"ote', "it's", 'br[ack]et', 'back`tick', 'semi;colon', 'ünï😀', '1st', '--', 'new\nline', 'Values', 'percent%'):
    judge(f'names like {odd!r}', f"CREATE TABLE {quoted(odd)} ({quoted(odd)} TEXT, {quoted(odd + ' 2')}); INSERT INTO {quoted(odd)} VALUES ('a', 1); CREATE INDEX {quoted('i ' + odd)} ON {quoted(odd)} ({quoted(odd)});")
judge('full-text search', "CREATE VIRTUAL TABLE f USING fts5(a, b); INSERT INTO f VALUES ('one two', 'it''s'), ('three', NULL);")
judge('R-Tree', 'CREATE VIRTUAL TABLE r USING rtree(id, x0, x1); INSERT INTO r VALUES (1, 0.5, 1.5), (2, -1, 1);')
judge('an empty database', '')
judge('empty tables', 'CREATE TABLE a (x); CREATE TABLE b (y INTEGER PRIMARY KEY);')
numbers = random.Random(1)
rows = ', '.join(f"({numbers.choice(NUMBERS)}, {numbers.choice(HARD)}, {numbers.choice(BLOBS)})" for _ in range(300))
judge('many rows', f'CREATE TABLE t (a, b, c); INSERT INTO t VALUES {rows};')

print(json.dumps(found))

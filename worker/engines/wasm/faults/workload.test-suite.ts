// Work on a database while things go wrong: every kind of write there is, each step one commit at most.
import { createRandom } from '#shared/random.ts';
import type { Connection } from '../../engine.ts';

export interface Step {
  readonly name: string;
  /** Doing it again after it failed does the same. */
  run(connection: Connection): void;
  /** The database is closed after it, and opened again. */
  readonly reopen?: boolean;
  /** Everything acknowledged before it is on disk afterwards, whatever the durability. */
  readonly flushes?: boolean;
  /** Its result is kept aside, file and log, under {@link COPY}. */
  readonly copied?: boolean;
}

export const COPY = '/copy-under-test.sqlite3';

const SCHEMA = [
  'CREATE TABLE account (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, amount INTEGER NOT NULL DEFAULT 0)',
  'CREATE TABLE note (id INTEGER PRIMARY KEY, account INTEGER REFERENCES account ON DELETE CASCADE, body TEXT)',
  'CREATE TABLE tag (name TEXT PRIMARY KEY, uses INTEGER) WITHOUT ROWID',
  'CREATE TABLE history (id INTEGER PRIMARY KEY, what TEXT)',
  "CREATE TRIGGER changed AFTER UPDATE ON account BEGIN INSERT INTO history (what) VALUES ('account ' || new.id); END",
];

export const WORKLOAD: readonly Step[] = [
  step('schema', (db) => transaction(db, () => SCHEMA.forEach((sql) => db.run(sql)))),
  step('one row', (db) => addAccounts(db, 1)),
  step('twenty rows', (db) => addAccounts(db, 20)),
  step('three hundred rows', (db) => addAccounts(db, 300)),
  step('rows of several pages', (db) => addNotes(db, 6, 20_000)),
  step('update with a trigger', (db) => void db.run('UPDATE account SET amount = amount + id WHERE id % 7 = 0')),
  checkpoint(),
  step('index build', (db) => void db.run('CREATE INDEX account_owner ON account (owner, amount)')),
  step('a table without rowids', (db) =>
    db.run("INSERT INTO tag SELECT 'tag ' || id, id FROM account WHERE id % 3 = 0"),
  ),
  {
    ...step('savepoint partly rolled back', (db) =>
      transaction(db, () => {
        addRows(db, 5);
        db.run('SAVEPOINT part');
        db.run('DELETE FROM account WHERE id % 2 = 0');
        db.run('ROLLBACK TO part');
        db.run("UPDATE tag SET uses = uses + 1 WHERE name > 'tag 2'");
      }),
    ),
    copied: true,
  },
  step('transaction rolled back', (db) => {
    db.run('BEGIN');
    db.run('DELETE FROM account');
    db.run('ROLLBACK');
  }),
  { ...checkpoint(), name: 'close', reopen: true },
  step('first commit into an old file', (db) => addAccounts(db, 3)),
  step('more than the cache holds', (db) =>
    withPragma(db, 'cache_size', 8, () =>
      transaction(db, () => {
        addNoteRows(db, 60, 3_000);
        db.run("UPDATE note SET body = body || '.'");
      }),
    ),
  ),
  step('delete with a cascade', (db) => void db.run('DELETE FROM account WHERE id % 4 = 1')),
  step('checkpoint with a commit', (db) => withPragma(db, 'wal_autocheckpoint', 1, () => addAccounts(db, 2))),
  step('the log from its beginning again', (db) => addAccounts(db, 1)),
  step('restored from the copy', (db) => db.restoreFrom(COPY)),
  step('vacuum', (db) => void db.run('VACUUM')),
  step('drop', (db) => void db.run('DROP TABLE tag')),
  checkpoint(),
  step('last row', (db) => addAccounts(db, 1)),
  { ...checkpoint(), name: 'close again', reopen: true },
];

function step(name: string, run: (connection: Connection) => void): Step {
  return { name, run };
}

function checkpoint(): Step {
  return { name: 'checkpoint', run: (db) => db.checkpoint(), flushes: true };
}

function transaction(db: Connection, body: () => void): void {
  db.run('BEGIN IMMEDIATE');
  body();
  db.run('COMMIT');
}

function withPragma(db: Connection, name: string, value: number, body: () => void): void {
  const [before] = db.one(`PRAGMA ${name}`)!;
  db.run(`PRAGMA ${name} = ${value}`);
  try {
    body();
  } finally {
    db.run(`PRAGMA ${name} = ${String(before)}`);
  }
}

function addAccounts(db: Connection, count: number): void {
  transaction(db, () => addRows(db, count));
}

/** The rows follow from those that are there: a step done again after it failed adds the same. */
function addRows(db: Connection, count: number): void {
  const first = nextId(db, 'account');
  for (let id = first; id < first + count; id++)
    db.run('INSERT INTO account VALUES (?, ?, ?)', [id, text(id, 12), (id * 7919) % 1000]);
}

function addNotes(db: Connection, count: number, length: number): void {
  transaction(db, () => addNoteRows(db, count, length));
}

function addNoteRows(db: Connection, count: number, length: number): void {
  const first = nextId(db, 'note');
  for (let id = first; id < first + count; id++)
    db.run('INSERT INTO note VALUES (?, (SELECT id FROM account ORDER BY id LIMIT 1 OFFSET ? % 100), ?)', [
      id,
      id,
      text(id, length),
    ]);
}

function nextId(db: Connection, table: string): number {
  return Number(db.one(`SELECT coalesce(max(id), 0) + 1 FROM ${table}`)![0]);
}

function text(seed: number, length: number): string {
  const random = createRandom(seed);
  let word = '';
  while (word.length < 40) word += random.next().toString(36).slice(2);
  return word.repeat(Math.ceil(length / word.length)).slice(0, length);
}

const latin1 = new TextDecoder('latin1');
/** JSON of the bytes themselves names each by its place, which takes most of the time. */
const bytesAsText = (_key: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { bytes: latin1.decode(value) } : value;

/** Everything a person could see, as one text. */
export function contents(db: Connection): string {
  const tables = db.all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name');
  const parts = [JSON.stringify(tables)];
  for (const [type, name] of tables) {
    if (type === 'table') parts.push(JSON.stringify(db.all(`SELECT * FROM "${String(name)}" ORDER BY 1`), bytesAsText));
  }
  return parts.join('\n');
}

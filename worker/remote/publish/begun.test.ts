// A publication whose process has ended, at any moment of it: the next process finds out how far it was, and continues or removes it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestServer } from '../../../build/sqld/test-server.ts';
import type { TestServer } from '../../../build/sqld/test-server.ts';
import { LONG } from '#shared/seed-count.test-suite.ts';
import type { PublishReply } from '#shared/protocol/publish.ts';
import type { Connection, Engine } from '../../engines/engine.ts';
import { startNetwork } from '../../engines/remote/network/network-thread.test-suite.ts';
import { createRemoteEngine } from '../../engines/remote/remote-engine.ts';
import { contentsOf, native, temporaryFolder } from '../../export/export-fixture.test-suite.ts';
import { scratchFiles } from '../../native/transfer-files.ts';
import type { Pause } from '../../sessions/session.ts';
import { opened } from '../../transfer/transfer-fixture.test-suite.ts';
import { objectsOnServer } from './on-server.ts';
import { Publication } from './publication.ts';
import { removePublished } from './publish-operations.ts';
import { planOf } from './source-plan.ts';
import { lookAtServer } from './try-plan.ts';
import { undisturbedTurn } from '../../sessions/undisturbed-turn.ts';

const server = await startTestServer();

const ROWS = LONG ? 5000 : 350;
const BYTES = LONG ? 100 : 1000;
/** What the server has at one moment or another: only the tables, a part of the first one, all of it, and all of them. */
const STATES = LONG ? ['---', '…--', 'x--', 'x-x'] : ['…--', 'x-x'];

type Reply = Omit<PublishReply, 'timeMs'>;

/** Rows that are there: none, some, or all of each table. */
const stateOf = (tables: readonly { readonly saved: number; readonly rows: number }[]): string =>
  tables.map(({ saved, rows }) => (saved === 0 ? '-' : saved === rows ? 'x' : '…')).join('');

const SHOP = `
  CREATE TABLE first (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT);
  CREATE TABLE none (a);
  CREATE TABLE second (k TEXT PRIMARY KEY, b REAL, twice AS (b * 2)) WITHOUT ROWID;
  WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${ROWS}) INSERT INTO first (a) SELECT hex(randomblob(${BYTES})) FROM c;
  INSERT INTO second SELECT 'k' || id, id / 7.0 FROM first WHERE id % 2 = 0;
  CREATE INDEX by_a ON first (a); CREATE INDEX by_b ON second (b);
  CREATE VIEW v AS SELECT a FROM first;
  CREATE VIRTUAL TABLE words USING fts5(a, content='first', content_rowid='id'); INSERT INTO words (words) VALUES ('rebuild');
  CREATE TRIGGER noted AFTER INSERT ON first BEGIN INSERT INTO none VALUES (new.a); END;
  PRAGMA user_version = 3;`;

describe.skipIf('why' in server)('a publication whose process has ended', { timeout: 300_000 }, () => {
  const { url, end } = server as TestServer;
  let made = 0;
  let engine: Engine;
  let source: Connection;
  const all = (of: Connection) => (sql: string) => of.all(sql) as readonly (readonly unknown[])[];
  const open = (): Connection => engine.open(`begun${made}`, { durability: 'full' });

  beforeAll(async () => {
    const reach = (location: string) => ({ url: url(location), token: null, readOnly: false });
    engine = await createRemoteEngine(reach, { startNetwork });
  });
  beforeEach(async () => {
    const file = join(temporaryFolder(), 'source.db');
    const database = new DatabaseSync(file);
    database.exec(SHOP);
    database.close();
    const opening = await opened(scratchFiles(native), new Uint8Array(readFileSync(file)), { name: 'source.db' });
    source = opening.connection;
  });
  afterAll(() => end());

  function stepped<T>(body: Generator<Pause, T>, most = Infinity, between = (): void => undefined): T | null {
    for (let steps = 0; steps < most; steps++) {
      const step = body.next();
      if (step.done) return step.value;
      between();
    }
    return null;
  }

  /** Begins a publication, and abandons it after `steps` steps, like a killed process. */
  function leave(steps: number, seen: (state: string) => void = () => undefined): void {
    made++;
    const connection = open();
    const publication = new Publication(source, lookAtServer(connection, planOf(source)).tried);
    const see = (): void => seen(stateOf(publication.tables.map(({ saved, plan }) => ({ saved, rows: plan.rows }))));
    // Each batch is a transaction.
    const [now, clock] = [performance.now.bind(performance), vi.spyOn(performance, 'now')];
    let laterMs = 0;
    clock.mockImplementation(() => now() + (laterMs += 500));
    try {
      stepped(
        publication.run(undisturbedTurn(connection), () => undefined),
        steps,
        see,
      );
    } finally {
      clock.mockRestore();
    }
  }

  const run = (connection: Connection, publication: Publication): Reply =>
    stepped(publication.run(undisturbedTurn(connection), () => undefined))!;

  function expectSame(connection: Connection, reply: Reply): void {
    expect(reply).toMatchObject({ outcome: 'done', why: '', hasTables: 'yes', notPublished: [] });
    for (const { name, rows, saved, digest, onServer } of reply.tables)
      expect({ name, saved, onServer }).toEqual({ name, saved: rows, onServer: { rows, digest } });
    expect(contentsOf(all(connection))).toEqual(contentsOf(all(source)));
    expect(connection.one('SELECT count(*) FROM none')).toEqual([0]);
  }

  /**
   * Numbers of steps after which processes end: every other one up to the end in the long tests, otherwise one in the middle of a table,
   * and all.
   */
  function moments(): readonly number[] {
    const firsts = new Map<string, number>();
    let steps = 0;
    leave(Infinity, (state) => {
      steps++;
      if (!firsts.has(state)) firsts.set(state, steps);
    });
    if (LONG) return Array.from({ length: Math.floor(steps / 2) + 2 }, (_, index) => index * 2);
    return [firsts.get('…--')!, steps + 1];
  }

  it('is found, and continued or removed, wherever it ended', () => {
    const found = new Set<string>();
    for (const [index, steps] of moments().entries()) {
      leave(steps);
      const connection = open();
      const { begun, objects, tried } = lookAtServer(connection, planOf(source));
      const publication = new Publication(source, tried, objects);
      expect(begun).toBe(objects.length > 0);
      if (begun) {
        const { tables, hasTables, outcome } = stepped(publication.find(undisturbedTurn(connection), () => undefined))!;
        expect([outcome, hasTables]).toEqual(['stopped', 'yes']);
        for (const { name, saved, unsure } of tables) {
          expect(connection.one(`SELECT count(*) FROM ${name}`)).toEqual([saved]);
          expect(unsure).toBe(0);
        }
        found.add(stateOf(tables));
      }
      if (index % 2 === 0) expectSame(connection, run(connection, publication));
      removePublished(connection, publication);
      expect(objectsOnServer(connection)).toEqual([]);
      connection.close();
    }
    expect([...found]).toEqual(expect.arrayContaining(STATES));
  });

  it('is not continued or removed once a row is another', () => {
    leave(Infinity);
    const connection = open();
    const find = (): Reply => {
      const { begun, objects, tried } = lookAtServer(connection, planOf(source));
      expect(begun).toBe(true);
      return stepped(new Publication(source, tried, objects).find(undisturbedTurn(connection), () => undefined))!;
    };
    expect(find().tables.every(({ onServer, digest }) => onServer?.digest === digest)).toBe(true);
    connection.run("UPDATE second SET b = b + 1 WHERE k = 'k10'");
    expect(find).toThrow('The rows of “second” on the server differ from those of this database:');
    connection.run("UPDATE second SET b = b - 1 WHERE k = 'k10'");
    connection.run(`DELETE FROM first WHERE id = ${ROWS - 1}`);
    // The remaining rows are not the first ones of the table.
    expect(find).toThrow('The rows of “first”');
    connection.run(`DELETE FROM first WHERE id > ${ROWS - 10}`);
    expect(find).toThrow('The rows of “first”');
    connection.close();
  });

  it('is another database if there is any other object', () => {
    leave(2);
    const connection = open();
    connection.run('CREATE TABLE theirs (a)');
    expect(lookAtServer(connection, planOf(source))).toMatchObject({ begun: false });
    connection.run('DROP TABLE theirs');
    connection.run('DROP TABLE none');
    expect(lookAtServer(connection, planOf(source))).toMatchObject({ begun: false });
    connection.close();
  });
});

// For tests of publishing: a server, a new empty database on it for each test, and local databases to publish to it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { TestServer } from '../../../build/sqld/test-server.ts';
import type { PublishReply } from '#shared/protocol/publish.ts';
import type { Connection, Engine } from '../../engines/engine.ts';
import { startNetwork } from '../../engines/remote/network/network-thread.test-suite.ts';
import { createRemoteEngine } from '../../engines/remote/remote-engine.ts';
import { contentsOf, native, temporaryFolder } from '../../export/export-fixture.test-suite.ts';
import { scratchFiles } from '../../native/transfer-files.ts';
import { opened } from '../../transfer/transfer-fixture.test-suite.ts';
import { Publication } from './publication.ts';
import { planOf } from './source-plan.ts';
import { lookAtServer } from './try-plan.ts';
import { undisturbedTurn } from '../../sessions/undisturbed-turn.ts';

type Reply = Omit<PublishReply, 'timeMs'>;

/** SQL of a table of so many rows. */
export const ROWS = (count: number): string =>
  `CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL);
   WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${count}) INSERT INTO t SELECT x, 'name ' || x || hex(zeroblob(100)), x / 7.0 FROM c;`;

/** Acts once, while a transaction with rows is open. */
export function onceSending({ tables }: Publication, act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone || tables[0]!.unsure < 2000) return;
    isDone = true;
    act();
  };
}

/** Publishing in the tests of a `describe`. */
export function publishingTo({ url, controls, end }: TestServer) {
  let made = 0;
  let engine: Engine;
  let connection: Connection;
  beforeAll(async () => {
    const reach = (location: string) => ({ url: url(location), token: null, readOnly: false });
    engine = await createRemoteEngine(reach, { startNetwork });
  });
  afterAll(() => end());
  const openNew = (): Connection => (connection = engine.open(`publish${++made}`, { durability: 'full' }));
  beforeEach(() => {
    openNew();
    return () => connection.close();
  }, 60_000);

  /** A file with what `fill` makes, opened as `publish.preview` does. */
  async function sourceOf(fill: (database: DatabaseSync) => void): Promise<Connection> {
    const file = join(temporaryFolder(), 'source.db');
    const database = new DatabaseSync(file);
    fill(database);
    database.close();
    const source = await opened(scratchFiles(native), new Uint8Array(readFileSync(file)), { name: 'source.db' });
    return source.connection;
  }

  const sourceOfSql = (sql: string): Promise<Connection> =>
    sourceOf((database) => database.exec(`PRAGMA foreign_keys = OFF; ${sql}`));
  const look = (source: Connection): Publication =>
    new Publication(source, lookAtServer(connection, planOf(source)).tried);

  function run(
    publication: Publication,
    { between = (_step: number): void => undefined, stopAt = Infinity } = {},
  ): Reply {
    let steps = 0;
    const turn = {
      ...undisturbedTurn(connection),
      get stopRequested() {
        return steps >= stopAt;
      },
    };
    const body = publication.run(turn, () => undefined);
    let step = body.next();
    for (; !step.done; step = body.next()) between(++steps);
    return step.value;
  }

  const publish = async (source: Connection): Promise<Reply> => run(look(source));
  const all = (of: Connection) => (sql: string) => of.all(sql) as readonly (readonly unknown[])[];

  function expectSame(source: Connection, reply: Reply): void {
    expect(reply).toMatchObject({ outcome: 'done', why: '', hasTables: 'yes', notPublished: [] });
    for (const { name, rows, saved, unsure, digest, onServer } of reply.tables)
      expect({ name, saved, unsure, onServer }).toEqual({ name, saved: rows, unsure: 0, onServer: { rows, digest } });
    expect(contentsOf(all(connection))).toEqual(contentsOf(all(source)));
  }

  return {
    controls,
    /** The database on the server. */
    get connection() {
      return connection;
    },
    /** One more connection to it. */
    openAgain: () => engine.open(`publish${made}`, { durability: 'full' }),
    /** Goes on with another empty database. */
    renew() {
      connection.close();
      openNew();
    },
    sourceOf,
    sourceOfSql,
    look,
    run,
    publish,
    expectSame,
  };
}

// SpatiaLite as an extension of a file in place: what it adds, and what its triggers may do. Skipped where it is not installed.
import { createRequire } from 'node:module';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inPlaceId } from '#shared/protocol/index.ts';
import type { DatabaseConstructor } from '../engines/native/runtime/load.ts';
import { approvedFile, clientOf, endServer, failure } from './extended-server.test-suite.ts';

const Database = createRequire(import.meta.url)('better-sqlite3') as DatabaseConstructor;
/** Where Debian, Fedora, Arch, and Homebrew put it. */
const MODULE = [
  '/usr/lib/x86_64-linux-gnu/mod_spatialite.so',
  '/usr/lib/aarch64-linux-gnu/mod_spatialite.so',
  '/usr/lib64/mod_spatialite.so',
  '/usr/lib/mod_spatialite.so',
  '/opt/homebrew/lib/mod_spatialite.dylib',
  '/usr/local/lib/mod_spatialite.dylib',
].find(existsSync);
const WHY = MODULE === undefined ? ' (skipped: needs mod_spatialite, such as Debian’s libsqlite3-mod-spatialite)' : '';

const TOWNS = inPlaceId('a1');
const ADD = "INSERT INTO town (name, at) VALUES ('Ulm', MakePoint(10, 48, 4326))";
const NEAR = `SELECT name FROM town WHERE rowid IN (SELECT rowid FROM SpatialIndex
  WHERE f_table_name = 'town' AND search_frame = BuildMbr(9, 47, 11, 49, 4326))`;

let folder: string;
let path: string;

describe.skipIf(MODULE === undefined)(`SpatiaLite${WHY}`, () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sidelite-spatialite-'));
    const db = new Database(join(folder, 'made.db'), {});
    db.loadExtension(MODULE!);
    for (const sql of [
      'SELECT InitSpatialMetadata(1)',
      'CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT)',
      "SELECT AddGeometryColumn('town', 'at', 4326, 'POINT', 'XY')",
      "SELECT CreateSpatialIndex('town', 'at')",
      "INSERT INTO town (name, at) VALUES ('Oslo', MakePoint(11, 60, 4326))",
      'CREATE VIEW place AS SELECT name, ST_X(at) AS x FROM town',
    ])
      db.exec(sql);
    db.close();
  }, 60_000);
  beforeEach(() => {
    path = join(folder, 'towns.db');
    copyFileSync(join(folder, 'made.db'), path);
  });
  afterEach(endServer);
  afterAll(() => rmSync(folder, { recursive: true }));

  const open = async (trusts: boolean) => {
    const client = await clientOf(TOWNS, path, {
      extensions: [approvedFile(MODULE!)],
      ...(trusts && { trustsSchema: true }),
    });
    const { extensions } = await client.call('database.open', { database: TOWNS });
    expect(extensions).toMatchObject([
      { why: null, modules: expect.arrayContaining(['VirtualSpatialIndex']) as string[] },
    ]);
    return {
      run: (sql: string) => client.call('query.run', { database: TOWNS, sql }),
      call: client.call.bind(client),
    };
  };
  /** In the file, as another program with the extension sees it. */
  const rows = (sql: string): unknown => {
    const db = new Database(path, {});
    db.loadExtension(MODULE!);
    const all = db.prepare(sql).raw(true).all();
    db.close();
    return all;
  };

  test('its functions, tables, and the spatial index are read', async () => {
    const { run, call } = await open(false);
    await run('CREATE TABLE seen AS SELECT ST_AsText(at) AS a, ST_AsText(ST_Transform(at, 25832)) AS b FROM town');
    expect(rows('SELECT a, length(b) > 10 FROM seen')).toEqual([['POINT(11 60)', 1]]);
    const { objects } = await call('schema.get', { database: TOWNS });
    const problems = objects.filter(({ name, problem }) => problem !== null && name !== 'place');
    expect(problems.map(({ name, problem }) => `${name}: ${problem}`)).toEqual([]);
    const { functions } = await call('schema.added', { database: TOWNS });
    expect(functions.map(({ name }) => name.toLowerCase())).toContain('st_intersects');
  });

  test('a geometry is changed only if the schema may use all functions, and then undone and redone', async () => {
    const refusing = await open(false);
    expect(await failure(refusing.run(ADD))).toMatch(/^Unsafe use of GeometryConstraints\(\)/);
    expect(await failure(refusing.run('SELECT * FROM place'))).toMatch(/^Unsafe use of ST_X\(\)/);
    await refusing.call('database.close', { database: TOWNS });

    const { run, call } = await open(true);
    expect(await run('SELECT * FROM place')).toMatchObject({ results: 1 });
    await run(ADD);
    expect(rows(NEAR)).toEqual([['Ulm']]);
    await run("UPDATE town SET at = MakePoint(0, 0, 4326) WHERE name = 'Ulm'");
    expect(rows(NEAR)).toEqual([]);
    await call('history.undo', { database: TOWNS });
    expect(rows(NEAR)).toEqual([['Ulm']]);
    await call('history.undo', { database: TOWNS });
    expect(rows('SELECT name FROM town')).toEqual([['Oslo']]);
    expect(rows('SELECT count(*) FROM idx_town_at')).toEqual([[1]]);
    await call('history.redo', { database: TOWNS });
    expect(rows(NEAR)).toEqual([['Ulm']]);
    // SpatiaLite writes to the file for that, which is a commit of another program.
    expect(rows("SELECT CheckSpatialIndex('town', 'at')")).toEqual([[1]]);
    expect(await failure(run("INSERT INTO town (at) VALUES (x'00')"))).toMatch(/geometry|constraint/i);
  });
});

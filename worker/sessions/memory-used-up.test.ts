// Memory that all open databases share, used up: what the error says, what is given back, and that all of them go on.
import { beforeEach, describe, expect, test } from 'vitest';
import { CacheBudget } from '../engines/memory-budget.ts';
import { FaultLab } from '../engines/wasm/faults/lab.test-suite.ts';
import { openDatabasesIn, type StartedDatabases } from './open-databases-fixture.test-suite.ts';

describe('when memory is used up', () => {
  let lab: FaultLab;
  let at: StartedDatabases;
  /** Far below the 2 GiB of the module. Can be lowered, never raised, so the test uses its own module. */
  const LIMIT_BYTES = 48 << 20;
  beforeEach(async () => {
    lab = await FaultLab.open();
    at = openDatabasesIn(lab);
    await at.make('a');
    await at.make('b');
    limitMemory();
  });

  function limitMemory(): void {
    const db = new lab.sqlite.package.oo1.DB(':memory:');
    db.exec(`PRAGMA hard_heap_limit = ${LIMIT_BYTES}`);
    db.close();
  }

  const tooMuch = `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 900000)
    SELECT i FROM n ORDER BY hex(zeroblob(50)), i DESC`;

  test('the error says what to close, and all databases that are open go on', async () => {
    await at.run('b', 'BEGIN');
    await at.run('b', "INSERT INTO t (v) VALUES ('two')");
    const error = await at.values('a', tooMuch).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: 'full', sqlite: { result: 7 } });
    expect((error as Error).message).toBe(
      'There is not enough memory for this. All open databases share it. To make room, commit or roll back the open transaction in “Database b”. Then try again.',
    );
    await at.run('b', 'COMMIT');
    expect(await at.values('b')).toEqual(['one', 'two']);
    await at.run('a', "INSERT INTO t (v) VALUES ('still here')");
    expect(await at.values('a')).toEqual(['one', 'still here']);
    expect(await at.values('a', 'PRAGMA integrity_check')).toEqual(['ok']);
  });

  test('what holds most is named first, with its size; where nothing is to be closed it says that', async () => {
    const alone = await at.values('a', tooMuch).catch((thrown: unknown) => thrown as Error);
    expect((alone as Error).message).toContain('so this alone needs more than is available');
    const script = at.databases.of(at.one, 'b').enqueue({
      window: at.one,
      kind: 'write',
      title: 'TEMP',
      body({ connection }) {
        const statements = connection.script('CREATE TEMP TABLE mine AS SELECT zeroblob(8000000) AS v');
        for (let next = statements.next(); next; next = statements.next()) while (next.step());
        statements.dispose();
      },
    });
    await script;
    const error = await at.values('a', tooMuch).catch((thrown: unknown) => thrown as Error);
    expect((error as Error).message).toMatch(
      /drop the TEMP tables in “Database b” \(\d+ MB\) or close it in the library/,
    );
    expect(await at.values('b', 'SELECT length(v) FROM mine')).toEqual([8_000_000]);
  });

  test('what the caches of other databases held is given back, and that is said', async () => {
    await at.run('b', 'INSERT INTO t (v) SELECT zeroblob(700000) FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8))');
    await at.values('b', 'SELECT sum(length(hex(substr(v, 1, 10)))) FROM t');
    const error = await at.values('a', tooMuch).catch((thrown: unknown) => thrown as Error);
    expect((error as Error).message).toMatch(/The other open databases have released \d+ MB: try again\.$/);
    expect(await at.values('b', 'SELECT count(*) FROM t')).toEqual([9]);
  });

  test('caches never use it up, however many databases are shown', async () => {
    lab = await FaultLab.open(new CacheBudget(LIMIT_BYTES / 4));
    at = openDatabasesIn(lab);
    limitMemory();
    const ids = Array.from({ length: 12 }, (_, number) => `n${number}`);
    for (const id of ids) {
      await at.make(id);
      // More than the limit together: with a cache of 64 MB for each the eighth finds no memory.
      await at.run(
        id,
        'INSERT INTO t (v) SELECT zeroblob(700000) FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8))',
      );
      expect(await at.values(id, 'SELECT sum(length(hex(substr(v, 1, 10)))) FROM t')).toEqual([166]);
      await at.databases.show(
        at.one,
        ids.filter((each) => at.databases.find(each)),
      );
    }
    for (const id of ids) expect(await at.values(id, 'SELECT length(v) FROM t WHERE id = 9')).toEqual([700_000]);
    expect(ids.every(at.isOpen)).toBe(true);
  });

  test('a database that finds no memory to be opened is opened once others have given theirs back', async () => {
    await at.databases.show(at.one, ['a']);
    at.refuseMemory = () => at.isOpen('b');
    at.databases.join(at.one, 'c');
    expect([at.isOpen('a'), at.isOpen('b'), at.isOpen('c')]).toEqual([true, false, true]);
    at.refuseMemory = () => true;
    expect(() => at.databases.join(at.one, 'd')).toThrow(
      'There is not enough memory for this. No other database holds',
    );
    at.refuseMemory = () => false;
    at.databases.join(at.one, 'd');
  });
});

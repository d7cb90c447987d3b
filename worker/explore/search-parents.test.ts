import { describe, expect, it } from 'vitest';
import { MAX_PARENTS } from '#shared/protocol/explore.ts';
import type { ParentSearch, ParentSearchChunk } from '#shared/protocol/explore.ts';
import type { Connection } from '../engines/engine.ts';
import { Scan } from '../readers/scan.ts';
import { searchParents } from './search-parents.ts';
import type { ParentRequest } from './search-parents.ts';
import { bothEngines } from './both-engines.test-suite.ts';
import { testTurn } from './test-turn.test-suite.ts';

const open = await bothEngines();

interface Run {
  readonly found: ParentSearch;
  readonly chunks: readonly ParentSearchChunk[];
  readonly pauses: number;
}

function search(connection: Connection, request: Partial<ParentRequest>, stopAfter = Infinity): Run {
  let pauses = 0;
  const chunks: ParentSearchChunk[] = [];
  const turn = testTurn(connection, () => pauses >= stopAfter);
  const whole = { table: 'person', key: ['id'], text: '', current: null, ...request };
  const body = searchParents(new Scan(turn, () => undefined), whole, (chunk) => chunks.push(chunk));
  for (;;) {
    const step = body.next();
    if (step.done) return { found: step.value, chunks, pauses };
    pauses++;
  }
}

const keysOf = ({ rows }: ParentSearch): readonly unknown[] => rows.map(({ key: [first] }) => first);

describe.each(['wasm', 'native'])('on the %s engine', (name) => {
  const connection = open(name);
  connection.run('CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, age INT, photo BLOB)');
  connection.run(
    `INSERT INTO person SELECT value, CASE value WHEN 77777 THEN 'Ada Lovelace' ELSE 'P' || value END, 30, x'00'
     FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 100000) SELECT value FROM n)`,
  );

  it('begins with the current row and the first ones of the table', () => {
    const { found, pauses } = search(connection, { current: [500] });
    expect(found.columns).toEqual(['name']);
    expect(found.rows[0]).toEqual({ key: [500], shown: ['P500'] });
    expect(keysOf(found).slice(1, 4)).toEqual([1, 2, 3]);
    expect(found.rows).toHaveLength(MAX_PARENTS);
    expect(pauses).toBe(0);
  });

  it('finds a key and the keys that begin with it by the index, before it reads the table', () => {
    const { chunks, found } = search(connection, { text: '9999' });
    expect(keysOf(chunks[0]!)).toEqual([
      9999, 99_990, 99_991, 99_992, 99_993, 99_994, 99_995, 99_996, 99_997, 99_998, 99_999,
    ]);
    expect(keysOf(found)).toContain(19_999);
  });

  it('finds a text without an index by reading the table, and stops', () => {
    const { found, chunks } = search(connection, { text: 'lovelace' });
    expect(found.rows).toEqual([{ key: [77_777], shown: ['Ada Lovelace'] }]);
    expect(found.hasMore).toBe(false);
    expect(chunks[0]!.rows).toEqual([]);
    expect(() => search(connection, { text: 'nowhere' }, 3)).toThrow('Stopped');
  });

  it('finds texts by an index in any case, and reads tables without row ids', () => {
    const other = open(name);
    other.run('CREATE TABLE land(iso TEXT, part INT, name TEXT, PRIMARY KEY (iso, part)) WITHOUT ROWID');
    other.run(
      "INSERT INTO land VALUES ('DE', 1, 'Germany'), ('DE', 2, 'Bayern'), ('FR', 1, 'France'), ('US', 1, NULL)",
    );
    const { chunks, found } = search(other, { table: 'LAND', key: ['ISO', 'part'], text: 'de' });
    expect(chunks[0]!.rows.map(({ key }) => key)).toEqual([
      ['DE', 1],
      ['DE', 2],
    ]);
    expect(found.rows).toHaveLength(2);
    expect(search(other, { table: 'land', key: ['iso', 'part'], text: 'RAN' }).found.rows).toEqual([
      { key: ['FR', 1], shown: ['France'] },
    ]);
    expect(search(other, { table: 'land', key: ['iso', 'part'], text: '100%' }).found.rows).toEqual([]);
    expect(() => search(other, { table: 'land', key: ['gone'] })).toThrow('no longer has the columns');
  });

  it('tells keys apart that are written alike', () => {
    const other = open(name);
    other.run('CREATE TABLE pair(a, b, PRIMARY KEY (a, b)) WITHOUT ROWID');
    other.run(
      "INSERT INTO pair VALUES (1.0, 2.0), (3.0, 4.0), ('x' || char(10) || 'string y', 'z'), ('x', 'y' || char(10) || 'string z')",
    );
    expect(search(other, { table: 'pair', key: ['a', 'b'] }).found.rows).toHaveLength(4);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FilterEntry, FilterTerm } from '#shared/protocol/rows.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { describeTable } from '../schema/table-shape.ts';
import { whereOf } from './filter-sql.ts';

const { engine } = await createWasmEngine();
const connection = engine.open(IN_MEMORY, { durability: 'full', create: true });
connection.run('CREATE TABLE t(a, "b ""c" TEXT)');
connection.run("INSERT INTO t VALUES (1, 'x'), (2, NULL), (3, 'xy%')");
const shape = describeTable(connection, 't');

const rowsOf = (term: FilterTerm): readonly unknown[] => {
  const { sql, params } = whereOf(connection, shape, [term]);
  return connection.all(`SELECT a FROM t WHERE ${sql} ORDER BY a`, params).flat();
};

it.each<readonly [FilterTerm, readonly number[]]>([
  [{ column: 'a', operator: '=', value: 2 }, [2]],
  [{ column: 'a', operator: '<>', value: 2 }, [1, 3]],
  [{ column: 'a', operator: '<', value: 2 }, [1]],
  [{ column: 'a', operator: '<=', value: 2 }, [1, 2]],
  [{ column: 'a', operator: '>', value: 2 }, [3]],
  [{ column: 'a', operator: '>=', value: 2 }, [2, 3]],
  [{ column: 'b "c', operator: 'contains', value: 'y%' }, [3]],
  [{ column: 'b "c', operator: 'starts-with', value: 'x' }, [1, 3]],
  [{ column: 'b "c', operator: 'is-null', value: null }, [2]],
  [{ column: 'b "c', operator: 'is-not-null', value: null }, [1, 3]],
])('%j finds %j', (term, rows) => expect(rowsOf(term)).toEqual(rows));

it.each(['IS NOT NULL OR 1 =', '= 1 OR a >', 'LIKE', '', 'toString', '__proto__'])(
  'refuses the unknown operator %j, which a page can send',
  (operator) => {
    const term = { column: 'a', operator, value: 0 } as unknown as FilterTerm;
    expect(() => whereOf(connection, shape, [term])).toThrow(expect.objectContaining({ code: 'invalid' }));
  },
);

const folder = mkdtempSync(join(tmpdir(), 'sidelite-filter-'));
const inPlace = (await createNativeEngine()).open(join(folder, 'a.db'), { durability: 'full', create: true });
afterAll(() => {
  inPlace.close();
  rmSync(folder, { recursive: true });
});

describe.each([
  ['wasm', engine.open(IN_MEMORY, { durability: 'full', create: true })],
  ['native', inPlace],
] as const)('on the %s engine', (_name, database) => {
  database.run('CREATE TABLE word(id INTEGER PRIMARY KEY, w TEXT, n)');
  database.run(
    `INSERT INTO word VALUES (1, 'apple', 1), (2, 'Grape', 2.5), (3, 'a_c', NULL), (4, NULL, 'apple'), (5, '', x'6170'), (6, '50%', 10)`,
  );
  const words = describeTable(database, 'word');
  const idsOf = (...filter: readonly FilterEntry[]): readonly unknown[] => {
    const { sql, params } = whereOf(database, words, filter);
    return database.all(`SELECT id FROM word WHERE ${sql} ORDER BY id`, params).flat();
  };
  const w = (operator: FilterTerm['operator'], value: FilterTerm['value'] = null): FilterTerm => ({
    column: 'w',
    operator,
    value,
  });
  const n = (operator: FilterTerm['operator'], value: FilterTerm['value'] = null): FilterTerm => ({
    column: 'n',
    operator,
    value,
  });

  it.each<readonly [FilterEntry, readonly number[]]>([
    [{ ...n('between', 2), to: 10 }, [2, 6]],
    [{ ...w('in'), values: ['apple', 'Grape'] }, [1, 2]],
    [w('regex', '^(?:a|5).+$'), [1, 3, 6]],
    [w('regex', '(?i)GRAPE|^$'), [2, 5]],
    [n('regex', '^\\d(?:\\.5)?$|^ap'), [1, 2, 4, 5]],
    [{ ...w('in'), values: ['apple', null] }, [1, 4]],
    [{ ...w('in'), values: [] }, []],
    [{ ...w('not-in'), values: ['apple', 'Grape'] }, [3, 4, 5, 6]],
    [{ ...w('not-in'), values: ['apple', null] }, [2, 3, 5, 6]],
    [w('ends-with', 'PLE'), [1]],
    [w('ends-with', '%'), [6]],
    [w('not-contains', 'ap'), [3, 4, 5, 6]],
    [w('like', 'a_c'), [3]],
    [w('like', 'a%'), [1, 3]],
    [w('glob', '[A-Z]*'), [2]],
    [w('length=', 5), [1, 2]],
    [w('length<', 4), [3, 5, 6]],
    [n('length>', 2), [2, 4]],
    [{ column: null, operator: 'contains', value: 'apple' }, [1, 4]],
    [{ column: null, operator: '=', value: 10 }, [6]],
    [{ any: [[w('=', 'apple')], [n('is-null')]] }, [1, 3]],
    [{ any: [[w('contains', 'a'), n('>', 2)], [w('is-null')]] }, [2, 4]],
  ])('%j finds %j', (entry, ids) => expect(idsOf(entry)).toEqual(ids));

  it('joins entries by AND', () => {
    expect(idsOf(w('contains', 'a'), { any: [[n('=', 1)], [n('is-null')]] })).toEqual([1, 3]);
  });

  it('searches all columns of a table as wide as SQLite allows', () => {
    const names = Array.from({ length: 1999 }, (_, at) => `c${at}`);
    database.run(`CREATE TABLE wide(${names.join(', ')})`);
    database.run(`INSERT INTO wide(c1700) VALUES ('needle')`);
    const { sql, params } = whereOf(database, describeTable(database, 'wide'), [
      { column: null, operator: 'contains', value: 'needle' },
    ]);
    expect(database.all(`SELECT count(*) FROM wide WHERE ${sql}`, params)).toEqual([[1]]);
  });

  it('takes as many values as SQLite has parameters, and says so past them', () => {
    const values = Array.from({ length: 32_000 }, (_, at) => at);
    expect(idsOf({ ...n('in'), values })).toEqual([1, 6]);
    expect(() => idsOf({ ...n('in'), values: [...values, -1] })).toThrow(expect.objectContaining({ code: 'invalid' }));
  });

  it('refuses an empty group and a column that does not exist', () => {
    for (const entry of [{ any: [] }, { any: [[]] }, { any: [[{ ...w('='), column: 'x' }]] }])
      expect(() => idsOf(entry)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});

import { expect, it } from 'vitest';
import type { FilterTerm } from '#shared/protocol/rows.ts';
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

it.each(['IS NOT NULL OR 1 =', '= 1 OR a >', 'like', '', 'toString', '__proto__'])(
  'refuses the unknown operator %j, which a page can send',
  (operator) => {
    const term = { column: 'a', operator, value: 0 } as unknown as FilterTerm;
    expect(() => whereOf(connection, shape, [term])).toThrow(expect.objectContaining({ code: 'invalid' }));
  },
);

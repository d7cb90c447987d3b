// Makes a schema from CREATE statements, as it would be read from a database, for tests.
import { parseObject } from '../ddl/parse-object.ts';
import { parseTable } from '../ddl/parse-table.ts';
import type { ComparedObject, SchemaText } from '../protocol/schema-comparison.ts';

export function schemaOf(...statements: readonly string[]): SchemaText {
  return { objects: statements.map(objectOf), settings: { user_version: '0', page_size: '4096' } };
}

function objectOf(sql: string): ComparedObject {
  const table = parseTable(sql);
  if (table.understood) {
    const { name } = table.name;
    return { kind: 'table', name, table: name, sql, columns: table.columns.map((column) => column.name.name) };
  }
  const object = parseObject(sql);
  if (!object.understood) throw new Error(`Not understood: ${sql}`);
  const { kind, name } = object;
  const owner = 'table' in object ? object.table.name : name.name;
  if (kind === 'table') throw new Error('Tables are read first.');
  return { kind, name: name.name, table: owner, sql, columns: [] };
}

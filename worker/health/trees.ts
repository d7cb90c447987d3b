// The b-trees of a database: which table or index each belongs to.
import type { TreeSize } from '#shared/protocol/health.ts';
import type { Connection } from '../engines/engine.ts';

export interface Tree extends Pick<TreeSize, 'name' | 'table' | 'kind'> {
  readonly root: number;
}

const SCHEMA_TREE: Tree = { name: 'sqlite_schema', table: 'sqlite_schema', kind: 'schema', root: 1 };

/** Views, triggers, and virtual tables have none. */
export function listTrees(connection: Connection): readonly Tree[] {
  const rows = connection.all(
    "SELECT name, tbl_name, type, rootpage FROM main.sqlite_schema WHERE type IN ('table', 'index') AND rootpage > 0",
  ) as readonly (readonly [string, string, 'table' | 'index', number])[];
  return [SCHEMA_TREE, ...rows.map(([name, table, kind, root]) => ({ name, table, kind, root }))];
}

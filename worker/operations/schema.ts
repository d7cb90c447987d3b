// Operations on the schema of one database.
import type { SchemaOperations } from '#shared/protocol/schema.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { listObjects, schemaVersion } from './schema-objects.ts';
import { describeTable } from '../sql/table-shape.ts';
import type { OperationSession } from '../sessions/session.ts';

export const schemaHandlers: Handlers<SchemaOperations, OperationSession> = {
  'schema.get'({ database }, { session, onCancel }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'read',
      title: 'Schema',
      onCancel,
      *body(turn) {
        return { objects: yield* listObjects(turn), schemaVersion: schemaVersion(turn.connection) };
      },
    });
  },

  'schema.table'({ database, table }, { session }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'read',
      title: `Columns of ${table}`,
      body({ connection }) {
        const { name, kind, columns, withoutRowid, strict } = describeTable(connection, table);
        const sql = connection.one("SELECT sql FROM main.sqlite_schema WHERE name = ? AND type IN ('table', 'view')", [name]);
        return { name, kind, columns, withoutRowid, strict, sql: (sql?.[0] as string | undefined) ?? null };
      },
    });
  },

  'schema.columns'({ database }, { session }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'read',
      title: 'Columns',
      body({ connection }) {
        const rows = connection.all(
          `SELECT t.name, c.name FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c
           WHERE t.schema = 'main' AND t.type <> 'shadow' AND c.hidden <> 1 ORDER BY t.name, c.cid`,
        );
        const columns = new Map<string, string[]>();
        for (const [table, column] of rows as [string, string][]) {
          const known = columns.get(table);
          if (known) known.push(column);
          else columns.set(table, [column]);
        }
        return [...columns].map(([table, names]) => ({ table, columns: names }));
      },
    });
  },
};

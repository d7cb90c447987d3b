// Operations on the schema of one database.
import type { SchemaOperations } from '#shared/protocol/schema.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { listObjects, schemaVersion } from '../schema/schema-objects.ts';
import { listColumns } from '../schema/table-columns.ts';
import { uniqueKeysOf } from '../schema/unique-keys.ts';
import { countRelation } from '../schema/count-relation.ts';
import { readDiagram } from '../schema/diagram.ts';
import { describeTable } from '../schema/table-shape.ts';
import type { OperationSession } from '../sessions/session.ts';

export const schemaHandlers: Handlers<SchemaOperations, OperationSession> = {
  'schema.get'({ database }, { session, onCancel }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'read',
      title: 'Reading the schema',
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
      title: `Reading the columns of ${table}`,
      body({ connection }) {
        const { name, kind, columns, withoutRowid, strict } = describeTable(connection, table);
        const sql = connection.one("SELECT sql FROM main.sqlite_schema WHERE name = ? AND type IN ('table', 'view')", [
          name,
        ]);
        const uniqueKeys = kind === 'table' ? uniqueKeysOf(connection, name) : [];
        return { name, kind, columns, withoutRowid, strict, uniqueKeys, sql: (sql?.[0] as string | undefined) ?? null };
      },
    });
  },

  'schema.columns'({ database }, { session }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'read',
      title: 'Reading columns',
      body({ connection }) {
        return listColumns(connection);
      },
    });
  },

  'schema.diagram'({ database }, { session, onCancel }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'read',
      title: 'Reading the tables of the diagram',
      onCancel,
      body: readDiagram,
    });
  },

  'schema.countRelation'({ database, key }, { session, id, onCancel }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'read',
      pausesReading: true,
      title: `Counting the rows of ${key.table} for each row of ${key.target}`,
      call: id,
      onCancel,
      body: (turn) => countRelation(turn, key),
    });
  },
};

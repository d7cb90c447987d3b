// Operations on the schema of one database.
import type { SchemaOperations } from '#shared/protocol/schema.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { reading } from '../sessions/call-work.ts';
import { listObjects, schemaVersion } from '../schema/schema-objects.ts';
import { addedNames } from '../schema/added-names.ts';
import { listColumns } from '../schema/table-columns.ts';
import { uniqueKeysOf } from '../schema/unique-keys.ts';
import { countRelation } from '../schema/count-relation.ts';
import { readDiagram } from '../schema/diagram.ts';
import { describeTable } from '../schema/table-shape.ts';
import type { OperationSession } from '../sessions/session.ts';

export const schemaHandlers: Handlers<SchemaOperations, OperationSession> = {
  'schema.get': ({ database }, context) =>
    reading(context, database, 'Reading the schema', function* (turn) {
      return { objects: yield* listObjects(turn), schemaVersion: schemaVersion(turn.connection) };
    }),

  'schema.table': ({ database, table }, context) =>
    reading(context, database, `Reading the columns of ${table}`, ({ connection }) => {
      const { name, kind, columns, withoutRowid, strict } = describeTable(connection, table);
      const sql = connection.one("SELECT sql FROM main.sqlite_schema WHERE name = ? AND type IN ('table', 'view')", [
        name,
      ]);
      const uniqueKeys = kind === 'table' ? uniqueKeysOf(connection, name) : [];
      return { name, kind, columns, withoutRowid, strict, uniqueKeys, sql: (sql?.[0] as string | undefined) ?? null };
    }),

  'schema.columns': ({ database }, context) =>
    reading(context, database, 'Reading columns', ({ connection }) => listColumns(connection)),

  'schema.added': ({ database }, context) =>
    reading(context, database, 'Reading the functions of extensions', ({ connection }) => addedNames(connection)),

  'schema.diagram': ({ database }, context) =>
    reading(context, database, 'Reading the tables of the diagram', readDiagram),

  'schema.countRelation': ({ database, key }, context) =>
    reading(
      context,
      database,
      { title: `Counting the rows of ${key.table} for each row of ${key.target}`, pausesReading: true },
      (turn) => countRelation(turn, key),
    ),
};

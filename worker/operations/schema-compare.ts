// Operations that compare the schema of a database with another one.
import type { SchemaComparisonOperations } from '#shared/protocol/schema-comparison.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import { schemaOfFile } from '../schema-compare/file-schema.ts';
import type { TransferSession } from './transfer.ts';

export const schemaComparisonHandlers: Handlers<SchemaComparisonOperations, TransferSession> = {
  'schema.text'({ database }, { session, onCancel }) {
    return session.database(database).enqueue({
      window: session.window,
      kind: 'read',
      title: 'Reading the schema',
      onCancel,
      body: ({ connection }) => readSchemaText(connection),
    });
  },

  'schema.textOfFile'({ source }, call) {
    const { library, window, scratchPlace } = call.session;
    return schemaOfFile(library, scratchPlace, window, source, call);
  },
};

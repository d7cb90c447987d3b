// Operations that compare the schema of a database with another one.
import type { SchemaComparisonOperations } from '#shared/protocol/schema-comparison.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { reading } from '../sessions/call-work.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import type { Connection } from '../engines/engine.ts';
import { runLongWork } from '../library/long-work.ts';
import { copyWhole, sampleInto, tryChanges } from '../schema-compare/try-changes.ts';
import { historyOf } from '../history/histories.ts';
import { schemaBefore } from '../schema-compare/earlier-version.ts';
import { schemaOfFile } from '../schema-compare/file-schema.ts';
import type { TransferSession } from './transfer.ts';

export const schemaComparisonHandlers: Handlers<SchemaComparisonOperations, TransferSession> = {
  'schema.text'({ database: id, before }, context) {
    const database = context.session.database(id);
    return reading(context, id, 'Reading the schema', ({ connection }) =>
      before === undefined ? readSchemaText(connection) : schemaBefore(historyOf(database), before, connection),
    );
  },

  'schema.textOfFile'({ source }, call) {
    const { library, window, scratchStore } = call.session;
    return schemaOfFile(library, scratchStore, window, source, call);
  },

  async 'schema.try'({ database: id, changes, rows }, call) {
    const { library, window, scratchStore } = call.session;
    const database = call.session.database(id);
    const title = 'Trying schema changes on a copy';
    const context = { window, databaseName: database.entry.name, title };
    return runLongWork(library, context, call, async (work) => {
      const scratch = await scratchStore.make();
      const open: Connection[] = [];
      const opened = (connection: Connection): Connection => (open.push(connection), connection);
      try {
        if (rows === 'all') {
          await reading(call, id, { title, pausesReading: true }, (turn) => copyWhole(turn, scratch));
          opened(scratch.open({ durability: 'balanced' }));
        } else {
          const copy = opened(scratch.open({ durability: 'balanced', create: true }));
          await reading(call, id, title, ({ connection }) => sampleInto(connection, copy));
        }
        return await tryChanges(open[0]!, changes, work, () => library.clock.nextTask());
      } finally {
        for (const connection of open) connection.close();
        scratch.remove();
      }
    });
  },
};

// Operations that fill a table with sample rows.
import type { SampleRowsOperations } from '#shared/protocol/sample-rows.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { reading, writing } from '../sessions/call-work.ts';
import { suggestColumns } from '#shared/sample-rows/suggest.ts';
import { historyIfAny } from '../history/histories.ts';
import type { OperationContext } from '../library/context.ts';
import { insertSampleRows } from '../sample-rows/insert-rows.ts';
import { previewSampleRows } from '../sample-rows/preview.ts';
import { readFacts } from '../sample-rows/read-facts.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import type { OperationSession } from '../sessions/session.ts';

/** Requirements of these operations besides an open database. */
export interface SampleRowsSession extends OperationSession {
  readonly library: Pick<OperationContext, 'histories'>;
}

const MOST_PREVIEW_ROWS = 1000;

export const sampleRowsHandlers: Handlers<SampleRowsOperations, SampleRowsSession> = {
  'sampleRows.suggest': ({ database, table }, context) =>
    reading(context, database, `Reading the columns of ${table}`, ({ connection }) => {
      const { facts } = readFacts(connection, table);
      return { table: facts.name, columns: suggestColumns(facts) };
    }),

  'sampleRows.preview'({ database: id, plan, maxRows }, context) {
    const database = context.session.database(id);
    const work = { title: `Preview of sample rows for ${plan.table}`, tries: true };
    return writing(context, id, work, ({ connection }) => {
      const look = () => previewSampleRows(connection, plan, Math.min(maxRows, MOST_PREVIEW_ROWS));
      // The preview is rolled back: no copy needs to be made for it.
      return historyIfAny(database)?.unrecorded(look) ?? look();
    });
  },

  async 'sampleRows.insert'({ database: id, plan, withoutUndo = false }, context) {
    await context.session.library.histories.reserve();
    const started = performance.now();
    const title = `Fill ${plan.table} with sample rows`;
    const done = await writing(context, id, { title, withoutUndo }, (turn) =>
      insertSampleRows(turn, plan, progressReporter(context.emit)),
    );
    return { ...done, timeMs: performance.now() - started };
  },
};

// Operations that inspect a database and change its settings.
import type { CheckId, HealthOperations, SizesChunk, TreeSize } from '#shared/protocol/health.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { reading, writing } from '../sessions/call-work.ts';
import { checkKeys } from '../health/key-checks.ts';
import type { Findings } from '../health/findings.ts';
import { overview } from '../health/overview.ts';
import { checkText, checkValues } from '../health/row-checks.ts';
import { scanning, type Scan } from '../readers/scan.ts';
import { setSetting, settingSql } from '../health/settings.ts';
import { checkStructure } from '../health/structure.ts';
import { countSizes } from '../health/tree-sizes.ts';
import { newRun, type Pause } from '../sessions/session.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import type { SchemaChangeSession } from './schema-change.ts';

const CHECKS: Readonly<Record<CheckId, { title: string; run: (scan: Scan) => Generator<Pause, Findings> }>> = {
  structure: { title: 'Checking indexes and keys', run: checkStructure },
  keys: { title: 'Checking foreign keys', run: checkKeys },
  values: { title: 'Comparing values with their types', run: checkValues },
  text: { title: 'Looking for text that is not UTF-8', run: checkText },
};

export const healthHandlers: Handlers<HealthOperations, SchemaChangeSession> = {
  'health.mark': ({ database }, context) =>
    reading(context, database, 'Looking for changes', ({ connection }) => connection.commitMark),

  'health.overview': ({ database }, context) => reading(context, database, 'Reading what the file holds', overview),

  'health.sizes': ({ database }, context) =>
    reading(context, database, { title: 'Counting pages', pausesReading: true }, (turn) =>
      countSizes(turn, sizesReporter(context.emit)),
    ),

  'health.check'({ database, check }, context) {
    const { title, run } = CHECKS[check];
    const report = progressReporter(context.emit);
    return scanning(context, database, { title, report }, function* (scan) {
      const started = performance.now();
      const mark = scan.connection.commitMark;
      const { all, more } = yield* run(scan);
      return { mark, findings: all, more, timeMs: performance.now() - started };
    });
  },

  async 'health.setPragma'({ database, name, value, withoutUndo = false }, context) {
    const sql = settingSql(name, value).join('; ');
    const title = `PRAGMA ${name} = ${value}`;
    await context.session.library.histories.reserve();
    const set = await writing(
      context,
      database,
      { title, origin: { title, sql, run: newRun(), withoutUndo } },
      ({ connection }) => setSetting(connection, name, value),
    );
    return { value: set };
  },
};

/** A report without room is sent with the next one. */
function sizesReporter(emit: (chunk: SizesChunk) => Promise<void>): (chunk: SizesChunk) => void {
  let unsent: TreeSize[] = [];
  let waiting = false;
  return ({ progress, trees }) => {
    unsent.push(...trees);
    if (waiting) return;
    waiting = true;
    const sent = unsent;
    unsent = [];
    emit({ progress, trees: sent }).then(
      () => (waiting = false),
      () => undefined,
    );
  };
}

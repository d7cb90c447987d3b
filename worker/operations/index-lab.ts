// Operations of the index lab.
import type { IndexLabOperations } from '#shared/protocol/index-lab.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { CallContext, Handlers } from '#shared/rpc/server.ts';
import { reading } from '../sessions/call-work.ts';
import type { Connection } from '../engines/engine.ts';
import { readMaterial } from '../index-lab/material.ts';
import { measureIndex } from '../index-lab/measure.ts';
import { runLab } from '../index-lab/run-lab.ts';
import { runLongWork, type LongWork } from '../library/long-work.ts';
import { assertExplained } from '../query/query-plan.ts';
import { Scan } from '../readers/scan.ts';
import { copyWhole } from '../schema-compare/try-changes.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import type { Scratch } from '../transfer/scratch.ts';
import type { TransferSession } from './transfer.ts';

/** Other requests to the engine wait for one slice of the lab. */
const SLICE_MS = 20;

type Call = CallContext<Progress, TransferSession>;

export const indexLabHandlers: Handlers<IndexLabOperations, TransferSession> = {
  'indexLab.try'({ database: id, sql, indexes }, call) {
    assertExplained(sql);
    const database = call.session.database(id);
    return inScratch(call, database.entry.name, 'Trying indexes', async (scratch, work, opened) => {
      const sampling = { title: 'Sampling rows for the index lab', pausesReading: true };
      const material = await reading(call, id, sampling, (turn) =>
        readMaterial(new Scan(turn, progressReporter(call.emit)), sql, indexes ?? []),
      );
      const open = (): Connection => opened(scratch.open({ durability: 'balanced', create: true, scratch: true }));
      return paced(call, work, runLab(open, material, indexes), (tried) => ({
        phase: 'Trying indexes',
        done: tried,
        total: null,
        unit: 'steps',
      }));
    });
  },

  'indexLab.measure'({ database: id, sql, parameters, index }, call) {
    assertExplained(sql);
    const database = call.session.database(id);
    return inScratch(call, database.entry.name, 'Measuring an index', async (scratch, work, opened) => {
      const copying = { title: 'Copying the database for the index lab', pausesReading: true };
      await reading(call, id, copying, (turn) => copyWhole(turn, scratch));
      const copy = opened(scratch.open({ durability: 'balanced' }));
      const measuring = measureIndex(copy, { sql, parameters, index });
      return paced(call, work, measuring, (_steps, phase) => ({
        phase: phase ?? '',
        done: 0,
        total: null,
        unit: 'steps',
      }));
    });
  },
};

/** Removes the private database when this ends, however it ends. */
function inScratch<T>(
  call: Call,
  databaseName: string,
  title: string,
  body: (scratch: Scratch, work: LongWork, opened: (connection: Connection) => Connection) => Promise<T>,
): Promise<T> {
  const { library, window, scratchStore } = call.session;
  return runLongWork(library, { window, databaseName, title }, call, async (work) => {
    const scratch = await scratchStore.make();
    const open: Connection[] = [];
    try {
      return await body(scratch, work, (connection) => {
        connection.onProgress(() => work.tick());
        open.push(connection);
        return connection;
      });
    } finally {
      for (const connection of open) connection.close();
      scratch.remove();
    }
  });
}

async function paced<Y, T>(
  { session }: Call,
  work: LongWork,
  steps: Generator<Y, T>,
  tell: (step: number, said: Y) => Progress,
): Promise<T> {
  let endMs = 0;
  try {
    for (let count = 0; ; count++) {
      const step = steps.next();
      if (step.done) return step.value;
      await work.report(tell(count, step.value));
      if (performance.now() < endMs) continue;
      await session.library.clock.nextTask();
      endMs = performance.now() + SLICE_MS;
    }
  } finally {
    // It may hold a connection that is open.
    steps.return(undefined as never);
  }
}

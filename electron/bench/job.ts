// A benchmark that is ordered instead of started in a window: by the program that has started this process or, when the app runs from its
// sources, by a file (`--bench=FILE`). The first window runs the measurements, and the app quits.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { app } from 'electron';
import type { MeasureOrder, ParentOrder, BenchJob, BenchJobProgress } from '#shared/bench/shell.ts';
import { replyToParent } from '../parent.ts';

type JobOutcome = { readonly json: string } | { readonly failure: string };

export interface OrderedJob {
  readonly job: BenchJob;
  tell(progress: BenchJobProgress): void;
  finish(outcome: JobOutcome): void;
}

/** @param file null in the packaged app */
export function orderedJob(order: ParentOrder | null, file: string | null): OrderedJob | null {
  if (order?.order === 'measure') return jobOf(order, reply);
  if (file === null) return null;
  // The format that `build/bench.ts` writes.
  const { resultFile, ...asked } = JSON.parse(readFileSync(file, 'utf8')) as MeasureOrder & {
    readonly resultFile: string;
  };
  return jobOf(asked, (outcome) => writeOutcome(resultFile, outcome));
}

function jobOf({ plan, sql, database, dropsCaches }: MeasureOrder, end: (outcome: JobOutcome) => void): OrderedJob {
  let hasEnded = false;
  return {
    job: { dropsCaches, plan, sql, file: database === null ? null : readFileSync(database) },
    tell: (progress) => console.log(`bench ${JSON.stringify(progress)}`),
    finish(outcome) {
      // Windows that close with the app may report a failure: the first outcome counts.
      if (!hasEnded) end(outcome);
      hasEnded = true;
    },
  };
}

const reply = (outcome: JobOutcome): void =>
  replyToParent(
    'json' in outcome ? { reply: 'measured', json: outcome.json } : { reply: 'failed', why: outcome.failure },
  );

function writeOutcome(resultFile: string, outcome: JobOutcome): void {
  const unfinished = `${resultFile}.unfinished`;
  writeFileSync(unfinished, 'json' in outcome ? outcome.json : JSON.stringify(outcome));
  renameSync(unfinished, resultFile);
  app.quit();
}

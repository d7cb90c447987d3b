// `--bench=FILE`: the window runs the measurements listed in the file, main writes the result, and the app quits.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { app } from 'electron';
import type { BenchJob, BenchJobProgress, BenchPlan } from '#shared/bench/shell.ts';

/** The format that `build/bench.ts` writes. */
interface JobFile {
  readonly plan: BenchPlan;
  readonly sql: string | null;
  /** Path of the database for `own-query`. */
  readonly database: string | null;
  readonly dropsCaches: boolean;
  /** The file to write the result to. */
  readonly resultFile: string;
}

export interface CommandLineJob {
  readonly job: BenchJob;
  tell(progress: BenchJobProgress): void;
  /** Quits the app. */
  finish(outcome: { readonly json: string } | { readonly failure: string }): void;
}

export function readJob(path: string): CommandLineJob {
  const { plan, sql, database, dropsCaches, resultFile } = JSON.parse(readFileSync(path, 'utf8')) as JobFile;
  let hasEnded = false;
  const end = (outcome: object): void => {
    // Windows that close with the app may report a failure: the first outcome counts.
    if (hasEnded) return;
    hasEnded = true;
    const unfinished = `${resultFile}.unfinished`;
    writeFileSync(unfinished, 'json' in outcome ? String(outcome.json) : JSON.stringify(outcome));
    renameSync(unfinished, resultFile);
    app.quit();
  };
  return {
    job: { dropsCaches, plan, sql, file: database === null ? null : readFileSync(database) },
    tell: (progress) => console.log(`bench ${JSON.stringify(progress)}`),
    finish: end,
  };
}

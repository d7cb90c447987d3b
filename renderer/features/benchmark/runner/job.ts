// Runs a benchmark for the command line in this window: the same run as in the panel, its result sent to the main process.
import { toErrorData } from '#shared/protocol/errors.ts';
import { shell } from '../../../connection/shell.ts';
import { startBenchRun } from './run.ts';
import type { BenchServices } from './run.ts';

export async function runCommandLineJob(appSuites: BenchServices['appSuites']): Promise<void> {
  const job = await shell.bench.job();
  if (!job) return;
  const own = job.sql === null ? null : { sql: job.sql, file: job.file ?? new Uint8Array(0) };
  try {
    const run = startBenchRun(
      job.plan,
      { appSuites, own },
      ({ text, share, secondsLeft }) => void shell.bench.tell({ text, share, secondsLeft }).catch(() => undefined),
    );
    await shell.bench.done({ json: JSON.stringify(await run.result) });
  } catch (error) {
    await shell.bench.done({ failure: toErrorData(error).message });
  }
}

// A replica for tests, made by Litestream itself while a database is written to step by step.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DatabaseSync } from 'node:sqlite';

const run = promisify(execFile);

/** Runs each step on the database at `path`, and has Litestream copy what it committed to `replica`, a new folder, before the next. */
export async function makeReplica(
  program: string,
  { path, replica, steps }: { readonly path: string; readonly replica: string; readonly steps: readonly string[] },
): Promise<void> {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = WAL');
    for (const step of steps) {
      database.exec(step);
      await run(program, ['replicate', '-once', path, `file://${replica}`]);
    }
  } finally {
    database.close();
  }
}

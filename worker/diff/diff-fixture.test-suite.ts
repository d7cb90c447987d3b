// For tests: the difference of two connections as it is written.
import type { DiffOptions, DiffReply } from '#shared/protocol/diff.ts';
import type { Connection } from '../engines/engine.ts';
import { databaseOf, wasm } from '../export/export-fixture.test-suite.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';
import type { Pause } from '../sessions/session.ts';
import { runDiff } from './run-diff.ts';
import type { DiffJob } from './run-diff.ts';
import { runScript } from './run-script.ts';

const OPTIONS: DiffOptions = {
  form: 'text',
  limit: null,
  schemaOnly: false,
  tables: null,
  ignoredColumns: [],
  colors: false,
  names: ['A', 'B'],
};

export interface Found extends DiffReply {
  readonly text: string;
}

export function diffOf(mine: Connection, theirs: Connection, options: Partial<DiffOptions> = {}): Found {
  const both = { mine, theirs, scratch: () => databaseOf(wasm, '') };
  return written((job) => runDiff(undisturbedTurn(mine), both, job), options);
}

/** @param databases the first is changed */
export function scriptOf(
  { copy, theirs }: { readonly copy: Connection; readonly theirs: Connection },
  options: Partial<DiffOptions> = {},
): Found {
  const databases = { copy, theirs, scratch: databaseOf(wasm, '') };
  return written((job) => runScript(undisturbedTurn(copy), databases, job), { ...options, form: 'sql' });
}

function written(run: (job: DiffJob) => Generator<Pause, DiffReply>, options: Partial<DiffOptions>): Found {
  const chunks: Uint8Array[] = [];
  const body = run({
    options: { ...OPTIONS, ...options },
    sink: { write: async (bytes) => void chunks.push(bytes), finish: async () => undefined },
    report: async () => undefined,
  });
  let step = body.next();
  while (!step.done) step = body.next();
  return { ...step.value, text: Buffer.concat(chunks).toString('utf8') };
}

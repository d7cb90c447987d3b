// Pastes the preview: over cells as edits, as new rows by an import, or into the import tab.
import { placeWord } from '#shared/import-formats.ts';
import { AppError, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, ImportPlan, ImportProblem, Value } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import { formatCount, plural } from '../../../ui/format.ts';
import { offerUndo } from '../../../workbench/history/history.ts';
import { assertNotHolding } from '../../../workbench/held/held-store.ts';
import { runJob } from '../../../workbench/jobs.ts';
import { UndoWaiver } from '../../../workbench/history/undo-waiver.ts';
import { blockChanges } from '../paste.ts';
import { refused } from '../refused.ts';
import { applyChanges } from '../row-actions.ts';
import { MAX_ROWS_A_COMMAND } from '../selected-rows.ts';
import type { PasteTarget, PlannedPaste } from './paste-plan.ts';

/** @throws AppError; nothing was pasted then */
export async function pasteCells({ source, grid }: PasteTarget, { plan, columns }: PlannedPaste): Promise<void> {
  const { database } = source;
  const maxRecords = MAX_ROWS_A_COMMAND + 1;
  const { rows, records, problems } = await client.call('import.preview', {
    database,
    plan,
    maxRecords,
    valuesOnly: true,
  });
  const [problem] = problems;
  if (problem) throw notPasted(plan, problem);
  if (records > MAX_ROWS_A_COMMAND)
    throw refused(
      `More than ${formatCount(MAX_ROWS_A_COMMAND)} rows are too many to paste over cells at once. Nothing was pasted. Paste them as new rows, or use Paste.`,
    );
  const changes = await blockChanges(source, grid, { columns, block: rows }, (_column, value: Value) => value);
  if (changes.length === 0) return;
  await applyChanges(source, changes);
  await offerUndo(database, `Pasted ${plural(changes.length, 'row')} into ${source.detail.name}.`);
}

/** Pastes any number of rows. @throws AppError; nothing was pasted then */
export async function pasteRows({ source }: PasteTarget, { plan }: PlannedPaste): Promise<void> {
  const { database, detail } = source;
  await assertNotHolding(database);
  try {
    const reply = await runJob(`Pasting into ${detail.name}`, (job) =>
      new UndoWaiver().run((withoutUndo) => client.call('import.run', { database, plan, ...withoutUndo }, job)),
    );
    await offerUndo(database, `Pasted ${plural(reply.added, 'row')} into ${detail.name}.`);
  } catch (thrown) {
    throw (await firstProblem(thrown, plan, database)) ?? thrown;
  }
}

/** Problem of the first record, if that ended the import. */
async function firstProblem(thrown: unknown, plan: ImportPlan, database: DatabaseId): Promise<AppError | null> {
  const id = toAppError(thrown).detail?.['import'];
  if (typeof id !== 'string') return null;
  const { problems } = await client.call('import.problems', { database, id, offset: 0, limit: 1 });
  return problems[0] ? notPasted(plan, problems[0]) : null;
}

const notPasted = ({ options }: ImportPlan, { line, reason }: ImportProblem): AppError =>
  new AppError({
    code: 'invalid',
    message: `${placeWord(options.format)} ${formatCount(line)} cannot be stored: ${reason.replace(/([^.])$/, '$1.')} Nothing was pasted.`,
  });

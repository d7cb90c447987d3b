// The user's actions on the history of a database, beyond Undo and Redo.
import { toAppError, type DatabaseId, type HistoryStep } from '#shared/protocol/index.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { client } from '../../connection/database-client.ts';
import { applyWithAnswers, stepBackOrForth, tellHistoryFailure } from '../../workbench/history/history.ts';
import { chooseExportTarget } from '../../workbench/files/export-format.ts';
import { runJob } from '../../workbench/jobs.ts';
import { shell } from '../../connection/shell.ts';
import { confirm, notify, useStore } from '../../state/store.ts';
import { formatBytes, plural } from '../../ui/format.ts';
import type { PatchFormat } from '../../workbench/history/patch-formats.ts';

/** Each step is its own transaction: after a stop midway, the newer steps stay undone. */
export async function undoTo(database: DatabaseId, { id, title }: HistoryStep): Promise<void> {
  try {
    const { undone } = await runJob(`Undoing back to ${title}`, (options) =>
      client.call('history.undoTo', { database, step: id }, options),
    );
    notify({
      tone: 'success',
      topic: 'history',
      text: `Undid ${plural(undone, 'step')}. Redo restores them one by one.`,
    });
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    // A stop in the middle has undone some steps: say how many.
    if (code === 'stopped') notify({ tone: 'info', topic: 'history', text: message });
    else tellHistoryFailure(thrown, database);
  }
}

export async function redoTo(database: DatabaseId, { id, title }: HistoryStep): Promise<void> {
  try {
    const done = await runJob(`Redoing up to ${title}`, async (options) => {
      for (let count = 1; ; count++) {
        const step = await client.call('history.redo', { database }, options);
        if (step.id >= id) return count;
        options.onChunk({ phase: 'Redoing', done: count, total: null, unit: 'steps' });
      }
    });
    notify({
      tone: 'success',
      topic: 'history',
      text: `Redid ${plural(done, 'step')}.`,
      action: { label: 'Undo', run: () => void stepBackOrForth('undo', database) },
    });
  } catch (thrown) {
    tellHistoryFailure(thrown, database);
  }
}

export async function savePatch(database: DatabaseId, step: HistoryStep, format: PatchFormat): Promise<void> {
  const target = await chooseExportTarget(format, step.title, 'patch');
  if (!target) return;
  try {
    const { sizeBytes, notes } = await runJob(`Saving ${target.fileName}`, ({ signal }) =>
      client.call('patch.export', { database, step: step.id, format: format.id, sink: target.token }, { signal }),
    );
    const text = `“${step.title}” was saved to ${target.fileName} (${formatBytes(sizeBytes)}).`;
    notify({ tone: 'success', text: [text, ...notes].join('\n') });
  } catch (thrown) {
    tellHistoryFailure(thrown, database);
  }
}

export async function choosePatch(database: DatabaseId): Promise<void> {
  for (const file of await shell.chooseFiles('patch')) await applyPatch(database, file);
}

async function applyPatch(database: DatabaseId, { token, fileName }: OpenedFile): Promise<void> {
  await applyWithAnswers(database, `Applying ${fileName}`, `Applied ${fileName}`, (choices, options) =>
    client.call('patch.apply', { database, source: token, ...(choices && { choices }) }, options),
  );
}

export async function clearHistory(database: DatabaseId): Promise<void> {
  const state = useStore.getState().histories[database];
  const name = useStore.getState().openDatabases[database]?.entry.name ?? '';
  const agreed = await confirm({
    title: `Clear the history of “${name}”?`,
    body: `${state ? `${plural(state.steps, 'step')} (${formatBytes(state.sizeBytes)}) will be deleted and` : 'All steps will be deleted and'} can no longer be undone. The database itself is not changed.`,
    asks: 'confirm.clear',
    confirmLabel: 'Clear history',
    danger: true,
  });
  if (!agreed) return;
  try {
    await client.call('history.clear', { database });
    notify({
      tone: 'success',
      topic: 'history',
      text: 'The history was cleared. The database itself was not changed.',
    });
  } catch (thrown) {
    tellHistoryFailure(thrown, database);
  }
}

// Actions on runs of the query history: open, run again, copy, delete, clear.
import type { DatabaseId, LoggedRun, WholeLoggedRun } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure, openDatabase } from '../../state/databases.ts';
import { confirm, notify, showLibrary, useStore } from '../../state/store.ts';
import { plural } from '../../ui/format.ts';
import { announce } from '../../ui/announcer.tsx';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { loggedEntries } from '../../workbench/text/logged-parameters.ts';
import { openQuery } from '../../workbench/tabs/query.ts';
import { requestStart } from '../../workbench/text/start-requests.ts';

/** The whole text is known only to the worker. */
const wholeOf = (run: LoggedRun): Promise<WholeLoggedRun> => client.call('queryLog.read', { id: run.id });

/** Where a run would open: in its own database, or in the current one if that is gone. */
export function placeOf(
  run: LoggedRun,
  entries: readonly { readonly id: DatabaseId }[] | null,
  current: DatabaseId | null,
): { readonly database: DatabaseId | null; readonly isOwn: boolean } {
  const isOwn = entries?.some(({ id }) => id === run.of.id) ?? false;
  return { database: isOwn ? run.of.id : current, isOwn };
}

/** Why it cannot run again unchanged; null if it can. */
export function whyNotAgain(run: LoggedRun, isOwn: boolean): string | null {
  if (!isOwn) return `“${visibleName(run.of.name)}” is no longer in the library.`;
  return isWhole(run) ? null : 'The SQL was too long to keep in full.';
}

const isWhole = (run: LoggedRun | WholeLoggedRun): boolean => !('sql' in run) || run.sql.length === run.chars;

/** Opens a run in a new SQL tab, with the values of its parameters. @param runs whether to run it at once */
export async function openRun(run: LoggedRun, runs: boolean): Promise<void> {
  try {
    const whole = await wholeOf(run);
    const { entries, currentDatabase } = useStore.getState();
    const { database, isOwn } = placeOf(run, entries, currentDatabase);
    if (database === null || !(await openDatabase(database))) return;
    showLibrary(false);
    const id = openQuery(database, { sql: whole.sql, parameters: loggedEntries(whole.parameters) });
    const why = runs ? whyNotAgain(whole, isOwn) : null;
    if (runs && why === null) requestStart(id);
    if (why !== null || !isWhole(whole))
      notify({ tone: 'info', text: why ?? 'The SQL was too long to keep in full. Only its beginning was copied.' });
    focusContent();
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

export async function copyRun(run: LoggedRun): Promise<void> {
  try {
    await shell.writeClipboard((await wholeOf(run)).sql);
    announce('Copied');
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

export async function deleteRuns(ids: readonly number[]): Promise<void> {
  const agreed =
    ids.length === 1 ||
    (await confirm({
      title: `Delete ${plural(ids.length, 'run')}?`,
      body: 'They are deleted from the query history. What they did to databases stays as it is.',
      asks: 'confirm.clear',
      confirmLabel: 'Delete runs',
      danger: true,
    }));
  if (agreed) await client.call('queryLog.delete', { ids }).catch(notifyFailure);
}

export async function askAndClear(): Promise<void> {
  const agreed = await confirm({
    title: 'Clear the query history?',
    body: 'All runs are deleted, for all databases and windows. Databases, open SQL tabs, and their undo history stay as they are.',
    asks: 'confirm.clear',
    confirmLabel: 'Clear history',
    danger: true,
  });
  if (agreed) await client.call('queryLog.clear', {}).catch(notifyFailure);
}

// Steps of the history that were not made in the front tab: Undo and Redo there ask before they act on one.
import type { DatabaseId, HistoryStep } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client } from '../../connection/database-client.ts';
import type { ConfirmQuestion } from '../../state/slices/dialogs.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { activeTab, confirm, useStore } from '../../state/store.ts';
import { knownObjects } from '../../state/schema.ts';
import { titleAmong } from '../../state/tab-kinds.ts';
import { readHistory } from './history-state.ts';
import { sqlOf } from '../objects/object-sql.ts';
import { isQueryTab } from '../tabs/query.ts';

/** A tab that shows rows. In other tabs, Undo is about the whole database. */
type RowsTab = Tab & { readonly database: DatabaseId } & ({ readonly table: string } | { readonly sql: string });

const isRowsTab = (tab: Tab | null): tab is RowsTab => tab?.kind === 'table' || tab?.kind === 'form' || isQueryTab(tab);

/** What a person is asked about a step: which one, and where it was made, if that is known. */
export interface ForeignStep {
  readonly step: HistoryStep;
  readonly front: Tab;
  readonly madeIn: Tab | null;
}

/** Null if Undo in the front tab acts on the step unasked: the step was made there, or is about what the tab shows. */
export function foreignStep(step: HistoryStep, front: Tab | null, tabs: readonly Tab[]): ForeignStep | null {
  if (!isRowsTab(front)) return null;
  const madeIn = [front, ...tabs].find((tab) => ranIn(step, tab)) ?? null;
  if (madeIn ? madeIn === front : isAbout(step, front)) return null;
  return { step, front, madeIn };
}

/** The history knows the SQL of a step, but no tabs: those of another run of Sidelite are gone. */
const ranIn = ({ sql }: HistoryStep, tab: Tab): boolean =>
  sql !== null && sql.trim() !== '' && isQueryTab(tab) && tab.sql.includes(sql.trim());

/** Results and views can be edited, and their SQL is all that is known here of the tables they come from. */
function isAbout({ kind, tables, sql }: HistoryStep, front: RowsTab): boolean {
  // The whole database was replaced, by that of a file for example.
  if (kind === 'snapshot' && tables.length === 0 && !sql) return true;
  const isShown = (text: string): boolean => tables.some(({ table }) => names(text, table));
  if (viewsBehind('sql' in front ? front.sql : front.table, front.database).some(isShown)) return true;
  if ('sql' in front) return isShown(front.sql);
  return tables.some(({ table }) => table === front.table) || (sql !== null && names(sql, front.table));
}

/** SQL of the views that the text names, with their triggers, which do what an edit of a view means, and of the views behind those. */
function viewsBehind(text: string, database: DatabaseId): readonly string[] {
  const objects = knownObjects(database);
  const views = new Set(objects.filter(({ kind }) => kind === 'view'));
  const texts = [text];
  for (const named of texts)
    for (const view of views) if (names(named, view.name) && views.delete(view)) texts.push(sqlOf(view, objects) ?? '');
  return texts.slice(1);
}

const names = (sql: string, table: string): boolean => sql.toLowerCase().includes(table.toLowerCase());

/** Asks about the step that would be undone or redone now, if it does not belong to the front tab. */
export async function isStepMeant(direction: 'undo' | 'redo', database: DatabaseId): Promise<boolean> {
  const { tabs } = useStore.getState();
  const front = activeTab(useStore.getState());
  if (!isRowsTab(front)) return true;
  const step = await nextStep(direction, database);
  const foreign = step && foreignStep(step, front, tabs);
  if (!foreign) return true;
  if (!(await confirm(foreignQuestion(direction, foreign, tabs)))) return false;
  // While the question was open, another window may have made a newer step, about which nobody has been asked.
  return (await nextStep(direction, database))?.id === foreign.step.id || isStepMeant(direction, database);
}

export function foreignQuestion(
  direction: 'undo' | 'redo',
  { step, front, madeIn }: ForeignStep,
  tabs: readonly Tab[],
): ConfirmQuestion {
  const from = madeIn ? ` from ${visibleName(titleAmong(madeIn, tabs))}` : '';
  const isUndo = direction === 'undo';
  const verb = isUndo ? 'Undo' : 'Redo';
  const next = isUndo ? 'The newest change to this database' : 'The change that was undone last';
  return {
    title: `${verb} “${visibleName(step.title)}”${from}?`,
    body: `${next} was not made in “${visibleName(titleAmong(front, tabs))}”. To undo an older change and keep the newer ones, use the history.`,
    confirmLabel: verb,
    danger: true,
  };
}

/** The step that would be undone or redone; null if there is none or it is unknown: then the attempt says why. */
async function nextStep(direction: 'undo' | 'redo', database: DatabaseId): Promise<HistoryStep | null> {
  const id = (await readHistory(database))?.[direction]?.step;
  if (id === undefined) return null;
  const list = await client.call('history.list', { database, before: id + 1, limit: 1 }).catch(() => null);
  return list?.steps.find((step) => step.id === id) ?? null;
}

// Initial state of an import tab before its file has been examined, and its target after an import.
import type { ImportTab } from '../../workbench/tabs/import.ts';
import type { ImportView, Outcome } from './import-view.ts';
import type { TargetChoice } from '#shared/import/target-choice.ts';

export function firstView({ fileName, into }: ImportTab): ImportView {
  return {
    fileName,
    detected: null,
    failure: null,
    options: null,
    near: null,
    target: {
      database: into.database,
      databaseName: fileName.replace(/\.[^.]*$/, ''),
      kind: into.table === null ? 'new-table' : 'table',
      newTable: '',
      strict: false,
      table: into.table,
      mode: 'append',
      key: [],
      existing: 'overwrite',
    },
    detail: null,
    columns: [],
    analysis: null,
    preview: null,
    isOfTables: false,
    previewProblem: null,
    recipe: null,
    running: null,
    outcome: null,
    problem: null,
  };
}

/** Importing again appends to the rows that exist by then. */
export const afterwards = (target: TargetChoice, { database, table }: Outcome): TargetChoice =>
  target.kind === 'table' ? target : { ...target, database, kind: 'table', table, mode: 'append' };

/** The table is gone, because its import was undone or somebody dropped it: the next import makes it anew. */
export const withoutTable = (target: TargetChoice): Pick<ImportView, 'target' | 'previewProblem'> => ({
  target: { ...target, kind: 'new-table', newTable: target.table ?? target.newTable, table: null },
  previewProblem: null,
});

// For tests: a file through a whole import, as the dialog begins it, into a new table.
import { choicesForNewTable } from '#shared/import/column-choices.ts';
import { planOf } from '#shared/import/plan.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { HistoryFixture } from '../../operations/history-fixture.test-suite.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';

export interface Imported {
  readonly columns: readonly string[];
  readonly added: number;
  readonly problems: number;
  readonly rows: readonly (readonly Value[])[];
}

/** @param table a new one */
export async function importIntoTable(
  fixture: HistoryFixture,
  table: string,
  { fileName, bytes }: { readonly fileName: string; readonly bytes: Uint8Array<ArrayBuffer> },
): Promise<Imported> {
  fixture.files.set(fileName, bytes);
  const source = { kind: 'file', token: fileName } as const;
  const { options, columns } = await fixture.call('import.detect', { source, options: {} });
  const plan = planOf({
    source,
    options,
    columns: choicesForNewTable(columns),
    target: {
      database: '', databaseName: '', kind: 'new-table', newTable: table, strict: false, table: null, mode: 'append', key: [], existing: 'skip',
    }, // prettier-ignore
    typesAreOpen: true,
    maxProblems: 1,
  });
  const { added, problems } = await fixture.call('import.run', { plan });
  const rows = fixture.connection.all(`SELECT ${quoteNames(columns)} FROM ${quoteName(table)} ORDER BY rowid`);
  return { columns, added, problems, rows: rows as Value[][] };
}

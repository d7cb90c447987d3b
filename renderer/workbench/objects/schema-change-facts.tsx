// Shows what a change of the schema did, with its proof: in the designer, and after a migration.
import type { ReactNode } from 'react';
import type { IndexedRows, SchemaChangeReport, TableProof } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { formatCount, formatDuration, plural } from '../../ui/format.ts';
import './schema-change-facts.css';

type Report = Omit<SchemaChangeReport, 'kept'>;

interface ChangeDecisionProps {
  readonly isGood: boolean;
  readonly isBusy: boolean;
  readonly onFinish: (keep: boolean) => Promise<void>;
}

/** Bar that asks for a decision once a change is made and checked, and not saved yet. */
export function ChangeDecision({ isGood, isBusy, onFinish }: ChangeDecisionProps): ReactNode {
  return (
    <>
      <b role="status">{isGood ? 'Done and checked' : 'Done, with problems'}</b>
      <Button size="small" disabled={isBusy} onClick={() => void onFinish(false)}>
        Discard
      </Button>
      <Button size="small" variant="primary" disabled={isBusy} onClick={() => void onFinish(true)}>
        Keep
      </Button>
    </>
  );
}

export const notSavedYet = (timeMs: number): string =>
  `Not saved yet; took ${formatDuration(timeMs)}. Closing this tab or the window discards it.`;

export function SchemaChangeFacts({ report }: { readonly report: Report }): ReactNode {
  return (
    <>
      <FactList label="What was changed" isInset>
        {report.tables.map((table) => (
          <Fact key={table.table} tone={table.columns.every(({ changed }) => changed === 0) ? 'good' : 'warning'}>
            {tableLabel(table)}
          </Fact>
        ))}
        {report.indexed.map((index) => (
          <Fact key={index.table} tone={index.indexedRows === index.contentRows ? 'good' : 'warning'}>
            {indexedLabel(index)}
          </Fact>
        ))}
        {report.restored.length > 0 && (
          <Fact tone="good">
            Restored as they were: {report.restored.map(({ kind, name }) => `${kind} ${visibleName(name)}`).join(', ')}
          </Fact>
        )}
        {report.broken.map(({ kind, name, message }) => (
          <Fact key={`${kind} ${name}`} tone="warning">
            The {kind} “{visibleName(name)}” does not compile: {message}
          </Fact>
        ))}
        {stillBroken(report).length > 0 && (
          <Fact tone="good">
            Already broken before, and left unchanged:{' '}
            {stillBroken(report)
              .map(({ kind, name }) => `${kind} ${visibleName(name)}`)
              .join(', ')}
          </Fact>
        )}
        {report.keysChecked.length > 0 && report.brokenKeys.length === 0 && (
          <Fact tone="good">Every foreign key value refers to a row</Fact>
        )}
        {report.brokenKeys.map(({ table, parent, count }) => (
          <Fact key={`${table} ${parent}`} tone="warning">
            {plural(count, 'row')} of “{visibleName(table)}” {count === 1 ? 'refers' : 'refer'} to no row of “
            {visibleName(parent)}”
          </Fact>
        ))}
        {report.integrityChecked.length > 0 && report.integrity.length === 0 && (
          <Fact tone="good">SQLite’s integrity check found no problems</Fact>
        )}
        {report.integrity.map((message) => (
          <Fact key={message} tone="warning">
            {message}
          </Fact>
        ))}
      </FactList>
      <details className="change-ran">
        <summary>{plural(report.sql.length, 'statement')}</summary>
        <pre>{report.sql.join(';\n')};</pre>
      </details>
    </>
  );
}

/** Objects broken before, except those among the problems, which their author has just changed. */
export function stillBroken({ brokenBefore, broken }: Pick<Report, 'brokenBefore' | 'broken'>): Report['brokenBefore'] {
  return brokenBefore.filter((one) => !broken.some(({ kind, name }) => kind === one.kind && name === one.name));
}

export function isSound({ broken, brokenKeys, integrity }: Report): boolean {
  return broken.length + brokenKeys.length + integrity.length === 0;
}

function tableLabel({ table, rowsBefore, rowsAfter, columns, rowids }: TableProof): string {
  const count = (kind: string): number => columns.filter(({ values }) => values === kind).length;
  const changed = columns.reduce((sum, column) => sum + column.changed, 0);
  return [
    `“${visibleName(table)}”: ${plural(rowsBefore, 'row')} before, ${formatCount(rowsAfter)} after`,
    count('same') > 0 && `every value of ${plural(count('same'), 'column')} compared and identical`,
    changed > 0 && `${plural(changed, 'value')} converted to another type`,
    changed === 0 && count('converted') > 0 && `no value of ${plural(count('converted'), 'converted column')} changed`,
    rowids === 'kept' && 'row ids kept',
    rowids === 'new' && 'new row ids',
  ]
    .filter(Boolean)
    .join('; ');
}

/** The table is new: there is no “before”. */
function indexedLabel({ table, content, contentRows, indexedRows }: IndexedRows): string {
  const rows = plural(contentRows, 'row');
  const count = indexedRows === contentRows ? rows : `${formatCount(indexedRows)} of ${rows}`;
  return `“${visibleName(table)}”: ${count} of “${visibleName(content)}” indexed`;
}

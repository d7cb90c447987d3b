// Differences between a library copy and its source: how many by table, the rows themselves, and what to do about them.
import { useCallback, useMemo } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { LibraryEntry, RowDifferencePage, SourceComparison, TableCounts } from '#shared/protocol/index.ts';
import type { ShownComparison } from '../../state/slices/sources.ts';
import { showComparison, useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import './comparison-dialog.css';
import { mergeWithSource } from './merge-actions.ts';
import { reloadFromSource, saveToSource } from './source-actions.ts';

/** Component that shows changed rows; passed in by the app, because it belongs to the history. */
export type Differences = ComponentType<{
  readonly label: string;
  readonly tables: readonly TableCounts[];
  readonly read: (start: number, count: number) => Promise<RowDifferencePage>;
  readonly empty: string;
}>;

interface ComparisonDialogProps {
  readonly comparison: ShownComparison;
  readonly Differences: Differences;
}

export function ComparisonDialog({ comparison: { database, result }, Differences }: ComparisonDialogProps): ReactNode {
  const entry = useStore((state) => state.openDatabases[database]?.entry);
  const close = (): void => showComparison(null);
  const isSame = result.tables.length === 0 && result.notes.length === 0;
  const rows = result.tables.reduce((sum, counts) => sum + rowsIn(counts), 0);
  if (!entry?.source) return null;
  return (
    <Dialog
      title={comparisonTitle(entry.source.fileName, result)}
      wide
      onClose={close}
      footer={
        isSame ? (
          <Button variant="primary" onClick={close}>
            OK
          </Button>
        ) : (
          <Answers entry={entry} onClose={close} />
        )
      }
    >
      {isSame ? (
        `All rows of ${plural(result.tablesCompared, 'table')} are the same, and so is the schema.`
      ) : (
        <div className="comparison">
          {result.notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
          {rows > 0 && (
            <>
              <p>
                <CountsLabel tables={result.tables} />
                {rows > result.rows.length && ` The first ${formatCount(result.rows.length)} rows are listed.`}
              </p>
              <Rows result={result} Differences={Differences} />
            </>
          )}
        </div>
      )}
    </Dialog>
  );
}

/** “The source notes.db differs in 12 rows of 2 tables”. */
export function comparisonTitle(
  fileName: string,
  { tables, notes }: Pick<SourceComparison, 'tables' | 'notes'>,
): string {
  const rows = tables.reduce((sum, counts) => sum + rowsIn(counts), 0);
  if (rows > 0)
    return `${plural(rows, 'row')} in ${plural(tables.length, 'table')} ${rows === 1 ? 'differs' : 'differ'} from “${fileName}”`;
  return notes.length > 0 ? `No rows differ from “${fileName}”` : `This copy and “${fileName}” are the same`;
}

function CountsLabel({ tables }: { readonly tables: readonly TableCounts[] }): ReactNode {
  const sum = (of: (counts: TableCounts) => number): number => tables.reduce((total, counts) => total + of(counts), 0);
  return `From this copy to the file: ${formatCount(sum(({ inserted }) => inserted))} only in the file, ${formatCount(sum(({ updated }) => updated))} different, ${formatCount(sum(({ deleted }) => deleted))} only here.`;
}

function Rows({
  result,
  Differences,
}: {
  readonly result: SourceComparison;
  readonly Differences: Differences;
}): ReactNode {
  const read = useCallback(
    (start: number, count: number) =>
      Promise.resolve({ rows: result.rows.slice(start, start + count), total: result.rows.length }),
    [result],
  );
  const listed = useMemo(() => [...result.listed], [result]);
  return (
    <div className="comparison-rows">
      <Differences label="Rows that differ" tables={listed} read={read} empty="No rows differ." />
    </div>
  );
}

function Answers({ entry, onClose }: { readonly entry: LibraryEntry; readonly onClose: () => void }): ReactNode {
  const then = (action: (entry: LibraryEntry) => Promise<void>) => () => {
    onClose();
    void action(entry);
  };
  return (
    <>
      <Button onClick={then(mergeWithSource)}>Merge…</Button>
      <Button onClick={then(reloadFromSource)}>Reload from source…</Button>
      <Button onClick={then(saveToSource)}>Save to source</Button>
      <Button variant="primary" onClick={onClose}>
        Close
      </Button>
    </>
  );
}

const rowsIn = ({ inserted, updated, deleted }: TableCounts): number => inserted + updated + deleted;

// The dialog that changes many cells: a value, an expression, found text, a series, NULL, defaults, or two columns swapped; first as a dry run.
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import type { GridHandle } from '../../../grid/grid-handle.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { plural } from '../../../ui/format.ts';
import { RadioButton } from '../../../ui/check-box.tsx';
import { startDryRun } from '../../../workbench/text/dry-run.ts';
import { heldOf, hold, isHolding, untilHeld, useHeld } from '../../../workbench/held/held-store.ts';
import type { TableSource } from '../../../workbench/rows/table-source.ts';
import '../../../ui/form-dialog.css';
import { whyColumnIsFixed } from '../../../workbench/rows/edit-session.ts';
import { changedCells, readKeys, selectedBlock, type SelectedBlock } from './bulk-run.ts';
import { changeStatement, type BulkStatement, type CellChange } from './cell-changes.ts';
import { changeOf, Fields, nothingTyped, type ChangeKind } from './change-fields.tsx';
import { rememberSwitches } from '../../../workbench/find/text-search.ts';
import { client } from '../../../connection/database-client.ts';
import { notify } from '../../../state/store.ts';
import { pendingChanges, type HeldTable } from '../../../workbench/held/held-changes.ts';
import { changeSql } from '../../../workbench/held/held-sql.ts';
import { runJob } from '../../../workbench/jobs.ts';
import { keyNamesOf } from '../../../workbench/rows/key-names.ts';
import { MAX_ROWS_A_COMMAND } from '../selected-rows.ts';

/** @param columns that the statement sets. Rows that wait to be added stay unchanged. @throws AppError; nothing is held then */
const holdStatement = (source: TableSource, statement: BulkStatement, columns: readonly string[]): Promise<void> =>
  untilHeld(source.database, runAndHold(source, statement, columns));

async function runAndHold(
  source: TableSource,
  { sql, parameters }: BulkStatement,
  columns: readonly string[],
): Promise<void> {
  const { database, detail } = source;
  const tables = heldOf(database)?.tables ?? new Map<string, HeldTable>();
  const before = pendingChanges(tables)
    .filter(({ change }) => change.table === detail.name && change.kind !== 'insert')
    .map(({ change }) => changeSql(change, keyNamesOf(source)));
  const script = [...before, sql].join(';\n');
  const updates = await runJob(`Changing ${detail.name}`, ({ signal }) =>
    client.call(
      'dryRun.updates',
      { database, sql: script, parameters, table: detail.name, columns, maxRows: MAX_ROWS_A_COMMAND },
      { signal },
    ),
  );
  if (updates.length === 0) return notify({ tone: 'info', text: 'No cells would change.' });
  await hold(
    database,
    updates.map((update) => ({ table: detail.name, kind: 'update', ...update })),
  );
}

const DRY_RUN_NOTE = 'The dry run shows every row before and after the change. Then keep or discard the changes.';
const HELD_NOTE =
  'Changed cells are marked in the table and held until you save them. Rows that are not saved yet are not changed.';

const KINDS: readonly (readonly [ChangeKind, string])[] = [
  ['value', 'Set to a value'],
  ['expression', 'Set to an expression'],
  ['replace', 'Find and replace'],
  ['series', 'Fill with a series'],
  ['null', 'Set to NULL'],
  ['default', 'Set to the default'],
  ['swap', 'Swap two columns'],
  ['swap-rows', 'Swap two rows'],
];

interface ChangeCellsProps {
  readonly tabId: string;
  readonly source: TableSource;
  readonly grid: GridHandle;
  readonly firstKind: ChangeKind;
  readonly onClose: () => void;
}

export function ChangeCells({ tabId, source, grid, firstKind, onClose }: ChangeCellsProps): ReactNode {
  const [kind, setKind] = useState(firstKind);
  const [chosen, setAll] = useState<boolean | null>(null);
  const [typed, setTyped] = useState(nothingTyped);
  const first = useRef<HTMLInputElement>(null);
  const isHeld = useHeld((state) => state[source.database]?.isOn ?? false);
  // The grid keeps its selection while the dialog is open.
  const block = useMemo(() => selectedBlock(grid), [grid]);
  const isAll = (chosen ?? searchesAll(kind, block)) && !needsSelection(kind);
  const columns = typeof block === 'string' ? [] : block.columns;
  const change = changeOf(kind, typed);
  const why = whyNot(source, block, kind, isAll) ?? (typeof change === 'string' ? change : null);
  const names = columns.map((column) => source.columns[column]!.name);
  const shown =
    why === null && typeof change !== 'string'
      ? changeStatement(change, changedCells(source, columns, isAll ? null : '[]')).sql
      : '';
  const run = (): void => {
    // Rows may have moved since the dialog was opened, and the selection with them.
    const blockNow = selectedBlock(grid);
    if (why !== null || typeof change === 'string' || typeof blockNow === 'string') return;
    onClose();
    dryRunOf(change, blockNow, { tabId, source, grid, isAll }).catch(notifyFailure);
  };
  return (
    <Dialog
      title="Change cells"
      wide
      initialFocus={first}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" why={why} onClick={run}>
            {isHeld ? 'Hold changes' : 'Dry run'}
          </Button>
        </>
      }
    >
      <form
        className="form-dialog change-cells"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <div className="form-choices">
          <Kinds chosen={kind} onChoose={setKind} />
          {!needsSelection(kind) && <Where selected={whereOf(block)} isAll={isAll} onChoose={setAll} />}
        </div>
        <div className="stack gap-8 shrink-y">
          <p>{names.length === 0 ? '' : `Columns: ${names.map(visibleName).join(', ')}`}</p>
          <Fields kind={kind} typed={typed} firstRef={first} onChange={(patch) => setTyped({ ...typed, ...patch })} />
          {/* Enter in a field runs it. */}
          <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
          <Statement sql={shown} why={why} />
          <p className="change-note">{isHeld ? HELD_NOTE : DRY_RUN_NOTE}</p>
        </div>
      </form>
    </Dialog>
  );
}

/** Nobody searches a single cell: it is only where the cursor is. */
const searchesAll = (kind: ChangeKind, block: SelectedBlock | string): boolean =>
  kind === 'replace' && typeof block !== 'string' && block.rows.first === block.rows.last && block.columns.length === 1;

/** A series needs cells in an order, which only a selection has, and a swap needs two selected rows. */
const needsSelection = (kind: ChangeKind): boolean => kind === 'series' || kind === 'swap-rows';

interface DryRunTarget {
  readonly tabId: string;
  readonly source: TableSource;
  readonly grid: GridHandle;
  readonly isAll: boolean;
}

async function dryRunOf(
  change: CellChange,
  block: SelectedBlock,
  { tabId, source, grid, isAll }: DryRunTarget,
): Promise<void> {
  if (change.kind === 'replace') rememberSwitches(change);
  const keys = isAll ? null : await readKeys(source, grid, block.rows);
  const statement = changeStatement(change, changedCells(source, block.columns, keys));
  if (await isHolding(source.database)) {
    const names = block.columns.map((column) => source.columns[column]!.name);
    return holdStatement(source, statement, names);
  }
  await startDryRun({ tabId, database: source.database, title: `Change cells in ${source.detail.name}`, ...statement });
}

function whereOf(block: ReturnType<typeof selectedBlock>): string {
  if (typeof block === 'string') return 'Selected cells';
  return `Selected cells of ${plural(block.rows.last - block.rows.first + 1, 'row')}`;
}

/** A sentence why it cannot run now, or null. */
function whyNot(
  source: TableSource,
  block: ReturnType<typeof selectedBlock>,
  kind: ChangeKind,
  isAll: boolean,
): string | null {
  if (typeof block === 'string') return block;
  if (kind === 'swap' && block.columns.length !== 2) return 'To swap two columns, select cells in exactly two columns.';
  if (kind === 'swap-rows' && block.rows.last - block.rows.first !== 1)
    return 'To swap two rows, select cells in exactly two rows.';
  if (!isAll && block.rows.last < block.rows.first) return 'There is no row here.';
  return block.columns.map((column) => whyColumnIsFixed(source, column)).find((why) => why !== null) ?? null;
}

function Kinds({
  chosen,
  onChoose,
}: {
  readonly chosen: ChangeKind;
  readonly onChoose: (kind: ChangeKind) => void;
}): ReactNode {
  return (
    <div className="form-box" role="radiogroup" aria-label="Change">
      {KINDS.map(([kind, label]) => (
        <RadioButton key={kind} name="kind" label={label} checked={kind === chosen} onChoose={() => onChoose(kind)} />
      ))}
    </div>
  );
}

interface WhereProps {
  readonly selected: string;
  readonly isAll: boolean;
  readonly onChoose: (isAll: boolean) => void;
}

function Where({ selected, isAll, onChoose }: WhereProps): ReactNode {
  return (
    <div className="form-box" role="radiogroup" aria-label="Where">
      <RadioButton name="where" label={selected} checked={!isAll} onChoose={() => onChoose(false)} />
      <RadioButton name="where" label="All rows of the table" checked={isAll} onChoose={() => onChoose(true)} />
    </div>
  );
}

/** What the dry run will execute, or why there is nothing to run. */
function Statement({ sql, why }: { readonly sql: string; readonly why: string | null }): ReactNode {
  if (sql === '') return <p className="change-note">{why}</p>;
  return (
    <section className="form-text" aria-label="SQL" tabIndex={0}>
      <pre>{sql}</pre>
    </section>
  );
}

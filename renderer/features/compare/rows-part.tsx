// Both results side by side, locked together, with the differences marked.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, type Ref } from 'react';
import { commandKeyLabel, useCommand } from '../../workbench/commands/commands.ts';
import { useCopyCommands } from '../../workbench/cells/use-copy-commands.ts';
import { useColumnCommands } from '../../workbench/columns/use-column-commands.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify } from '../../state/store.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import { Grid } from '../../grid/grid.tsx';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatBytes, formatCount, formatDuration, plural } from '../../ui/format.ts';
import { isRawText, type StorageClass, type Value } from '#shared/protocol/index.ts';
import type { ResultSource } from '../../workbench/rows/result-source.ts';
import { displayText } from '../../grid/paint/cell-display.ts';
import type { CachedRow } from '../../grid/rows/row-cache.ts';
import { sameCell } from '../../grid/rows/same-cell.ts';
import { valueText } from '../../grid/input/value-text.ts';
import type { Comparison, Outcome, StatementPair } from './compare-view.ts';
import {
  firstDifferingColumn,
  positionAmong,
  readRow,
  sourceOf,
  targetAfter,
  targetBefore,
  targetsOf,
} from './jumps.ts';
import { ENGINES, SIDE_OF } from './sides.ts';
import type { Both, EngineKind } from '../../workbench/databases/comparison-sides.ts';
import type { CompareSession } from './compare-session.ts';
import { VerdictRow, type StatementChoice } from './verdict-row.tsx';
import { verdictOf } from './verdict.ts';

interface ShownCell {
  readonly value: Value;
  readonly storageClass: StorageClass;
  readonly sizeBytes: number;
}

interface Cells extends Both<ShownCell | null> {
  readonly isSame: boolean;
}

interface CellPairProps {
  readonly pair: StatementPair;
  readonly row: number;
  readonly column: number;
}

/** The current cell on both sides: value and storage class. */
function CellPair({ pair, row, column }: CellPairProps): ReactNode {
  const [cells, setCells] = useState<Cells | null>(null);
  useEffect(() => {
    let isWanted = true;
    readCells(pair, row, column).then(
      (read) => isWanted && setCells(read),
      () => isWanted && setCells(null), // the rows are gone: the tab says why
    );
    return () => {
      isWanted = false;
    };
  }, [pair, row, column]);
  const name = sourceOf(pair.wasm)?.columns[column]?.name ?? sourceOf(pair.native)?.columns[column]?.name ?? '';
  return (
    <div className="compare-cell selectable" role="group" aria-label="Current cell" data-same={cells?.isSame ?? true}>
      <span className="cut dim figures compare-cell-place">
        Row {formatCount(row + 1)} <b>{name}</b>
      </span>
      {cells &&
        ENGINES.map((engine) => (
          <span key={engine} className="gap-8 shrink-x one-line compare-cell-value" aria-label={`Value on ${engine}`}>
            {sourceOf(pair[engine]) && <OneValue cell={cells[engine]} />}
            {engine === 'native' && isNotUtf8(cells) && <small>{NOT_UTF8}</small>}
          </span>
        ))}
    </div>
  );
}

const NOT_UTF8 = 'not UTF-8: this engine returns U+FFFD instead';

const isNotUtf8 = ({ wasm, isSame }: Cells): boolean =>
  !isSame && wasm !== null && wasm.value !== null && isRawText(wasm.value);

function OneValue({ cell }: { readonly cell: ShownCell | null }): ReactNode {
  if (!cell) return <i>no row here</i>;
  const { value, storageClass, sizeBytes } = cell;
  const isWord = value === null || value === '';
  return (
    <>
      <small>
        {storageClass}
        {sizeBytes > 0 && ` · ${formatBytes(sizeBytes)}`}
      </small>
      {isWord ? <i>{value === null ? 'NULL' : 'empty'}</i> : <code>{displayText(valueText(value), false).text}</code>}
    </>
  );
}

async function readCells({ wasm, native }: StatementPair, row: number, column: number): Promise<Cells> {
  const sources = { wasm: sourceOf(wasm), native: sourceOf(native) };
  const [left, right] = await Promise.all([rowOf(sources.wasm, row), rowOf(sources.native, row)]);
  return {
    wasm: cellOf(left, column, sources.wasm),
    native: cellOf(right, column, sources.native),
    isSame: !sources.wasm || !sources.native || isSameCell([sources.wasm, left], [sources.native, right], column),
  };
}

type Placed = readonly [source: ResultSource, row: CachedRow | null];

const isSameCell = ([left, here]: Placed, [right, there]: Placed, column: number): boolean =>
  here !== null &&
  there !== null &&
  column < left.columns.length &&
  column < right.columns.length &&
  sameCell(here, there, column);

const rowOf = (source: ResultSource | null, row: number): Promise<CachedRow | null> =>
  source ? readRow(source, row) : Promise.resolve(null);

function cellOf(row: CachedRow | null, column: number, source: ResultSource | null): ShownCell | null {
  if (!row || !source || column >= source.columns.length) return null;
  const { rows, index } = row;
  return {
    value: rows.value(index, column),
    storageClass: rows.storageClass(index, column),
    sizeBytes: rows.sizeBytes(index, column),
  };
}

interface RowsPartProps {
  readonly session: CompareSession;
  readonly comparison: Comparison;
  readonly pair: StatementPair | null;
  readonly choice: StatementChoice;
  readonly isActive: boolean;
}

export function RowsPart({ session, comparison, pair, choice, isActive }: RowsPartProps): ReactNode {
  const grids = { wasm: useRef<GridHandle>(null), native: useRef<GridHandle>(null) };
  const [cell, setCell] = useState({ row: 0, column: 0 });
  const [hasMoved, setHasMoved] = useState(false);
  const key = pair ? columnsKey(pair) : '';
  const [view, setView] = useState<GridView>(() => session.gridView(key));
  const targets = pair?.rows ? targetsOf(pair.rows) : [];
  // The first difference may be in the first row.
  const row = hasMoved ? cell.row : -1;
  const jump = (step: 1 | -1): void => {
    const target = step > 0 ? targetAfter(targets, row) : targetBefore(targets, row);
    if (target !== null && pair) void goTo(pair, grids, target);
  };
  useCommand('compare.nextDifference', () => jump(1), isActive && targetAfter(targets, row) !== null);
  useCommand('compare.previousDifference', () => jump(-1), isActive && targetBefore(targets, row) !== null);
  useCopyCommands(() => focusedGrid(grids), isActive);
  useColumnCommands(() => focusedGrid(grids), isActive);
  if (!pair) return <p className="compare-empty">There was no statement to run.</p>;
  const changeView = (changed: GridView): void => {
    session.keepGridView(key, changed);
    setView(changed);
  };
  return (
    <>
      <VerdictRow verdict={verdictOf(pair)} choice={choice}>
        {targets.length > 0 && <Jumps targets={targets} row={row} isAll={pair.rows?.all ?? true} onJump={jump} />}
      </VerdictRow>
      <div className="fill compare-sides">
        {ENGINES.map((engine) => (
          <SideOfRows
            key={engine}
            engine={engine}
            outcome={pair[engine]}
            missing={comparison.runs[engine].kind === 'missing' ? comparison.runs[engine].why : null}
            pair={pair}
            view={view}
            gridRef={grids[engine]}
            onViewChange={changeView}
            onCell={(current) => {
              setHasMoved(true);
              setCell(current);
            }}
          />
        ))}
      </div>
      {(sourceOf(pair.wasm) ?? sourceOf(pair.native)) && <CellPair pair={pair} row={cell.row} column={cell.column} />}
    </>
  );
}

interface JumpsProps {
  readonly targets: readonly number[];
  readonly row: number;
  readonly isAll: boolean;
  readonly onJump: (step: 1 | -1) => void;
}

function Jumps({ targets, row, isAll, onJump }: JumpsProps): ReactNode {
  const position = positionAmong(targets, row);
  return (
    <span className="row gap-2 fixed one-line small figures compare-jumps">
      <span aria-live="polite">
        {position === null ? '' : `${formatCount(position + 1)} of `}
        {formatCount(targets.length)}
        {!isAll && '+'}
      </span>
      <IconButton
        label="Previous difference"
        shortcut={commandKeyLabel('compare.previousDifference')}
        disabled={targetBefore(targets, row) === null}
        onClick={() => onJump(-1)}
      >
        <ChevronLeft size={15} />
      </IconButton>
      <IconButton
        label="Next difference"
        shortcut={commandKeyLabel('compare.nextDifference')}
        disabled={targetAfter(targets, row) === null}
        onClick={() => onJump(1)}
      >
        <ChevronRight size={15} />
      </IconButton>
    </span>
  );
}

interface SideProps {
  readonly engine: EngineKind;
  readonly outcome: Outcome;
  readonly missing: string | null;
  readonly pair: StatementPair;
  readonly view: GridView;
  readonly gridRef: Ref<GridHandle>;
  readonly onViewChange: (view: GridView) => void;
  readonly onCell: (cell: { readonly row: number; readonly column: number }) => void;
}

function SideOfRows({ engine, outcome, missing, pair, view, gridRef, onViewChange, onCell }: SideProps): ReactNode {
  const source = sourceOf(outcome);
  return (
    <section className="stack shrink-y compare-side" aria-label={engine}>
      <header>
        <b>{engine}</b>
        <span>{sideFacts(outcome)}</span>
      </header>
      <div className="fill clip anchor">
        {source ? (
          <Grid
            ref={gridRef}
            source={source}
            view={view}
            sort={NO_SORT}
            label={`Rows on ${engine}`}
            {...(pair.grids && { companion: pair.grids[SIDE_OF[engine]] })}
            onViewChange={onViewChange}
            onSelectionChange={(grid) => onCell(grid.cursor)}
            onError={notifyFailure}
            onRefused={(text) => notify({ tone: 'info', text })}
          />
        ) : (
          <SideMessage outcome={outcome} missing={missing} />
        )}
      </div>
    </section>
  );
}

const NO_SORT = [] as const;

function SideMessage({ outcome, missing }: Pick<SideProps, 'outcome' | 'missing'>): ReactNode {
  if (outcome.kind === 'failed')
    return (
      <p className="compare-error selectable" role="alert">
        {outcome.error.message}
      </p>
    );
  if (missing !== null) return <p className="compare-empty selectable">{missing}</p>;
  if (outcome.kind === 'not-run')
    return <p className="compare-empty">Not run here: the statement before it ended the transaction.</p>;
  return <p className="compare-empty">This statement returns no rows.</p>;
}

function sideFacts(outcome: Outcome): string {
  if (outcome.kind !== 'ran') return outcome.kind === 'failed' ? 'error' : '';
  const { result, rowsChanged, engineMs } = outcome.statement;
  const facts = [
    result && plural(result.rows, 'row'),
    rowsChanged !== null && `${plural(rowsChanged, 'row')} changed`,
    formatDuration(engineMs),
  ];
  return facts.filter(Boolean).join(' · ');
}

const columnsKey = ({ wasm, native }: StatementPair): string =>
  JSON.stringify(
    [wasm, native].map((outcome) => outcome.kind === 'ran' && outcome.source?.columns.map(({ name }) => name)),
  );

const NEAR_ROWS = 6;

async function goTo(
  pair: StatementPair,
  grids: Both<{ readonly current: GridHandle | null }>,
  row: number,
): Promise<void> {
  const column = await firstDifferingColumn(pair, row).catch(() => 0);
  const grid = (ENGINES.find((engine) => hasRow(pair[engine], row)) ?? 'wasm') === 'wasm' ? grids.wasm : grids.native;
  // Leave some rows above it instead of putting it at the edge.
  const top = grid.current?.topRow ?? 0;
  if (row < top || row > top + NEAR_ROWS) grid.current?.scrollToTopRow(Math.max(0, row - NEAR_ROWS / 2));
  grid.current?.goTo(row, column);
  grid.current?.focus();
}

function hasRow(outcome: Outcome, row: number): boolean {
  const source = sourceOf(outcome);
  return source !== null && row < source.extent.rows;
}

function focusedGrid(grids: Both<{ readonly current: GridHandle | null }>): GridHandle | null {
  const focused = document.activeElement?.closest('.compare-side')?.getAttribute('aria-label');
  return (focused === 'native' ? grids.native : grids.wasm).current;
}

// The current cell on both sides: value and storage class.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { isRawText } from '#shared/protocol/index.ts';
import type { StorageClass, Value } from '#shared/protocol/index.ts';
import type { ResultSource } from '../../workbench/rows/result-source.ts';
import { displayText } from '../../grid/paint/cell-display.ts';
import type { CachedRow } from '../../grid/rows/row-cache.ts';
import { sameCell } from '../../grid/rows/same-cell.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { formatBytes, formatCount } from '../../ui/format.ts';
import type { StatementPair } from './compare-view.ts';
import { readRow, sourceOf } from './jumps.ts';
import { ENGINES } from './sides.ts';
import type { Both } from '../../workbench/databases/comparison-sides.ts';
import './cell-pair.css';

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

export function CellPair({ pair, row, column }: CellPairProps): ReactNode {
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
      <span className="compare-cell-place">
        Row {formatCount(row + 1)} <b>{name}</b>
      </span>
      {cells &&
        ENGINES.map((engine) => (
          <span key={engine} className="compare-cell-value" aria-label={`Value on ${engine}`}>
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

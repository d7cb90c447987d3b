// What one side changed in tables or columns that the other has dropped: it would be lost.
import { sameName } from '#shared/ddl/names.ts';
import type { MergeSide } from '#shared/protocol/merge.ts';
import type { BlockRow } from '../diff/merge-rows.ts';
import { comparedTable } from '../diff/compared-tables.ts';
import type { ComparedTable } from '../diff/compared-tables.ts';
import { diffTables } from '../diff/diff-tables.ts';
import type { RowsWriter } from '../diff/diff-tables.ts';
import { isSameIn } from '../diff/text-writer.ts';
import type { Connection } from '../engines/engine.ts';
import type { Loss } from './merged-schema.ts';

interface Sides extends Readonly<Record<MergeSide, Connection>> {
  readonly base: Connection;
  readonly scratch: () => Connection;
}

/** @yields the rows compared. Returns those in which something would be lost */
export function* lostChanges(sides: Sides, losses: readonly Loss[]): Generator<number, readonly Loss[]> {
  const found: Loss[] = [];
  for (const loss of losses) {
    const writer = new LossWriter(loss);
    const both = { mine: sides.base, theirs: sides[loss.side], scratch: sides.scratch };
    const ignoredColumns = loss.columns === null ? [] : otherColumns(both.mine, both.theirs, loss);
    yield* diffTables(both, { tables: [loss.table], ignoredColumns }, writer);
    if (writer.hasLoss) found.push(loss);
  }
  return found;
}

export function lossSentence({ table, columns }: Loss): string {
  const what = columns === null ? `the table “${table}”` : `columns of “${table}” (${columns.join(', ')})`;
  return `One side dropped ${what}, and the other changed rows there.`;
}

/** Those that are neither dropped nor part of the key. */
function otherColumns(mine: Connection, theirs: Connection, { table: name, columns }: Loss): readonly string[] {
  const table = comparedTable(mine, theirs, name, { ignoredColumns: [] });
  if ('why' in table) return [];
  return table.columns
    .slice(table.keys)
    .filter((column) => !columns!.some((dropped) => sameName(dropped, column)))
    .map((column) => `${name}.${column}`);
}

/** A row that was removed, or added with nothing in those columns, loses nothing. */
class LossWriter implements RowsWriter {
  readonly #loss: Loss;
  #places: readonly number[] = [];
  hasLoss = false;

  constructor(loss: Loss) {
    this.#loss = loss;
  }

  begin({ columns }: ComparedTable): void {
    const dropped = this.#loss.columns ?? columns;
    this.#places = [...columns.keys()].filter((at) => dropped.some((name) => sameName(name, columns[at]!)));
  }

  row(before: BlockRow | null, after: BlockRow | null): void {
    if (after === null) return;
    this.hasLoss ||= this.#places.some((at) =>
      before === null ? after.block.value(after.row, at) !== null : !isSameIn(before, after, at),
    );
  }

  end(): void {
    // The first loss is enough.
  }
}

// Differences as one JSON document. Integers have all their digits, a REAL has a point or an exponent, and bytes are {"blob": "hex"}.
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import type { SettingDifference } from '#shared/schema-diff/compare-schemas.ts';
import type { DiffOptions } from '#shared/protocol/diff.ts';
import { type ByteWriter, realText } from '../export/byte-writer.ts';
import { sqlLiteral } from '../sql/literal.ts';
import type { ComparedTable } from './compared-tables.ts';
import type { DiffWriter, RowCounts, TableNotCompared } from './form.ts';
import type { BlockRow } from './merge-rows.ts';
import type { ObjectChange } from './schema-changes.ts';
import { isSameIn } from './text-writer.ts';

export class JsonWriter implements DiffWriter {
  readonly #out: ByteWriter;
  readonly #options: DiffOptions;
  #table: ComparedTable | null = null;
  #tables = 0;
  #rows = 0;

  constructor(out: ByteWriter, options: DiffOptions) {
    this.#out = out;
    this.#options = options;
  }

  schema(objects: readonly ObjectChange[], settings: readonly SettingDifference[]): void {
    const [from, to] = this.#options.names;
    const head = JSON.stringify({ ok: true, command: 'diff', from, to, schema: objects, settings });
    this.#out.text(`${head.slice(0, -1)},"tables":[`);
  }

  begin(table: ComparedTable): void {
    this.#table = table;
    this.#rows = 0;
    const key = JSON.stringify(table.columns.slice(0, table.keys));
    this.#out.text(`${this.#tables++ > 0 ? ',' : ''}\n{"table":${JSON.stringify(table.name)},"key":${key},"rows":[`);
  }

  row(before: BlockRow | null, after: BlockRow | null): void {
    const { limit } = this.#options;
    if (limit !== null && this.#rows >= limit) return;
    const kind = before === null ? 'added' : after === null ? 'removed' : 'changed';
    const { columns, keys } = this.#table!;
    const changed =
      before && after
        ? columns.map((_, column) => column).filter((column) => !isSameIn(before, after, column))
        : columns.map((_, column) => column);
    const key = columns.slice(0, keys).map((_, column) => column);
    const parts = [
      `"kind":"${kind}"`,
      ...(kind === 'changed' ? [`"key":${this.#object(after!, key)}`] : []),
      ...(before ? [`"before":${this.#object(before, changed)}`] : []),
      ...(after ? [`"after":${this.#object(after, changed)}`] : []),
    ];
    this.#out.text(`${this.#rows++ > 0 ? ',' : ''}\n{${parts.join(',')}}`);
  }

  end({ added, removed, changed }: RowCounts): void {
    const notShown = added + removed + changed - this.#rows;
    this.#out.text(`],"added":${added},"removed":${removed},"changed":${changed},"notShown":${notShown}}`);
  }

  finish(isEqual: boolean, notCompared: readonly TableNotCompared[]): void {
    const left = notCompared.map(({ table, why }) => ({ table, why }));
    this.#out.text(`],"notCompared":${JSON.stringify(left)},"equal":${isEqual}}\n`);
  }

  #object({ block, row }: BlockRow, columns: readonly number[]): string {
    const names = this.#table!.columns;
    return `{${columns.map((column) => `${JSON.stringify(names[column])}:${jsonOf(block.value(row, column))}`).join(',')}}`;
  }
}

/** INTEGERs have all their digits, a REAL has a point or an exponent, and bytes are {"blob": "hex"}. */
export function jsonOf(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return `{"blob":"${hexOf(value)}"}`;
  if (typeof value === 'object' && isRawText(value)) return `{"text":"${hexOf(value.textBytes)}"}`;
  if (typeof value === 'object' && isReal(value)) return realText(value.real);
  return Number.isInteger(value) ? String(value) : realText(value as number);
}

/** The digits of a BLOB literal. */
const hexOf = (bytes: Uint8Array): string => sqlLiteral(bytes).slice(2, -1);

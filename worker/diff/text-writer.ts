// Differences as text for people: definitions line by line, rows by their keys, and counts.
import { counted } from '#shared/counted.ts';
import { alignLines } from '#shared/schema-diff/aligned-lines.ts';
import type { SettingDifference } from '#shared/schema-diff/compare-schemas.ts';
import { visibleLine, visibleName } from '#shared/visible-text.ts';
import type { DiffOptions } from '#shared/protocol/diff.ts';
import type { ByteWriter } from '../export/byte-writer.ts';
import { isSameCell, type BlockRow } from './merge-rows.ts';
import type { ComparedTable } from './compared-tables.ts';
import type { DiffWriter, RowCounts, TableNotCompared } from './form.ts';
import { settingText, type ObjectChange } from './schema-changes.ts';
import { shownPair, shownValue } from './shown-value.ts';

/** SGR codes of a terminal, as `git diff` uses them. */
const COLORS = { title: 1, added: 32, removed: 31, changed: 33 } as const;
const SIGNS = { added: '+', removed: '-', changed: '~' } as const;
type Kind = keyof typeof SIGNS;

export class TextWriter implements DiffWriter {
  readonly #out: ByteWriter;
  readonly #options: DiffOptions;
  #table: ComparedTable | null = null;
  #rows = 0;
  #hasBegun = false;

  constructor(out: ByteWriter, options: DiffOptions) {
    this.#out = out;
    this.#options = options;
  }

  schema(objects: readonly ObjectChange[], settings: readonly SettingDifference[]): void {
    for (const object of objects) {
      this.#begin();
      const { status, kind, name, isTextOnly } = object;
      const what = `${SIGNS[status]} ${kind === 'virtual' ? 'virtual table' : kind} ${visibleName(name)}`;
      this.#line(`${what}${isTextOnly ? ' (only comments, white space, or quotes)' : ''}`, status);
      if (!this.#isStat) this.#definition(object);
    }
    for (const setting of settings) {
      this.#begin();
      this.#line(`~ ${settingText(setting)}`, 'changed');
    }
  }

  begin(table: ComparedTable): void {
    this.#begin();
    this.#table = table;
    this.#rows = 0;
    if (!this.#isStat) this.#line(`Table ${visibleName(table.name)}`, 'title');
  }

  row(before: BlockRow | null, after: BlockRow | null): void {
    const { limit } = this.#options;
    if (this.#isStat || (limit !== null && this.#rows++ >= limit)) return;
    if (before !== null && after !== null) this.#changedRow(before, after);
    else this.#wholeRow(before === null ? 'added' : 'removed', (after ?? before)!);
  }

  end(counts: RowCounts): void {
    const { limit } = this.#options;
    const total = counts.added + counts.removed + counts.changed;
    const text = (['added', 'removed', 'changed'] as const)
      .filter((kind) => counts[kind] > 0)
      .map((kind) => `${counts[kind].toLocaleString('en-US')} ${kind}`)
      .join(', ');
    if (this.#isStat) return this.#line(`${visibleName(this.#table!.name)}: ${text}`);
    const left = limit === null ? 0 : Math.max(0, total - limit);
    this.#line(`  ${text}${left > 0 ? ` (${counted(left, 'row')} not shown)` : ''}`);
  }

  finish(_isEqual: boolean, _notCompared: readonly TableNotCompared[]): void {
    // Said on standard error by the command.
  }

  get #isStat(): boolean {
    return this.#options.form === 'stat';
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const [from, to] = this.#options.names.map(visibleLine);
    this.#line(`--- ${from}`, 'title');
    this.#line(`+++ ${to}`, 'title');
  }

  #definition({ before, after }: ObjectChange): void {
    for (const { left, right, isSame } of alignLines(before ?? '', after ?? '')) {
      if (isSame) this.#line(`    ${visibleLine(left!)}`);
      if (!isSame && left !== null) this.#line(`  - ${visibleLine(left)}`, 'removed');
      if (!isSame && right !== null) this.#line(`  + ${visibleLine(right)}`, 'added');
    }
  }

  #wholeRow(kind: Kind, at: BlockRow): void {
    const values = this.#table!.columns.map((name, column) => named(name, at, column));
    this.#line(`  ${SIGNS[kind]} ${values.join(', ')}`, kind);
  }

  #changedRow(before: BlockRow, after: BlockRow): void {
    const { columns, keys } = this.#table!;
    const key = columns.slice(0, keys).map((name, column) => named(name, after, column));
    const changes = columns.flatMap((name, column) => {
      if (isSameIn(before, after, column)) return [];
      const [was, is] = shownPair(before.block.value(before.row, column), after.block.value(after.row, column));
      return [`${visibleName(name)} ${was} → ${is}`];
    });
    this.#line(`  ~ ${key.join(', ')}: ${changes.join(', ')}`, 'changed');
  }

  #line(text: string, color?: keyof typeof COLORS): void {
    const isColored = this.#options.colors && color !== undefined;
    this.#out.text(isColored ? `\u001b[${COLORS[color]}m${text}\u001b[m\n` : `${text}\n`);
  }
}

const named = (name: string, { block, row }: BlockRow, column: number): string =>
  `${visibleName(name)}=${shownValue(block.value(row, column))}`;

/** Whether two rows have the same value in a compared column. */
export function isSameIn(before: BlockRow, after: BlockRow, column: number): boolean {
  const cellOf = ({ block, row }: BlockRow): number => row * block.cells.columnCount + column;
  return isSameCell(before.block.cells, cellOf(before), after.block.cells, cellOf(after));
}

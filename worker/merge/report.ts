// What a merge did, and its conflicts, as text for people or as one JSON document.
import { counted } from '#shared/counted.ts';
import { CONFLICTS, type MergeOptions } from '#shared/protocol/merge.ts';
import { visibleLine, visibleName } from '#shared/visible-text.ts';
import { shownValue } from '../diff/shown-value.ts';
import type { MergeFile } from '../library/merge/merge-file.ts';
import { jsonRow, kindOf, type Conflict } from './conflicts-table.ts';
import type { MergedTables } from './merged-tables.ts';
import type { Chosen } from './plan.ts';
import type { Row } from './three-way.ts';

export interface Merged {
  readonly options: MergeOptions;
  readonly taken: readonly string[];
  readonly chosen: Chosen;
  readonly file: MergeFile;
  readonly tables: MergedTables;
  readonly conflicts: Iterable<Conflict>;
  readonly notes: readonly string[];
}

interface TableCount {
  added: number;
  removed: number;
  changed: number;
  conflicts: number;
  chosen: number;
  readonly shown: Conflict[];
}

const KINDS = { inserted: 'added', deleted: 'removed', updated: 'changed' } as const;

export function reportOf(merged: Merged): string {
  const counts = countsOf(merged);
  return merged.options.form === 'json' ? asJson(merged, counts) : asText(merged, counts);
}

function countsOf({ file, tables, chosen, conflicts, options }: Merged): ReadonlyMap<string, TableCount> {
  const found = new Map<string, TableCount>();
  const of = (name: string): TableCount => {
    const known = found.get(name) ?? { added: 0, removed: 0, changed: 0, conflicts: 0, chosen: 0, shown: [] };
    found.set(name, known);
    return known;
  };
  for (const { table, kind, state, count } of file.counts)
    if (state !== 'ask') of(tables.of(table).name)[KINDS[kind]] += count;
  for (const [name, count] of chosen) of(name).chosen += count;
  for (const conflict of conflicts) {
    const count = of(conflict.table.name);
    if (count.conflicts++ < options.limit) count.shown.push(conflict);
  }
  return found;
}

function asText({ taken, options }: Merged, counts: ReadonlyMap<string, TableCount>): string {
  const lines = taken.map((what) => `Taken from ${visibleLine(options.names[2])}: ${visibleLine(what)}`);
  let conflicts = 0;
  for (const [name, count] of counts) {
    lines.push(`Table ${visibleName(name)}`);
    for (const conflict of count.shown) lines.push(...conflictLines(conflict));
    const parts = (['added', 'removed', 'changed'] as const)
      .filter((kind) => count[kind] > 0)
      .map((kind) => `${count[kind].toLocaleString('en-US')} ${kind}`);
    if (count.conflicts > 0) parts.push(counted(count.conflicts, 'conflict'));
    if (count.chosen > 0) parts.push(`${counted(count.chosen, 'conflict')} decided by an option`);
    const left = count.conflicts - count.shown.length;
    lines.push(`  ${parts.join(', ')}${left > 0 ? ` (${counted(left, 'conflict')} not shown)` : ''}`);
    conflicts += count.conflicts;
  }
  if (conflicts > 0) lines.push(`${counted(conflicts, 'conflict')}, listed in the table ${CONFLICTS}.`);
  return lines.map((line) => `${line}\n`).join('');
}

function conflictLines(conflict: Conflict): readonly string[] {
  const { table, key, rows, places, message } = conflict;
  const shown = (row: Row): string => {
    if (row === null) return 'no row';
    const isWhole = rows.base === null || rows.ours === null || rows.theirs === null;
    const list = isWhole || places.size === 0 ? [...table.columns.keys()].slice(key.length) : [...places];
    return list.map((at) => `${visibleName(table.columns[at]!)}=${shownValue(row[at]!)}`).join(', ');
  };
  const named = key.map((value, at) => `${visibleName(table.columns[at]!)}=${shownValue(value)}`).join(', ');
  return [
    `  ! ${named === '' ? kindOf(conflict) : `${named}: ${kindOf(conflict)}`}`,
    ...(message === null ? [] : [`      ${visibleLine(message)}`]),
    `      base    ${shown(rows.base)}`,
    `      ours    ${shown(rows.ours)}`,
    `      theirs  ${shown(rows.theirs)}`,
  ];
}

function asJson({ taken, options, notes }: Merged, counts: ReadonlyMap<string, TableCount>): string {
  const all = [...counts];
  const conflicts = all.reduce((sum, [, count]) => sum + count.conflicts, 0);
  const [base, ours, theirs] = options.names;
  const head = JSON.stringify({ ok: true, command: 'merge', base, ours, theirs, schema: taken, notes, conflicts });
  const tables = all.map(([table, { shown, ...count }]) => {
    const rows = shown.map((conflict) => {
      const json = (row: Row): string => (row === null ? 'null' : jsonRow(conflict.table.columns, row));
      const { key, message, rows: three } = conflict;
      const about = JSON.stringify({ kind: kindOf(conflict), message });
      return `${about.slice(0, -1)},"key":${jsonRow(conflict.table.columns.slice(0, key.length), key)},"base":${json(three.base)},"ours":${json(three.ours)},"theirs":${json(three.theirs)}}`;
    });
    return `\n${JSON.stringify({ table, ...count }).slice(0, -1)},"rows":[${rows.join(',')}]}`;
  });
  return `${head.slice(0, -1)},"tables":[${tables.join(',')}]}\n`;
}

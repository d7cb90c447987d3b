// Rows as printed pages: read as CSV with the table's or result's own sort, filter, and selection, cut to the limits, which the pages state.
import { asStatement } from '#shared/ddl/definition-statement.ts';
import {
  MAX_PRINTED_CELL_CHARS,
  MAX_PRINTED_CELLS,
  MAX_PRINTED_COLUMNS,
  MAX_PRINTED_ROWS,
  MAX_PRINTED_TEXT_CHARS,
} from '#shared/printing.ts';
import type { PrintedPages } from '#shared/printing.ts';
import type { ExportSource, RowInterval, SchemaObject } from '#shared/protocol/index.ts';
import { cut, visibleLine, visibleLines, visibleName } from '#shared/visible-text.ts';
import { formatCount, plural } from '../../ui/format.ts';

/** Stands for NULL in the CSV: private characters, which nobody types. */
export const NULL_MARK = '\u{F0000}NULL\u{F0000}';

type RowSource = Extract<ExportSource, { readonly kind: 'table' | 'result' }>;

/** The source with at most one row more than is printed, which tells whether there are more. */
export function limited(source: RowSource): RowSource {
  if (source.rows === undefined) return { ...source, rows: [{ first: 0, last: MAX_PRINTED_ROWS }] };
  const rows = firstRows(source.rows, MAX_PRINTED_ROWS + 1);
  if (rows === source.rows) return source;
  // The keys at the ends belong to the whole range.
  const { corners: _corners, seen: _seen, ...rest } = source;
  return { ...rest, rows };
}

function firstRows(rows: readonly RowInterval[], count: number): readonly RowInterval[] {
  const kept: RowInterval[] = [];
  let left = count;
  for (const { first, last } of rows) {
    if (left <= 0) return kept;
    const size = last - first + 1;
    kept.push(size <= left ? { first, last } : { first, last: first + left - 1 });
    left -= size;
  }
  return left < 0 ? kept : rows;
}

interface Printed {
  readonly title: string;
  readonly about: readonly string[];
  /** Sentences about what was read, such as values that are not what they were. */
  readonly notes?: readonly string[];
}

const MAX_NOTES = 20;
const MAX_NOTE_CHARS = 1000;

/** @param csv the names of the columns, then the rows, as the export writes them */
export function rowPages(csv: string, { title, about, notes: told = [] }: Printed): PrintedPages {
  const [names = [], ...all] = readCsv(csv);
  const shownNames = names.slice(0, MAX_PRINTED_COLUMNS);
  let cutCells = 0;
  const printed = (value: string): string | null => {
    if (value === NULL_MARK) return null;
    if (value.length > MAX_PRINTED_CELL_CHARS) cutCells++;
    return visibleLines(cut(value, MAX_PRINTED_CELL_CHARS));
  };
  const rows: (string | null)[][] = [];
  let chars = 0;
  const mostRows = Math.min(MAX_PRINTED_ROWS, Math.floor(MAX_PRINTED_CELLS / Math.max(1, shownNames.length)));
  for (const values of all.slice(0, mostRows)) {
    const row = values.slice(0, MAX_PRINTED_COLUMNS).map(printed);
    chars += row.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    if (chars > MAX_PRINTED_TEXT_CHARS) break;
    rows.push(row);
  }
  const columns = shownNames.map((name, at) => ({
    name: visibleName(name),
    isNumeric: rows.length > 0 && rows.every((row) => row[at] == null || NUMBER.test(row[at])),
  }));
  const notes = [
    ...(all.length > rows.length
      ? [`Only the first ${formatCount(rows.length)} rows are printed; there are more.`]
      : []),
    ...(names.length > shownNames.length
      ? [`Only the first ${MAX_PRINTED_COLUMNS} of ${formatCount(names.length)} columns are printed.`]
      : []),
    ...(cutCells > 0
      ? [`Values longer than ${MAX_PRINTED_CELL_CHARS} characters end with “…”: ${formatCount(cutCells)}.`]
      : []),
    ...told.slice(0, MAX_NOTES).map((note) => visibleLine(cut(note, MAX_NOTE_CHARS))),
  ];
  const subtitle = [...about, plural(rows.length, 'row')].map(visibleName).join(' · ');
  return { title: visibleName(title), subtitle, notes, content: { kind: 'rows', columns, rows } };
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;

const KIND_ORDER = ['table', 'virtual', 'view', 'index', 'trigger'];

export function schemaPages(objects: readonly SchemaObject[], { title, about }: Printed): PrintedPages {
  const statements = KIND_ORDER.flatMap((kind) =>
    objects.flatMap((object) => (object.kind === kind && object.sql !== null ? [asStatement(object.sql)] : [])),
  );
  const whole = visibleLines(statements.join('\n\n'));
  const text = cut(whole, MAX_PRINTED_TEXT_CHARS - 1);
  return {
    title: visibleName(title),
    subtitle: [...about, plural(statements.length, 'object')].map(visibleName).join(' · '),
    notes: text === whole ? [] : ['The schema is too long: its end is not printed.'],
    content: { kind: 'text', text },
  };
}

/** Records of RFC 4180, in one pass. */
export function readCsv(csv: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < csv.length) {
    let value: string;
    if (csv[at] === '"') {
      const from = ++at;
      while (at < csv.length && (csv[at] !== '"' || csv[at + 1] === '"')) at += csv[at] === '"' ? 2 : 1;
      value = csv.slice(from, at).replaceAll('""', '"');
      at++;
    } else {
      const from = at;
      while (at < csv.length && csv[at] !== ',' && csv[at] !== '\n') at++;
      value = csv.slice(from, at);
    }
    record.push(value);
    if (csv[at] === ',' && at + 1 < csv.length) at++;
    else {
      if (csv[at] === ',') record.push('');
      records.push(record);
      record = [];
      at++;
    }
  }
  return records;
}

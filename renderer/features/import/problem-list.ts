// The rows that an import rejected, as corrected in the window, and as a CSV file.
import { placeWord, type ImportFormatId } from '#shared/import-formats.ts';
import type { ImportProblem, Value } from '#shared/protocol/index.ts';

/** Line or row, and reason, which are not part of the file. */
export const FIXED_COLUMNS = 2;

export class ProblemList {
  /** Columns as they are shown: line or row, reason, and the columns of the file. */
  readonly columns: readonly string[];
  readonly #problems: readonly ImportProblem[];
  readonly #records: string[][];

  /** @param lines of the file, for rows that were numbered from 1 when they were imported again */
  constructor(
    columns: readonly string[],
    problems: readonly ImportProblem[],
    { format, lines }: { readonly format: ImportFormatId; readonly lines: readonly number[] | null },
  ) {
    this.columns = [placeWord(format), 'Reason', ...columns];
    this.#problems = problems.map((problem) => ({ ...problem, line: lines?.[problem.line - 1] ?? problem.line }));
    this.#records = problems.map(({ fields }) => [...fields]);
  }

  get lines(): readonly number[] {
    return this.#problems.map(({ line }) => line);
  }

  /** Records with the user's corrections. Null: one that could not be split, whose text is still in its first cell. */
  get records(): readonly (readonly string[] | null)[] {
    return this.#records.map((record, row) => {
      const { isUnread, fields } = this.#problems[row]!;
      return isUnread && record[0] === fields[0] ? null : record;
    });
  }

  /** A row that is too short has no value for the last columns. */
  readonly valueAt = (row: number, column: number): Value => {
    const problem = this.#problems[row];
    if (!problem) return null;
    if (column === 0) return problem.line;
    return column === 1 ? problem.reason : (this.#records[row]?.[column - FIXED_COLUMNS] ?? null);
  };

  field(row: number, column: number): string {
    return this.#records[row]?.[column - FIXED_COLUMNS] ?? '';
  }

  edit(row: number, column: number, text: string): void {
    const record = this.#records[row];
    if (!record) return;
    while (record.length < column - FIXED_COLUMNS) record.push('');
    record[column - FIXED_COLUMNS] = text;
  }

  /** RFC 4180. */
  csv(): string {
    const lines = [
      this.columns,
      ...this.#problems.map(({ line, reason }, row) => [`${line}`, reason, ...this.#records[row]!]),
    ];
    return lines.map((fields) => `${fields.map(csvField).join(',')}\r\n`).join('');
  }
}

const csvField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

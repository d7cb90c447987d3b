// Records that were not imported: the first ones are kept for the user to view and correct, the others are counted.
import type { ImportProblem } from '#shared/protocol/import.ts';
import type { RecordProblem } from '../records/record-batch.ts';

const MAX_PROBLEMS = 10_000;
const MAX_CHARACTERS = 8_000_000;

export class ProblemLog {
  readonly #kept: ImportProblem[] = [];
  #count = 0;
  #characters = 0;

  get count(): number {
    return this.#count;
  }

  /** Sorted by line: a record that cannot be read is known before an earlier one is refused. */
  get kept(): readonly ImportProblem[] {
    return [...this.#kept].sort((a, b) => a.line - b.line);
  }

  /** @param fields called only when there is room for them */
  add(line: number, reason: string, fields: () => readonly string[]): void {
    if (this.#countOne()) this.#keep({ line, reason, fields: fields() });
  }

  /** A record that could not be split into fields. */
  addUnread({ line, reason, text, isLast }: RecordProblem): void {
    const told = isLast ? `${reason} What comes before is kept.` : reason;
    if (this.#countOne()) this.#keep({ line, reason: told, fields: [text], isUnread: true });
  }

  /** Returns whether there is room for it. */
  #countOne(): boolean {
    this.#count++;
    return this.#kept.length < MAX_PROBLEMS && this.#characters < MAX_CHARACTERS;
  }

  #keep(problem: ImportProblem): void {
    this.#characters += problem.reason.length + problem.fields.reduce((sum, { length }) => sum + length, 0);
    this.#kept.push(problem);
  }
}

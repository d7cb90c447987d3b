// Records that were not imported: the first of them are kept for people to look at and mend, the others are counted.
import type { ImportProblem } from '#shared/protocol/import.ts';

const MAX_PROBLEMS = 10_000;
const MAX_CHARACTERS = 8_000_000;

export class ProblemLog {
  readonly #kept: ImportProblem[] = [];
  #count = 0;
  #characters = 0;

  get count(): number {
    return this.#count;
  }

  /** In the order of the file: what cannot be read is known before what stands in front of it is refused. */
  get kept(): readonly ImportProblem[] {
    return [...this.#kept].sort((a, b) => a.line - b.line);
  }

  /** @param fields asked for only when there is room for them */
  add(line: number, reason: string, fields: () => readonly string[]): void {
    this.#count++;
    if (this.#kept.length >= MAX_PROBLEMS || this.#characters >= MAX_CHARACTERS) return;
    const problem = { line, reason, fields: fields() };
    this.#characters += reason.length + problem.fields.reduce((sum, { length }) => sum + length, 0);
    this.#kept.push(problem);
  }
}

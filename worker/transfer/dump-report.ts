// Report on a file of SQL: statements that could not be run, with their lines, and notes about the others.
import type { LeftStatement } from '#shared/protocol/transfer.ts';
import { asText } from '../import/sql/byte-text.ts';

const MAX_KEPT = 1000;
const SHOWN_CHARACTERS = 400;

export class DumpReport {
  readonly notUnderstood: LeftStatement[] = [];
  notUnderstoodCount = 0;
  /** How many statements of each group were not needed. */
  readonly #left = new Map<string, number>();
  readonly #notes: string[] = [];

  /** @param translated about changes that the translation made */
  notes(translated: readonly string[]): readonly string[] {
    const left = [...this.#left].map(
      ([group, count]) => `Not needed, so not run: ${group} (${count.toLocaleString('en-US')}).`,
    );
    return [...this.#notes, ...translated, ...left];
  }

  add(note: string): void {
    this.#notes.push(note);
  }

  leave(group: string): void {
    this.#left.set(group, (this.#left.get(group) ?? 0) + 1);
  }

  /** @param text made of bytes, as in the file */
  note(line: number, reason: string, text: string): void {
    this.noteDecoded(line, reason, asText(text.slice(0, SHOWN_CHARACTERS)), text.length > SHOWN_CHARACTERS);
  }

  /** @param text as SQLite was given it */
  noteDecoded(line: number, reason: string, text: string, isLonger = text.length > SHOWN_CHARACTERS): void {
    this.notUnderstoodCount++;
    if (this.notUnderstood.length >= MAX_KEPT) return;
    const shown = text.slice(0, SHOWN_CHARACTERS).trim();
    this.notUnderstood.push({ line, reason, text: isLonger ? `${shown}…` : shown });
  }
}

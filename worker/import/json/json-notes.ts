// Notices about JSON that was read without leaving anything out: each is given once, at its first occurrence.
import type { RecordNotice } from '../../records/record-batch.ts';

const SENTENCES = {
  doubledKeys: 'A key appears twice. The last value is kept, here and in all similar rows.',
  loneSurrogates:
    'A text holds half of a character (\\ud800 to \\udfff without its other half). It becomes �, here and in all rows like it.',
  brokenText:
    'Text is not valid UTF-8. Its bytes are kept as a BLOB, here and in all similar rows; another encoding may read them.',
  replaced:
    'A text has � (U+FFFD), which stands for bytes that are no character of the encoding, here or in rows like it. Choose another encoding if it is not that of the file.',
  lastComma: 'A comma comes after the last row, where JSON has none. Nothing is left out.',
} as const;

export class JsonNotes {
  readonly #seen = new Set<keyof typeof SENTENCES>();
  #notices: RecordNotice[] = [];

  note(kind: keyof typeof SENTENCES, line: number): void {
    if (this.#seen.has(kind)) return;
    this.#seen.add(kind);
    this.#notices.push({ line, text: SENTENCES[kind] });
  }

  take(): readonly RecordNotice[] {
    const notices = this.#notices;
    this.#notices = [];
    return notices;
  }
}

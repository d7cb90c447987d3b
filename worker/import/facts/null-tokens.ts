// Texts that mean NULL, recognized as bytes.

import { nullWords } from '#shared/import/null-tokens.ts';

export class NullTokens {
  readonly #tokens: readonly Uint8Array[];
  /** A bit for each length there is; 31 is that long or longer. */
  #lengths = 0;

  constructor(tokens: readonly string[]) {
    const encoder = new TextEncoder();
    this.#tokens = nullWords(tokens).map((token) => encoder.encode(token));
    for (const { length } of this.#tokens) this.#lengths |= 1 << Math.min(length, 31);
  }

  /** Quickly false for nearly all texts. */
  mayBe(length: number): boolean {
    return (this.#lengths & (1 << (length < 31 ? length : 31))) !== 0;
  }

  has(bytes: Uint8Array, start: number, end: number): boolean {
    for (const token of this.#tokens) if (token.length === end - start && isAt(bytes, start, token)) return true;
    return false;
  }
}

function isAt(bytes: Uint8Array, start: number, token: Uint8Array): boolean {
  for (let n = 0; n < token.length; n++) if (bytes[start + n] !== token[n]) return false;
  return true;
}

// Whether a word of SQL stands at a place of a text.

/** `word` is in lower case. */
export function isKeyword(units: Uint8Array | Uint16Array, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    if ((units[at + index]! | 0x20) !== word.charCodeAt(index)) return false;
  }
  return true;
}

// Cuts text to a width without measuring most of it: ASCII in a monospaced font is arithmetic, other widths are cached.

const ASCII = /^[\x20-\x7e]*$/;
const MAX_REMEMBERED = 4000;
const ELLIPSIS = '…';

interface FittedText {
  readonly text: string;
  readonly width: number;
}

export class TextFitter {
  readonly #measure: (text: string) => number;
  /** Width of one ASCII character, or null for a proportional font. */
  readonly #advance: number | null;
  readonly #ellipsisWidth: number;
  readonly #fitted = new Map<string, FittedText>();

  constructor(measure: (text: string) => number) {
    this.#measure = measure;
    this.#ellipsisWidth = measure(ELLIPSIS);
    const narrow = measure('iiiiiiiiii');
    this.#advance = Math.abs(narrow - measure('MMMMMMMMMM')) < 0.01 ? narrow / 10 : null;
  }

  /** `cut`: the value continues after `text`, so it ends in … in any case. */
  fit(text: string, width: number, cut = false): FittedText {
    if (this.#advance !== null && ASCII.test(text)) return this.#fitMonospaced(text, width, cut, this.#advance);
    const key = `${Math.round(width)}${cut ? '+' : '-'}${text}`;
    const known = this.#fitted.get(key);
    if (known) return known;
    const fitted = this.#search(text, width, cut);
    if (this.#fitted.size >= MAX_REMEMBERED) this.#fitted.clear();
    this.#fitted.set(key, fitted);
    return fitted;
  }

  width(text: string): number {
    return this.#advance !== null && ASCII.test(text) ? text.length * this.#advance : this.#measure(text);
  }

  #fitMonospaced(text: string, width: number, cut: boolean, advance: number): FittedText {
    const full = text.length * advance;
    if (full <= width && !cut) return { text, width: full };
    const kept = Math.min(text.length, Math.max(0, Math.floor((width - this.#ellipsisWidth) / advance)));
    return { text: text.slice(0, kept) + ELLIPSIS, width: kept * advance + this.#ellipsisWidth };
  }

  #search(text: string, width: number, cut: boolean): FittedText {
    const full = this.#measure(text);
    if (full <= width && !cut) return { text, width: full };
    let low = 0;
    let high = text.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#measure(text.slice(0, middle)) + this.#ellipsisWidth <= width) low = middle;
      else high = middle - 1;
    }
    // Never cut between the halves of a surrogate pair.
    if (low > 0 && text.charCodeAt(low - 1) >= 0xd800 && text.charCodeAt(low - 1) <= 0xdbff) low--;
    const kept = text.slice(0, low) + ELLIPSIS;
    return { text: kept, width: this.#measure(kept) };
  }
}

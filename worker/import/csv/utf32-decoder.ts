// Decodes UTF-32, which TextDecoder does not support.

/** The part of TextDecoder that is used. */
export interface Decoder {
  decode(bytes: Uint8Array, options: { readonly stream: boolean }): string;
}

/** Leaves out the byte order mark; anything that is not a character becomes U+FFFD, once for bytes that are missing at the end. */
export class Utf32Decoder implements Decoder {
  readonly #isBigEndian: boolean;
  #left: number[] = [];
  #isFirst = true;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  decode(bytes: Uint8Array, { stream }: { readonly stream: boolean }): string {
    const all = new Uint8Array(this.#left.length + bytes.length);
    all.set(this.#left);
    all.set(bytes, this.#left.length);
    const whole = all.length - (all.length % 4);
    this.#left = [...all.subarray(whole)];
    const view = new DataView(all.buffer);
    let text = '';
    for (let at = 0; at < whole; at += 4) {
      const point = view.getUint32(at, !this.#isBigEndian);
      if (this.#isFirst && point === 0xfeff) {
        this.#isFirst = false;
        continue;
      }
      this.#isFirst = false;
      text += point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? '\ufffd' : String.fromCodePoint(point);
    }
    if (stream || this.#left.length === 0) return text;
    this.#left = [];
    return `${text}\ufffd`;
  }
}

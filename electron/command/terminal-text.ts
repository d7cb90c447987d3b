// What a terminal would take for a command to itself, such as clearing the screen, typing a line, or writing over one, made visible.

const [TAB, LINE_FEED, RETURN, DELETE] = [0x09, 0x0a, 0x0d, 0x7f];
/** The first of two bytes of the control characters U+0080 to U+009F in UTF-8. */
const HIGH = 0xc2;
/** The first of three bytes of the characters that reverse the order of others: U+202A to U+202E, and U+2066 to U+2069. */
const WIDE = 0xe2;
/** U+FFFD. */
const REPLACEMENT = [0xef, 0xbf, 0xbd];

/** Makes control characters of a stream of UTF-8 visible: ESC becomes “␛”. Tabs and the ends of lines stay. */
export class TerminalText {
  /** The last bytes so far, whose meaning is told by the next one. */
  #rest: readonly number[] = [];

  visible(bytes: Uint8Array): Uint8Array {
    const all = this.#rest.length === 0 ? bytes : Uint8Array.from([...this.#rest, ...bytes]);
    this.#rest = [];
    const out: number[] = [];
    for (let at = 0; at < all.length;) {
      const length = lengthAt(all, at);
      if (at + length > all.length) {
        this.#rest = [...all.subarray(at)];
        break;
      }
      push(out, all.subarray(at, at + length));
      at += length;
    }
    return Uint8Array.from(out);
  }
}

/** How many bytes are looked at together. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const [first, second] = [bytes[at], bytes[at + 1]];
  if (first === WIDE && (second === undefined || second === 0x80 || second === 0x81)) return 3;
  if (first === HIGH && (second === undefined || (second >= 0x80 && second < 0xc0))) return 2;
  return first === RETURN && (second === undefined || second === LINE_FEED) ? 2 : 1;
}

function push(out: number[], bytes: Uint8Array): void {
  const [first = 0, second = 0, third = 0] = bytes;
  const isReversing =
    bytes.length === 3 && (second === 0x80 ? third >= 0xaa && third <= 0xae : third >= 0xa6 && third <= 0xa9);
  if (isReversing || (bytes.length === 2 && first === HIGH && second < 0xa0)) out.push(...REPLACEMENT);
  else if (bytes.length > 1) out.push(...bytes);
  else if (first === DELETE) out.push(0xe2, 0x90, 0xa1);
  else if (first < 0x20 && first !== TAB && first !== LINE_FEED) out.push(0xe2, 0x90, 0x80 + first);
  else out.push(first);
}

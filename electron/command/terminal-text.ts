// What a terminal would take for a command to itself, such as clearing the screen or typing a line, made visible.

const [TAB, LINE_FEED, RETURN, DELETE] = [0x09, 0x0a, 0x0d, 0x7f];
/** The first of two bytes of the control characters U+0080 to U+009F in UTF-8. */
const HIGH = 0xc2;
/** U+FFFD. */
const REPLACEMENT = [0xef, 0xbf, 0xbd];

/** Makes control characters of a stream of UTF-8 visible: ESC becomes “␛”. Tabs and the ends of lines stay. */
export class TerminalText {
  /** The last byte so far was {@link HIGH}: what it means is told by the next one. */
  #isHigh = false;

  visible(bytes: Uint8Array): Uint8Array {
    const out: number[] = [];
    for (const byte of bytes) {
      if (this.#isHigh) {
        this.#isHigh = false;
        if (byte >= 0x80 && byte < 0xa0) {
          out.push(...REPLACEMENT);
          continue;
        }
        out.push(HIGH);
      }
      if (byte === HIGH) this.#isHigh = true;
      else if (byte === DELETE) out.push(0xe2, 0x90, 0xa1);
      else if (byte < 0x20 && byte !== TAB && byte !== LINE_FEED && byte !== RETURN) out.push(0xe2, 0x90, 0x80 + byte);
      else out.push(byte);
    }
    return Uint8Array.from(out);
  }
}

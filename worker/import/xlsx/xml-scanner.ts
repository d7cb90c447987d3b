// Scans the XML of a workbook as bytes of UTF-8, in bounded memory: no document makes it keep more than a few megabytes. XML that is not
// well formed is refused where elements, attributes or references cannot be told; names and characters are not judged further.
import { keepShape } from '#shared/keep-shape.ts';
import { damagedXml, resolved } from './xml-text.ts';

/** Called in order; `bytes` is valid only during the call. Names come without their prefix: the namespaces of a workbook do not overlap. */
export interface XmlListener {
  /** An element begins. The end of an empty one is reported right after. */
  open(tag: XmlTag): void;
  /** @param name its place among the names the scanner knows; -1: an unknown one */
  close(name: number): void;
  /** @param isPlain the text is used as written: no references, no line ends to be changed */
  text(bytes: Uint8Array, start: number, end: number, isPlain: boolean): void;
}

export interface XmlTag {
  /** Same as in {@link XmlListener.close}. */
  readonly name: number;
  readonly bytes: Uint8Array;
  /** Finds an attribute by its name as written. `start` and `end` then enclose its value, with references not resolved. */
  find(attribute: string): boolean;
  readonly start: number;
  readonly end: number;
  /** The name without prefix, and all attributes: for small documents. */
  localName(): string;
  attributes(): Readonly<Record<string, string>>;
}

/** Excel allows 32,767 characters in a cell; formulas and rich text take more. */
const MAX_TOKEN_BYTES = 16 << 20;
/** Up to so many bytes, a loop is faster than a call out of JavaScript. */
const SHORT_TEXT = 64;
const MAX_DEPTH = 256;
const MAX_ATTRIBUTES = 256;
const [TAB, LF, CR, SPACE, BANG, QUOTE, AMP, APOSTROPHE, SLASH, COLON, LESS, EQUALS, GREATER, QUESTION, OPEN, CLOSE] = [
  9, 10, 13, 32, 33, 34, 38, 39, 47, 58, 60, 61, 62, 63, 91, 93,
];

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const ENDS_NAME = new Uint8Array(256);
for (const byte of [TAB, LF, CR, SPACE, SLASH, GREATER, EQUALS, LESS, QUOTE, APOSTROPHE, AMP]) ENDS_NAME[byte] = 1;
const isSpace = (byte: number): boolean => byte === SPACE || byte === LF || byte === TAB || byte === CR;

export class XmlScanner implements XmlTag {
  readonly #listener: XmlListener;
  readonly #names: readonly Uint8Array[];
  readonly #attributeNames = new Map<string, Uint8Array>();
  #decoder: TextDecoder | null = null;
  #isBegun = false;
  bytes = new Uint8Array(1 << 17);
  /** Tags, comments, and other markup so far, which is what scanning takes time for. An empty element counts for two tags. */
  marks = 0;
  #filled = 0;
  #at = 0;
  /** Bytes needed before a token without an end is scanned again, so that it is scanned only a few times, however long it is. */
  #wanted = 0;
  /** Hash of the name as written of each open element, and the position of the name without its prefix. */
  readonly #hashes = new Int32Array(MAX_DEPTH);
  readonly #places = new Int16Array(MAX_DEPTH);
  #depth = 0;
  #hasRoot = false;
  #isPaused = false;
  #nameStart = 0;
  #nameEnd = 0;
  #hash = 0;
  /** Start and end of each attribute's name and value in the tag. */
  readonly #attributes = new Int32Array(MAX_ATTRIBUTES * 4);
  #attributeCount = 0;
  name = -1;
  start = 0;
  end = 0;

  /** @param names of elements that the listener knows by their place in this list */
  constructor(listener: XmlListener, names: readonly string[]) {
    this.#listener = listener;
    this.#names = names.map((name) => encoder.encode(name));
  }

  /** After `pause`, until the next bytes or the end. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Called by the listener: what follows waits for the next `write`, of no bytes if there are none yet, or `finish`. */
  pause(): void {
    this.#isPaused = true;
  }

  /** @throws AppError `invalid` where it is not XML. */
  write(bytes: Uint8Array): void {
    if (!this.#isBegun && bytes.length > 1) this.#begin(bytes);
    if (bytes.length > 0)
      this.#append(this.#decoder === null ? bytes : encoder.encode(this.#decoder.decode(bytes, { stream: true })));
    if (this.#filled - this.#at >= this.#wanted) this.#scan();
  }

  /** @throws AppError `invalid` where the document is not closed. */
  finish(): void {
    this.#scan();
    if (this.#isPaused) return;
    this.#endText(this.#at, this.#filled);
    if (this.#depth > 0 || !this.#hasRoot) throw damagedXml('it ends before its elements do');
  }

  find(attribute: string): boolean {
    let name = this.#attributeNames.get(attribute);
    if (!name) this.#attributeNames.set(attribute, (name = encoder.encode(attribute)));
    const { bytes } = this;
    const places = this.#attributes;
    for (let at = 0; at < this.#attributeCount * 4; at += 4) {
      if (!matches(bytes, places[at]!, places[at + 1]!, name)) continue;
      this.start = places[at + 2]!;
      this.end = places[at + 3]!;
      return true;
    }
    return false;
  }

  localName(): string {
    return decoder.decode(this.bytes.subarray(this.#nameStart, this.#nameEnd));
  }

  attributes(): Readonly<Record<string, string>> {
    const all: Record<string, string> = {};
    const places = this.#attributes;
    for (let at = 0; at < this.#attributeCount * 4; at += 4) {
      const name = decoder.decode(this.bytes.subarray(places[at], places[at + 1]));
      const value = decoder.decode(this.bytes.subarray(places[at + 2], places[at + 3]));
      all[name] = resolved(value.replace(/\r\n|[\r\n\t]/g, ' '));
    }
    return all;
  }

  /** XML is UTF-8 or UTF-16 unless it says otherwise (section 4.3.3), and no writer of workbooks does. */
  #begin(bytes: Uint8Array): void {
    this.#isBegun = true;
    if (bytes[0] === 0xff && bytes[1] === 0xfe) this.#decoder = new TextDecoder('utf-16le');
    else if (bytes[0] === 0xfe && bytes[1] === 0xff) this.#decoder = new TextDecoder('utf-16be');
  }

  /** A long token is moved only as often as its memory doubles. */
  #append(more: Uint8Array): void {
    if (this.#filled + more.length + 1 > this.bytes.length) {
      const left = this.#filled - this.#at;
      if ((left + more.length) * 2 > this.bytes.length) {
        const larger = new Uint8Array((left + more.length) * 2);
        larger.set(this.bytes.subarray(this.#at, this.#filled));
        this.bytes = larger;
      } else this.bytes.copyWithin(0, this.#at, this.#filled);
      this.#at = 0;
      this.#filled = left;
    }
    this.bytes.set(more, this.#filled);
    this.#filled += more.length;
  }

  #scan(): void {
    const { bytes } = this;
    const filled = this.#filled;
    // Whatever looks for the end of a text stops here.
    bytes[filled] = LESS;
    this.#isPaused = false;
    for (;;) {
      const from = this.#at;
      const near = Math.min(filled, from + SHORT_TEXT);
      let at = from;
      let isPlain = true;
      let byte = bytes[at]!;
      while (byte !== LESS && at < near) {
        if (byte === AMP || byte === CR) isPlain = false;
        byte = bytes[++at]!;
      }
      if (byte !== LESS) {
        at = bytes.indexOf(LESS, near);
        const rest = bytes.subarray(near, at);
        isPlain &&= !rest.includes(AMP) && !rest.includes(CR);
      }
      if (at >= filled) break;
      const end = this.#endOfMarkup(at);
      if (end < 0) break;
      if (at > from) this.#tell(from, at, isPlain);
      this.#at = end;
      this.#mark(at, end);
      if (this.#isPaused) {
        this.#wanted = 0;
        return;
      }
    }
    const left = filled - this.#at;
    if (left > MAX_TOKEN_BYTES) throw damagedXml('a single text is longer than 16 million characters');
    this.#wanted = left > 1 << 16 ? left * 2 : 0;
  }

  /** Returns the position after the markup that begins with `<`; -1 where its end has not arrived yet. */
  #endOfMarkup(at: number): number {
    const { bytes } = this;
    const filled = this.#filled;
    const next = bytes[at + 1];
    if (at + 1 >= filled) return -1;
    if (next === QUESTION) return this.#behind('?>', at + 2);
    if (next === BANG) {
      if (at + 9 > filled) return -1;
      if (bytes[at + 2] === OPEN) return this.#behind(']]>', at + 9);
      return bytes[at + 2] === 0x2d ? this.#behind('-->', at + 4) : this.#behindDeclaration(at + 2);
    }
    let quote = 0;
    for (let end = at + 1; end < filled; end++) {
      const byte = bytes[end]!;
      if (quote !== 0) {
        if (byte === quote) quote = 0;
      } else if (byte === GREATER) return end + 1;
      else if (byte === QUOTE || byte === APOSTROPHE) quote = byte;
    }
    return -1;
  }

  #behind(text: string, from: number): number {
    const { bytes } = this;
    const last = text.length - 1;
    const first = text.charCodeAt(0);
    for (let at = from, to = this.#filled - last; at < to; at++) {
      if (bytes[at] !== first) continue;
      let n = 1;
      while (n <= last && bytes[at + n] === text.charCodeAt(n)) n++;
      if (n > last) return at + n;
    }
    return -1;
  }

  /** A document type, with its declarations in brackets, is not part of a workbook and is skipped. */
  #behindDeclaration(from: number): number {
    let depth = 0;
    let quote = 0;
    for (let at = from; at < this.#filled; at++) {
      const byte = this.bytes[at]!;
      if (quote !== 0) {
        if (byte === quote) quote = 0;
      } else if (byte === QUOTE || byte === APOSTROPHE) quote = byte;
      else if (byte === OPEN) depth++;
      else if (byte === CLOSE) depth--;
      else if (byte === GREATER && depth <= 0) return at + 1;
    }
    return -1;
  }

  /** Complete markup from its `<` on. */
  #mark(at: number, end: number): void {
    this.marks++;
    const next = this.bytes[at + 1]!;
    if (next === SLASH) return this.#closeTag(at + 2, end - 1);
    if (next === QUESTION) return;
    if (next !== BANG) return this.#openTag(at + 1, end - 1);
    if (this.bytes[at + 2] !== OPEN) return;
    if (!matches(this.bytes, at + 2, at + 9, CDATA)) throw damagedXml('it has markup that is none');
    if (this.#depth === 0) throw damagedXml('there is text outside of its root element');
    if (end - 3 > at + 9) this.#listener.text(this.bytes, at + 9, end - 3, true);
  }

  #openTag(from: number, to: number): void {
    const isEmpty = this.bytes[to - 1] === SLASH;
    let at = this.#readName(from, isEmpty ? to - 1 : to);
    at = this.#readAttributes(at, isEmpty ? to - 1 : to);
    if (this.#depth === 0 && this.#hasRoot) throw damagedXml('it has more than one root element');
    this.#hasRoot = true;
    if (this.#depth === MAX_DEPTH) throw damagedXml(`elements are nested deeper than ${MAX_DEPTH} levels`);
    this.name = this.#placeOf();
    const { name } = this;
    this.#hashes[this.#depth] = this.#hash;
    this.#places[this.#depth++] = name;
    this.#listener.open(this);
    if (!isEmpty) return;
    this.marks++;
    this.#depth--;
    this.#listener.close(name);
  }

  #closeTag(from: number, to: number): void {
    let at = this.#readName(from, to);
    while (at < to && isSpace(this.bytes[at]!)) at++;
    if (at < to || this.#depth === 0 || this.#hashes[this.#depth - 1] !== this.#hash)
      throw damagedXml('an element is closed that is not open');
    this.#listener.close(this.#places[--this.#depth]!);
  }

  #readName(from: number, to: number): number {
    const { bytes } = this;
    let hash = 0;
    let at = from;
    let start = from;
    for (; at < to && ENDS_NAME[bytes[at]!] === 0; at++) {
      hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
      if (bytes[at] === COLON) start = at + 1;
    }
    if (at === from) throw damagedXml('an element has no name');
    this.#nameStart = start;
    this.#nameEnd = at;
    this.#hash = hash;
    return at;
  }

  #placeOf(): number {
    for (let place = 0; place < this.#names.length; place++)
      if (matches(this.bytes, this.#nameStart, this.#nameEnd, this.#names[place]!)) return place;
    return -1;
  }

  #readAttributes(from: number, to: number): number {
    const { bytes } = this;
    const places = this.#attributes;
    this.#attributeCount = 0;
    let at = from;
    for (;;) {
      const before = at;
      while (at < to && isSpace(bytes[at]!)) at++;
      if (at >= to) return at;
      const start = at;
      while (at < to && ENDS_NAME[bytes[at]!] === 0) at++;
      const nameEnd = at;
      while (at < to && isSpace(bytes[at]!)) at++;
      const isNamed = nameEnd > start && before < start && bytes[at] === EQUALS;
      if (isNamed) at++;
      while (at < to && isSpace(bytes[at]!)) at++;
      const quote = bytes[at]!;
      const isQuoted = quote === QUOTE || quote === APOSTROPHE;
      let end = at + 1;
      while (isQuoted && end < to && bytes[end] !== quote && bytes[end] !== LESS) end++;
      if (!isNamed || !isQuoted || end >= to || bytes[end] !== quote || this.#attributeCount === MAX_ATTRIBUTES)
        throw damagedXml('an attribute cannot be read');
      const place = this.#attributeCount++ * 4;
      places[place] = start;
      places[place + 1] = nameEnd;
      places[place + 2] = at + 1;
      places[place + 3] = end;
      at = end + 1;
    }
  }

  #tell(from: number, to: number, isPlain: boolean): void {
    if (this.#depth > 0) this.#listener.text(this.bytes, from, to, isPlain);
    else this.#endText(from, to);
  }

  /** Outside of the root there may be white space, and a byte order mark before everything else. */
  #endText(from: number, to: number): void {
    let at = from;
    if (!this.#hasRoot && matches(this.bytes, at, at + 3, BOM)) at += 3;
    for (; at < to; at++) if (!isSpace(this.bytes[at]!)) throw damagedXml('there is text outside of its root element');
  }
}

const CDATA = encoder.encode('[CDATA[');
const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);

function matches(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let n = 0; n < name.length; n++) if (bytes[start + n] !== name[n]) return false;
  return true;
}

keepShape(new XmlScanner({ open() {}, close() {}, text() {} }, []));

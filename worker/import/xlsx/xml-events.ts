// The XML of a workbook as events, bounded: no document of theirs makes it keep more than a few megabytes.
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { AppError } from '#shared/protocol/errors.ts';
import type { ZipStream } from './zip-stream.ts';

/** Names come without their prefix: the namespaces of a workbook do not overlap. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
}

/** Excel allows 32,767 characters in a cell; formulas and rich text take more. */
const MAX_SILENT_CHARS = 16 << 20;
const MAX_DEPTH = 256;

export class XmlEvents {
  readonly #parser = new SaxesParser({ xmlns: false, position: false });
  #decoder: TextDecoder | null = null;
  #depth = 0;
  /** Characters since the last event: text and attributes are kept until they end. */
  #silent = 0;

  constructor(listener: XmlListener) {
    const parser = this.#parser;
    parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
      this.#silent = 0;
      if (++this.#depth > MAX_DEPTH) throw damagedXml(`elements are nested deeper than ${MAX_DEPTH} levels`);
      listener.open(local(name), attributes);
    });
    parser.on('closetag', ({ name }: SaxesTagPlain) => {
      this.#silent = 0;
      this.#depth--;
      listener.close(local(name));
    });
    parser.on('text', (text) => {
      this.#silent = 0;
      listener.text(text);
    });
    parser.on('cdata', (text) => listener.text(text));
    parser.on('error', ({ message }) => {
      throw damagedXml(message);
    });
  }

  /** @throws AppError `invalid` where it is no XML. */
  write(bytes: Uint8Array): void {
    this.#decoder ??= new TextDecoder(encodingOf(bytes));
    this.#feed(this.#decoder.decode(bytes, { stream: true }));
  }

  /** @throws AppError `invalid` where the document is not closed. */
  end(): void {
    this.#feed(this.#decoder?.decode() ?? '');
    this.#parser.close();
  }

  #feed(text: string): void {
    this.#silent += text.length;
    this.#parser.write(text);
    if (this.#silent > MAX_SILENT_CHARS) throw damagedXml('a single text is longer than 16 million characters');
  }
}

/** All of a small document. */
export async function readXml(stream: ZipStream, listener: XmlListener): Promise<void> {
  const events = new XmlEvents(listener);
  for (let bytes = await stream.next(); bytes !== null; bytes = await stream.next()) events.write(bytes);
  events.end();
}

const local = (name: string): string => {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
};

/** XML is UTF-8 or UTF-16 unless it says otherwise (section 4.3.3), and no writer of workbooks does. */
const encodingOf = (bytes: Uint8Array): string =>
  bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';

const damagedXml = (why: string): AppError =>
  new AppError({ code: 'invalid', message: `The workbook is damaged: its XML cannot be read (${why.slice(0, 200)}).` });

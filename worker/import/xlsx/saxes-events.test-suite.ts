// The events of a document from the package saxes, with which the scanner is compared.
import { SaxesParser, type SaxesTagPlain } from 'saxes';

export type XmlEvent =
  | { readonly open: string; readonly attributes: Readonly<Record<string, string>> }
  | { readonly text: string }
  | { readonly close: string };

export class EventList {
  readonly events: XmlEvent[] = [];
  readonly #open: string[] = [];

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#open.push(name);
    this.events.push({ open: name, attributes: { ...attributes } });
  }

  close(): void {
    this.events.push({ close: this.#open.pop()! });
  }

  /** Pieces that follow each other are one text. */
  text(text: string): void {
    const last = this.events.at(-1);
    if (this.#open.length === 0 || text === '') return;
    if (last && 'text' in last) this.events[this.events.length - 1] = { text: last.text + text };
    else this.events.push({ text });
  }
}

/** Null where it is not well formed. */
export function saxesEvents(document: Uint8Array): readonly XmlEvent[] | null {
  const list = new EventList();
  const parser = new SaxesParser({ xmlns: false, position: false });
  const local = (name: string): string => name.slice(name.lastIndexOf(':') + 1);
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => list.open(local(name), attributes));
  parser.on('closetag', () => list.close());
  parser.on('text', (text) => list.text(text));
  parser.on('cdata', (text) => list.text(text));
  parser.on('error', (error) => {
    throw error;
  });
  try {
    parser.write(new TextDecoder().decode(document)).close();
    return list.events;
  } catch {
    return null;
  }
}

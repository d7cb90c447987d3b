// Events of a scanner of XML, and their listener.

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

// The small documents of a workbook, element by element as strings.
import { XmlScanner } from './xml-scanner.ts';
import { type XmlTag } from './xml-events.ts';
import type { ZipStream } from './zip-stream.ts';

/** @param attributes made only where they are asked for: most elements of these parts say nothing that is needed */
export type OnOpen = (name: string, attributes: () => Readonly<Record<string, string>>) => void;

/** Reads the whole part. @param names of the elements that are told @throws AppError `invalid` */
export async function readSmallPart(stream: ZipStream, names: readonly string[], open: OnOpen): Promise<void> {
  const tell = (tag: XmlTag): void => {
    const name = names[tag.name];
    if (name !== undefined) open(name, () => tag.attributes());
  };
  const scanner = new XmlScanner({ open: tell, close: () => undefined, text: () => undefined }, names);
  for (let bytes = await stream.next(); bytes !== null; bytes = await stream.next()) scanner.write(bytes);
  scanner.finish();
}

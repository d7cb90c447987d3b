// The small documents of a workbook, element by element as strings.
import { XmlScanner } from './xml-scanner.ts';
import { type XmlTag } from './xml-events.ts';
import type { ZipStream } from './zip-stream.ts';

export type OnOpen = (name: string, attributes: Readonly<Record<string, string>>) => void;

/** Reads the whole part. @throws AppError `invalid` */
export async function readSmallPart(stream: ZipStream, open: OnOpen): Promise<void> {
  const tell = (tag: XmlTag): void => open(tag.localName(), tag.attributes());
  const scanner = new XmlScanner({ open: tell, close: () => undefined, text: () => undefined }, []);
  for (let bytes = await stream.next(); bytes !== null; bytes = await stream.next()) scanner.write(bytes);
  scanner.finish();
}

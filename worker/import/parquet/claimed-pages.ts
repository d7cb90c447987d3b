// What the pages of a column claim to hold, from their headers alone.
import { parquetHeader } from 'hyparquet/src/column.js';
import type { AsyncBuffer } from 'hyparquet/src/types.js';

/** Headers have some dozens of bytes, and the least and the largest value of their page. */
const HEADER_BYTES = 1 << 12;

export interface ClaimedPage {
  readonly values: number;
  readonly bytes: number;
}

/** @param end of the column in the file @throws Error where a header cannot be read */
export async function* claimedPages(file: AsyncBuffer, start: number, end: number): AsyncGenerator<ClaimedPage, void> {
  // As the decoder does: a page has more than a byte.
  for (let at = start; at < end - 1;) {
    const header = await headerAt(file, at, end);
    const { data_page_header: old, data_page_header_v2: page, dictionary_page_header: dictionary } = header.page;
    const values = (old ?? page ?? dictionary)?.num_values ?? 0;
    const { compressed_page_size: size, uncompressed_page_size: bytes } = header.page;
    if (!(size >= 0 && bytes >= 0 && values >= 0)) throw new Error('a page claims less than nothing');
    yield { values, bytes };
    at += header.length + size;
  }
}

async function headerAt(file: AsyncBuffer, at: number, end: number) {
  for (let wanted = HEADER_BYTES; ; wanted *= 8) {
    const until = Math.min(end, at + wanted);
    const reader = { view: new DataView(await file.slice(at, until)), offset: 0 };
    try {
      return { page: parquetHeader(reader), length: reader.offset };
    } catch (error) {
      if (until === end || wanted > 1 << 20) throw error;
    }
  }
}

// A column as shown to identify a row: short, and without blobs.
import { quoteName } from '../sql/quote.ts';

const SHOWN_LENGTH = 200;

export function shownSql(column: string): string {
  const name = quoteName(column);
  return `CASE typeof(${name}) WHEN 'blob' THEN NULL WHEN 'text' THEN substr(${name}, 1, ${SHOWN_LENGTH}) ELSE ${name} END`;
}

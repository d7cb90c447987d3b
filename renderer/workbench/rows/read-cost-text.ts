// Describes the cost of reading whole tables of a server, in a sentence.
import { WHOLE_TABLE_ROWS } from '#shared/protocol/rows.ts';
import { visibleName } from '#shared/visible-text.ts';
import { formatCount } from '../../ui/format.ts';

export interface KnownCost {
  readonly rows: number | null;
  readonly isLimit: boolean;
}

/** Empty for few rows. @param server its name, where there are several */
export function readCostText({ rows, isLimit }: KnownCost, server: string | null = null): string {
  const who = server === null ? 'The server' : `“${visibleName(server)}”`;
  if (rows === null) return `${who} reads all rows.`;
  if (rows <= WHOLE_TABLE_ROWS) return '';
  return `${who} reads ${isLimit ? 'up to' : 'about'} ${formatCount(rows)} rows.`;
}

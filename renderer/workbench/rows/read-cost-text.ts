// What reading whole tables of a server costs, in a sentence.
import { WHOLE_TABLE_ROWS } from '#shared/protocol/rows.ts';
import { formatCount } from '../../ui/format.ts';

interface KnownCost {
  readonly rows: number | null;
  readonly isLimit: boolean;
}

/** Empty for few rows. */
export function readCostText({ rows, isLimit }: KnownCost): string {
  if (rows === null) return 'The server reads all rows.';
  if (rows <= WHOLE_TABLE_ROWS) return '';
  return `The server reads ${isLimit ? 'up to' : 'about'} ${formatCount(rows)} rows.`;
}

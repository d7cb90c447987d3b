// What the card of a column says about its values: what was counted, and what the type makes of it.
import { affinityOf } from '#shared/ddl/affinity.ts';
import type { ColumnFacts } from '#shared/protocol/index.ts';
import type { ColumnChoice } from '#shared/import/column-choices.ts';
import type { ShownColumn } from './shown-column.ts';

export interface ColumnReason {
  readonly text: string;
  readonly isWarning: boolean;
}

const plain = (text: string): ColumnReason => ({ text, isWarning: false });

/** @param declared type of the column of an existing table; undefined: the table is new */
export function columnReason(
  { choice, facts }: Pick<ShownColumn, 'choice' | 'facts'>,
  declared: string | undefined,
  isCounting: boolean,
): ColumnReason {
  if (choice.isAdded) return plain(sourceOf(choice));
  if (!facts) return plain(isCounting ? 'Reading the whole file…' : '');
  // Nothing is said about a type that the expression may not lead to.
  if (choice.expression !== '') return plain(facts.content);
  if (declared === undefined) return plain(facts.reason);
  const isOfNumbers = ['INTEGER', 'REAL', 'NUMERIC'].includes(affinityOf(declared, true));
  return isOfNumbers && facts.suggested === 'TEXT' && holdsOthers(facts)
    ? { text: `${facts.content}. Not all of them are stored as ${declared}.`, isWarning: true }
    : plain(facts.content);
}

/** Whether there is anything that a number would not give back. */
function holdsOthers(facts: ColumnFacts): boolean {
  const { leadingZeros, plusSigns, beyond64, hex, inexactReals, booleans, texts, json, blobs, quotedEmpty } = facts;
  const kinds = Object.keys(facts.dates).length + Object.keys(facts.thousands).length;
  const numbers = leadingZeros + plusSigns + beyond64 + hex + inexactReals;
  return numbers + booleans + texts + json + blobs + quotedEmpty + kinds > 0;
}

/** Source of the values of an added column, since it has no cells. */
const sourceOf = ({ expression, defaultSql }: ColumnChoice): string =>
  expression !== '' ? `= ${expression}` : `Not in the file: ${defaultSql === '' ? 'NULL' : 'its default'}`;

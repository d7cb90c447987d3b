// A text to find in cells, with its two switches: as a condition of a filter, and remembered for the next time, in any window.
import * as v from 'valibot';
import type { CellCondition } from '#shared/cell-test.ts';
import { flag, forgiving } from '#shared/stored.ts';
import { remember, remembered } from '../../state/remembered.ts';

export interface TextSwitches {
  /** Otherwise A to Z equal a to z, as in LIKE; other letters, such as É and é, always differ. */
  readonly matchCase: boolean;
  /** The text is all of the cell, not a part of it. */
  readonly isWholeCell: boolean;
}

export interface TextSearch extends TextSwitches {
  readonly text: string;
}

/** What finds the text in a cell, in SQL as well as in loaded rows. Numbers are the texts that SQLite makes of them. */
export function conditionOf({ text, matchCase, isWholeCell }: TextSearch): CellCondition {
  // LIKE has no sets, so a text with % or _ could not be looked for alone.
  if (!matchCase && !isWholeCell) return { operator: 'contains', value: text };
  const literal = text.replace(/[*?[a-z]/gi, (character) => globSet(character, matchCase));
  return { operator: 'glob', value: isWholeCell ? literal : `*${literal}*` };
}

const globSet = (character: string, matchCase: boolean): string => {
  if (/[*?[]/.test(character)) return `[${character}]`;
  return matchCase ? character : `[${character.toLowerCase()}${character.toUpperCase()}]`;
};

const KEY = 'sidelite.find';
const STORED = forgiving({ matchCase: flag(false), isWholeCell: flag(false) });

export const rememberedSwitches = (): TextSwitches => v.parse(STORED, remembered(KEY));

/** If there is no room to store them, the next search begins with the defaults. */
export const rememberSwitches = ({ matchCase, isWholeCell }: TextSwitches): boolean =>
  remember(KEY, { matchCase, isWholeCell });

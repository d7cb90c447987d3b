// What stands for NULL in a file: words, and two tokens for cells that are empty.

/** Stands for a cell with nothing in it, not even quotes. */
export const EMPTY = '';
/** Stands for a cell that is a pair of quotes. */
export const QUOTED_EMPTY = '""';

/** Tokens without those for empty cells. */
export const nullWords = (tokens: readonly string[]): readonly string[] =>
  tokens.filter((token) => token !== EMPTY && token !== QUOTED_EMPTY);

/** The tokens with one of those for empty cells, or without it. */
export const withEmpty = (
  tokens: readonly string[],
  which: typeof EMPTY | typeof QUOTED_EMPTY,
  isNull: boolean,
): readonly string[] => [...(isNull ? [which] : []), ...tokens.filter((token) => token !== which)];

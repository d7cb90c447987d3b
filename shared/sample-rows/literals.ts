// Values as people type them: numbers, and texts, which need quotes only where they would be read as something else.

/** `12` is a number, `'12'` and `twelve` are texts. */
export function valueText(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return /^$|^\s|\s$|[,']/.test(value) || isNumber(value) ? `'${value.replaceAll("'", "''")}'` : value;
}

export function parseValue(text: string): string | number {
  const trimmed = text.trim();
  if (isNumber(trimmed)) return Number(trimmed);
  if (trimmed.length > 1 && trimmed.startsWith("'") && trimmed.endsWith("'"))
    return trimmed.slice(1, -1).replaceAll("''", "'");
  return trimmed;
}

export const listText = (values: readonly (string | number)[]): string => values.map(valueText).join(', ');

/** Separated by commas outside of quotes; empty items are left out. */
export function parseList(text: string): readonly (string | number)[] {
  const items = text.match(/\s*'(?:[^']|'')*'\s*(?=,|$)|[^,]+/g) ?? [];
  return items.filter((item) => item.trim() !== '').map(parseValue);
}

/** That JavaScript keeps with all of its digits, so that the text of the number is the text that was typed. */
const isNumber = (text: string): boolean =>
  text !== '' && String(Number(text)) === text && Number.isFinite(Number(text));

// Texts after a pattern: `AA-####` gives `KX-4711`.
import { combined } from './values.ts';
import type { Values } from './values.ts';

const DIGITS = Array.from('0123456789');
const UPPER = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const LOWER = Array.from('abcdefghijklmnopqrstuvwxyz');
const SETS: Readonly<Record<string, readonly string[]>> = {
  '#': DIGITS,
  A: UPPER,
  a: LOWER,
  '*': [...LOWER, ...DIGITS],
};

/** `#` a digit, `A` and `a` a letter, `*` either, `{red|green}` one of a list, `\` before a character that stands for itself. */
export function patternValues(pattern: string): Values {
  const parts = partsOf(pattern);
  return combined(
    parts.map(({ length }) => length),
    (indexes) => {
      let text = '';
      for (let at = 0; at < parts.length; at++) text += parts[at]![indexes[at]!]!;
      return text;
    },
  );
}

function partsOf(pattern: string): readonly (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  const chars = Array.from(pattern);
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!;
    const close = char === '{' ? chars.indexOf('}', at) : -1;
    if (char === '\\' && at + 1 < chars.length) parts.push([chars[++at]!]);
    else if (close > 0) {
      parts.push([
        ...new Set(
          chars
            .slice(at + 1, close)
            .join('')
            .split('|'),
        ),
      ]);
      at = close;
    } else parts.push(Object.hasOwn(SETS, char) ? SETS[char]! : [char]);
  }
  return parts;
}

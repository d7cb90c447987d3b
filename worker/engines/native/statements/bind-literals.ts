// Literals that were read in the text of a script, as values for better-sqlite3.
import { LiteralKind } from '../../repeated/literals.ts';
import type { Literals } from '../../repeated/literals.ts';
import type { ScriptText } from '../../repeated/repeated-statements.ts';
import type { NativeValue } from './binding.ts';

export function toNativeValues(literals: Literals, text: ScriptText): readonly NativeValue[] {
  const values: NativeValue[] = [];
  for (let index = 0; index < literals.count; index++) values.push(toValue(literals, index, text));
  return values;
}

function toValue({ kinds, numbers, starts, ends }: Literals, index: number, text: ScriptText): NativeValue {
  switch (kinds[index]) {
    case LiteralKind.integer:
      return BigInt(numbers[index]!);
    case LiteralKind.real:
      return numbers[index]!;
    case LiteralKind.text:
      return text.slice(starts[index]!, ends[index]!);
    case LiteralKind.quotedText:
      return text.slice(starts[index]!, ends[index]!).replaceAll("''", "'");
    case LiteralKind.longInteger:
      return BigInt(text.slice(starts[index]!, ends[index]!));
    case LiteralKind.longReal:
      return text.slice(starts[index]!, ends[index]!);
    case LiteralKind.blob:
      return Buffer.from(text.slice(starts[index]!, ends[index]!), 'hex');
    default:
      return null;
  }
}

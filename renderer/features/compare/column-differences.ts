// How the columns of two results differ, in words.
import type { ResultColumn } from '#shared/protocol/index.ts';
import { plural } from '../../ui/format.ts';

export function columnDifferences(wasm: readonly ResultColumn[], native: readonly ResultColumn[]): readonly string[] {
  const words: string[] = [];
  if (wasm.length !== native.length) words.push(`${plural(wasm.length, 'column')} on wasm, ${native.length} on native`);
  wasm.forEach((column, index) => {
    const other = native[index];
    if (!other) return;
    if (column.name !== other.name)
      words.push(`column ${index + 1} is named “${column.name}” on wasm, “${other.name}” on native`);
    if (column.declaredType !== other.declaredType)
      words.push(`“${column.name}” is declared ${declared(column)} on wasm, ${declared(other)} on native`);
  });
  return words;
}

const declared = ({ declaredType }: ResultColumn): string => (declaredType === '' ? 'without a type' : declaredType);

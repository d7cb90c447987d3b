// Finds one type for a column that comes from several files, such that every field is stored exactly as written.
import type { ColumnFacts } from '#shared/protocol/import.ts';

/** Merges facts by the column names of the first file. If the files disagree the type is TEXT, which changes nothing. */
export function mergedFacts(files: readonly (readonly ColumnFacts[])[]): readonly ColumnFacts[] {
  const [first = [], ...others] = files;
  return first.map((own) => {
    const same = others.flatMap((facts) => facts.filter(({ name }) => name === own.name));
    const types = new Set([own, ...same].filter(holdsSomething).map(({ suggested }) => suggested));
    const [only = own.suggested] = types;
    return { ...own, suggested: types.size > 1 ? 'TEXT' : only };
  });
}

const holdsSomething = ({
  integers,
  beyond64,
  leadingZeros,
  plusSigns,
  hex,
  reals,
  inexactReals,
  ...rest
}: ColumnFacts) =>
  integers + beyond64 + leadingZeros + plusSigns + hex + reals + inexactReals > 0 ||
  rest.booleans + rest.texts + rest.json + rest.blobs + rest.quotedEmpty > 0 ||
  Object.keys(rest.dates).length + Object.keys(rest.thousands).length > 0;

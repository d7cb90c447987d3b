// Objects defined in only one of two databases, or differently, as sentences.
import type { Connection } from '../../engines/engine.ts';

const NAMED_AT_MOST = 8;

export function schemaDifferences(mine: Connection, theirs: Connection): readonly string[] {
  const [here, there] = [schemaOf(mine), schemaOf(theirs)];
  const onlyHere = [...here.keys()].filter((name) => !there.has(name));
  const onlyThere = [...there.keys()].filter((name) => !here.has(name));
  const different = [...here.keys()].filter((name) => there.has(name) && there.get(name) !== here.get(name));
  return [
    ...sentence('Only in the source', onlyThere),
    ...sentence('Only in this copy', onlyHere),
    ...sentence('Defined differently', different),
  ];
}

/** Leaves out objects that SQLite creates automatically, which follow from the rest. */
function schemaOf(connection: Connection): ReadonlyMap<string, string> {
  const rows = connection.all(
    "SELECT type || ' ' || name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name",
  );
  return new Map(rows.map(([name, sql]) => [String(name), String(sql)]));
}

function sentence(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - NAMED_AT_MOST;
  return [`${what}: ${names.slice(0, NAMED_AT_MOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`];
}

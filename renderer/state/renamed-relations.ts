// Finds tables and views that got another name between two states of a schema, however and by whomever they were renamed.
import { groupBy } from '#shared/group-by.ts';
import { foldName, sameName } from '#shared/ddl/names.ts';
import type { SchemaObject, SchemaSnapshot } from '#shared/protocol/index.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

export interface Renamed {
  readonly from: string;
  readonly to: string;
}

/**
 * SQLite does not say that a table was renamed. But one that is gone, and a new one with the same definition, are the same table, unless
 * there are several of either.
 */
export function renamedRelations(before: SchemaSnapshot, after: SchemaSnapshot): readonly Renamed[] {
  const gone = withoutOthers(before, after);
  const come = withoutOthers(after, before);
  if (gone.length === 0 || come.length === 0) return [];
  const [was, is] = [groupBy(gone, definitionOf), groupBy(come, definitionOf)];
  return [...was].flatMap(([definition, [from, ...more]]) => {
    const [to, ...others] = is.get(definition) ?? [];
    return from && to && more.length + others.length === 0 ? [{ from: from.name, to: to.name }] : [];
  });
}

function withoutOthers({ objects }: SchemaSnapshot, { objects: others }: SchemaSnapshot): readonly SchemaObject[] {
  const known = new Set(others.filter(isRelation).map(({ name }) => foldName(name)));
  return objects.filter((object) => isRelation(object) && !known.has(foldName(object.name)));
}

const isRelation = ({ kind }: SchemaObject): boolean => kind === 'table' || kind === 'view' || kind === 'virtual';

/**
 * The tokens of an object's statement, with the same word in place of every object's own name: ALTER TABLE also writes that in
 * self-references and checks.
 */
function definitionOf({ kind, name, sql }: SchemaObject): string {
  const tokens: string[] = [kind];
  const scanner = new SqlScanner(sql ?? '');
  while (scanner.next() !== Token.end) {
    const isName = scanner.kind === Token.word || scanner.kind === Token.quoted;
    tokens.push(isName && sameName(scanner.name, name) ? '\0' : scanner.text);
  }
  return tokens.join(' ');
}

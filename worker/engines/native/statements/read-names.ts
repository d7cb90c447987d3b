// Finds what a statement reads, from the names in it: never less than it does read, sometimes more.
import type { Connection, TableRead } from '../../engine.ts';
import { namesIn } from './statement-shape.ts';

type Field = readonly [table: string, name: string, key: number, type: string];

interface Relation {
  readonly name: string;
  readonly columns: readonly string[];
  /** Names in the definition of a view; null for tables. */
  readonly viewNames: ReadonlySet<string> | null;
  /** Column that the row id is another name for. */
  readonly rowidColumn: string | null;
}

const ROWID_NAMES = ['rowid', '_rowid_', 'oid'];

/** Created once per schema, when a statement is first asked what it reads. */
export class ReadNames {
  readonly #relations = new Map<string, Relation>();
  /** Virtual tables that need no definition, such as `json_each`. */
  readonly #modules: ReadonlySet<string>;

  constructor(connection: Pick<Connection, 'all'>) {
    const columns = new Map<string, { readonly names: string[]; key: string[]; isInteger: boolean }>();
    for (const [table, name, key, type] of fieldsOf(connection)) {
      const known = columns.get(table) ?? { names: [], key: [], isInteger: false };
      columns.set(table, known);
      known.names.push(name);
      if (key === 0) continue;
      known.key.push(name);
      known.isInteger = type === 'INTEGER';
    }
    for (const [name, type, sql] of connection.all(
      `SELECT name, type, sql FROM main.sqlite_schema WHERE type IN ('table', 'view')
       UNION ALL SELECT name, type, sql FROM temp.sqlite_schema WHERE type = 'view'`,
    ) as readonly (readonly [string, string, string])[]) {
      const { names, key, isInteger } = columns.get(name) ?? { names: [], key: [], isInteger: false };
      this.#relations.set(name.toLowerCase(), {
        name,
        columns: names,
        viewNames: type === 'view' ? namesIn(sql) : null,
        rowidColumn: key.length === 1 && isInteger ? key[0]! : null,
      });
    }
    this.#modules = new Set(
      connection.all('SELECT name FROM temp.pragma_module_list').map(([name]) => (name as string).toLowerCase()),
    );
  }

  readsOf(sql: string): readonly TableRead[] {
    const words = new Set(namesIn(sql));
    const reads = new Map<string, Relation | null>();
    // Views bring in the words of their definition, which may name other views.
    for (const word of words) {
      const relation = this.#relations.get(word);
      if (relation === undefined) {
        if (this.#modules.has(word) || /^sqlite_(?:schema|master)$/.test(word)) reads.set(word, null);
        continue;
      }
      reads.set(relation.name, relation);
      for (const inView of relation.viewNames ?? []) words.add(inView);
    }
    const isAll = words.has('*') || words.has('natural');
    return Array.from(reads, ([table, relation]) => ({
      table,
      columns: relation === null ? new Set<string>() : columnsNamed(relation, words, isAll),
    }));
  }
}

const FIELDS = `SELECT relation.name, field.name, field.pk, upper(field.type)
  FROM main.sqlite_schema AS relation, temp.pragma_table_xinfo(relation.name, 'main') AS field`;

/** A broken view, or a virtual table whose module is missing, has no fields and does not prevent reading the rest. */
function fieldsOf(connection: Pick<Connection, 'all'>): readonly Field[] {
  const all = (sql: string, params: readonly string[] = []): readonly Field[] =>
    connection.all(sql, params) as unknown as readonly Field[];
  const fields = [...all(`${FIELDS} WHERE relation.type = 'table' AND rootpage > 0 ORDER BY relation.name, field.cid`)];
  const others = connection.all(
    "SELECT name FROM main.sqlite_schema WHERE type = 'view' OR type = 'table' AND rootpage = 0",
  );
  for (const [name] of others) {
    try {
      fields.push(
        ...all(`${FIELDS} WHERE relation.type IN ('table', 'view') AND relation.name = ? ORDER BY field.cid`, [
          name as string,
        ]),
      );
    } catch {
      // Who reads it will hear why.
    }
  }
  return fields;
}

function columnsNamed(relation: Relation, words: ReadonlySet<string>, all: boolean): ReadonlySet<string> {
  if (all) return new Set(relation.columns);
  const named = new Set(relation.columns.filter((name) => words.has(name.toLowerCase())));
  if (relation.rowidColumn !== null && ROWID_NAMES.some((name) => words.has(name))) named.add(relation.rowidColumn);
  // FTS5 and others answer for all columns under the name of the table.
  return words.has(relation.name.toLowerCase()) && named.has(relation.name) ? new Set(relation.columns) : named;
}

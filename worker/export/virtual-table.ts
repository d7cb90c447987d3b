// How a virtual table is dumped: with its own rows, with a rebuild from the table it indexes, or with its definition only.
import type { Connection } from '../engines/engine.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { quoteName } from '../sql/quote.ts';

interface VirtualTableDump {
  readonly hasRows: boolean;
  /** Statements between the definition and the rows. */
  readonly settings: readonly string[];
  /** Statements after everything they may read. */
  readonly rebuild: readonly string[];
  /** Losses, in sentences for the user. */
  readonly notes: readonly string[];
  /** SQLite lacks its module here, so its definition can only be put into the schema; its own tables are dumped like any other. */
  readonly isForeign: boolean;
}

const DEFINITION_ONLY: VirtualTableDump = { hasRows: false, settings: [], rebuild: [], notes: [], isForeign: false };
/** An INSERT restores the rows of these. */
const WITH_ROWS = new Set(['rtree', 'rtree_i32', 'geopoly']);
const FULL_TEXT = new Set(['fts3', 'fts4', 'fts5']);
/** The key `version` belongs to the format and is not set by the user. */
const NO_SETTING = 'version';

export function virtualTableDump(connection: Connection, name: string, sql: string): VirtualTableDump {
  const module = /\bUSING\s+["'`[]?(\w+)/i.exec(sql)?.[1]?.toLowerCase() ?? '';
  if (!hasModule(connection, module)) return { ...DEFINITION_ONLY, isForeign: true };
  if (WITH_ROWS.has(module)) return { ...DEFINITION_ONLY, hasRows: true };
  if (!FULL_TEXT.has(module)) return DEFINITION_ONLY;
  const settings = module === 'fts5' ? settingsOf(connection, name) : [];
  const content = contentOf(sql);
  if (content === null) return { ...DEFINITION_ONLY, hasRows: true, settings };
  const table = quoteName(name);
  if (content !== '')
    return { ...DEFINITION_ONLY, settings, rebuild: [`INSERT INTO ${table}(${table}) VALUES('rebuild')`] };
  const note = `The full-text index ${JSON.stringify(name)} keeps no text of its own, so it is empty in this dump.`;
  return { ...DEFINITION_ONLY, settings, notes: [note] };
}

/** A server that lists a virtual table has its module. */
const hasModule = (connection: Connection, module: string): boolean =>
  connection.isMetered === true ||
  connection.one('SELECT 1 FROM temp.pragma_module_list WHERE name = ? COLLATE NOCASE', [module]) !== null;

/** The `content` option: null when there is none, so that the index stores the text itself; empty when the text is not stored at all. */
function contentOf(sql: string): string | null {
  const value = /[,(]\s*content\s*=\s*('(?:[^']|'')*'|"(?:[^"]|"")*"|\[[^\]]*\]|`[^`]*`|[^,)\s]*)/i.exec(sql)?.[1];
  if (value === undefined) return null;
  return /^['"[`]/.test(value) ? value.slice(1, -1) : value;
}

function settingsOf(connection: Connection, name: string): readonly string[] {
  const table = quoteName(name);
  try {
    return connection
      .all(`SELECT k, v FROM main.${quoteName(`${name}_config`)} WHERE k <> '${NO_SETTING}'`)
      .map(([key, value]) => `INSERT INTO ${table}(${table}, rank) VALUES(${sqlLiteral(key!)}, ${sqlLiteral(value!)})`);
  } catch {
    return []; // the table works with its defaults
  }
}

// Statements of SQLite: those of `.dump`, of DB Browser, of Sidelite's own export, and scripts by hand.
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { leadingWords, splitStatements } from '#shared/split-statements.ts';
import { asText, hexOf, isUtf8Text } from './byte-text.ts';
import type { SqlAction, SqlTranslator } from './translator.ts';

const TO_SCHEMA_TABLE =
  /^(?:INSERT|REPLACE)\s(?:[^'"(]*\s)?INTO\s+(?:main\s*\.\s*)?["'`[]?sqlite_(?:master|schema)["'`\]]?\s*(?:\(|VALUES)/i;
const PRAGMA = /^PRAGMA\s+(?:main\s*\.\s*)?(\w+)\b\s*(?:[=(]\s*)?['"]?([^'")\s;]*)['"]?\s*(?:\)\s*)?$/i;
/** They belong to the database. */
const KEPT_PRAGMAS = new Set(['user_version', 'application_id']);
/** How a file is read or written, which is decided here. */
const PASSING_PRAGMAS = new Set([
  'auto_vacuum', 'busy_timeout', 'cache_size', 'cell_size_check', 'count_changes', 'defer_foreign_keys', 'foreign_key_check',
  'foreign_keys', 'ignore_check_constraints', 'integrity_check', 'journal_mode', 'journal_size_limit', 'legacy_alter_table',
  'locking_mode', 'mmap_size', 'optimize', 'page_size', 'quick_check', 'recursive_triggers', 'secure_delete', 'synchronous',
  'temp_store', 'threads', 'trusted_schema', 'wal_autocheckpoint', 'wal_checkpoint', 'writable_schema',
]); // prettier-ignore
const PASSING = 'PRAGMAs that only set how a file is read or written';
const RUN = new Set([
  'ALTER', 'ANALYZE', 'BEGIN', 'COMMIT', 'CREATE', 'DELETE', 'DROP', 'END', 'INSERT', 'REINDEX', 'RELEASE', 'REPLACE', 'ROLLBACK',
  'SAVEPOINT', 'UPDATE', 'WITH',
]); // prettier-ignore

const refuse = (reason: string): SqlAction => ({ do: 'refuse', reason });

export const sqliteTranslator = (): SqlTranslator => ({
  notes: [],
  translate(text) {
    const [word = '', second = ''] = leadingWords(text, 0, 2);
    if (word === 'PRAGMA') return pragma(text);
    if (word === 'ATTACH' || word === 'DETACH') return refuse('It would open another database file.');
    if (word === 'VACUUM')
      return second === 'INTO' || /\bINTO\b/i.test(text)
        ? refuse('It would write another database file.')
        : { do: 'leave', group: 'VACUUM statements' };
    if (word === 'SELECT' || word === 'VALUES' || word === 'EXPLAIN')
      return refuse('It is a query, which adds nothing.');
    if ((word === 'INSERT' || word === 'REPLACE') && TO_SCHEMA_TABLE.test(text)) return virtualTable(text);
    // Anything else is not a statement: SQLite says what is wrong with it.
    if (RUN.has(word) || !/^[A-Z]/.test(word)) return { do: 'run', sql: [exact(text)] };
    return refuse(`SQLite has no statement that begins with “${asText(word)}”.`);
  },
});

function pragma(text: string): SqlAction {
  const [, name = '', value = ''] = PRAGMA.exec(text) ?? [];
  const pragmaName = name.toLowerCase();
  if (KEPT_PRAGMAS.has(pragmaName) && /^-?(?:\d+|0x[\da-f]+)$/i.test(value)) return { do: 'run', sql: [text] };
  if (PASSING_PRAGMAS.has(pragmaName)) return { do: 'leave', group: PASSING };
  if (pragmaName === 'encoding')
    return { do: 'leave', group: 'PRAGMAs that name an encoding: databases made here are UTF-8' };
  return refuse(name === '' ? 'This form of PRAGMA is not known.' : `PRAGMA ${name} is not run from a file.`);
}

/** `INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','notes','notes',0,'CREATE VIRTUAL TABLE …')` */
function virtualTable(text: string): SqlAction {
  const reason = 'It writes to the schema table, which could damage the database.';
  const values = /\bVALUES\s*\(/i.exec(text);
  if (!values) return refuse(reason);
  const scanner = new SqlScanner(asText(text), values.index + values[0].length);
  const literals: string[] = [];
  while (literals.length < 5) {
    const kind = scanner.next();
    if (kind === Token.text) literals.push(scanner.text.slice(1, -1).replaceAll("''", "'"));
    else if (kind === Token.number) literals.push(scanner.text);
    else return refuse(reason);
    scanner.next();
    if (scanner.text !== (literals.length === 5 ? ')' : ',')) return refuse(reason);
  }
  const [type, name, table, root, sql] = literals as [string, string, string, string, string];
  const isOne = splitStatements(sql).length === 1 && /^CREATE\s+VIRTUAL\s+TABLE\s/i.test(sql);
  if (type !== 'table' || name !== table || root !== '0' || !isOne || scanner.next() !== Token.end)
    return refuse(reason);
  return { do: 'virtual-table', name, sql };
}

/** SQL text must be UTF-8 and ends at a NUL: literals that do not fit are written as their bytes. */
function exact(text: string): string {
  if (!text.includes('\0') && isUtf8Text(text)) return asText(text);
  let result = '';
  let from = 0;
  // A NUL ends the text for the scanner.
  const scanner = new SqlScanner(text.replaceAll('\0', '\x01'));
  while (scanner.next() !== Token.end) {
    if (scanner.kind !== Token.text) continue;
    const literal = text.slice(scanner.from, scanner.to);
    if (!literal.includes('\0') && isUtf8Text(literal)) continue;
    result += asText(text.slice(from, scanner.from));
    result += `CAST(X'${hexOf(literal.slice(1, -1).replaceAll("''", "'"))}' AS TEXT)`;
    from = scanner.to;
  }
  return result + asText(text.slice(from));
}

// Detects from the beginning of a file whether it is SQL, and of which database.
import type { SqlDialect } from '#shared/protocol/transfer.ts';

export interface DetectedDialect {
  readonly dialect: SqlDialect;
  readonly reason: string;
}

type Sign = readonly [SqlDialect, RegExp, string];

/** Comments of the program that wrote the file, and what stands between quotes. */
const MARKS: readonly Sign[] = [
  ['postgresql', /^-- PostgreSQL database (?:cluster )?dump/m, 'A comment says that PostgreSQL wrote it.'],
  ['mysql', /^-- (?:MySQL dump|MariaDB dump|phpMyAdmin SQL Dump)/m, 'A comment says that MySQL or MariaDB wrote it.'],
  ['mysql', /^\/\*M?!\d{5,6}[ \\]/m, 'It has comments that only MySQL reads (/*!…*/).'],
  ['tsql', /^\/\*{6} Object: /m, 'A comment says that SQL Server wrote it.'],
];

const USES: Sign = [
  'mysql',
  /^[ \t]*USE[ \t]+(?:`[^`\n]+`|"[^"\n]+"|[\w$]+)[ \t]*;/im,
  'It chooses a database (USE), as MySQL does.',
];
/** SQL Server has USE, too: a script that people write may have neither GO nor types that tell. */
const SERVER_TEXTS = /\bN''|\b(?:INTO|INSERT|TABLE)\s+\[|\bdbo\s?\./i;

/** What stands outside of quotes and comments, the surest signs first. */
const SIGNS: readonly Sign[] = [
  [
    'postgresql',
    /^COPY\s[^;\n\r\u2028\u2029]{1,4000}\sFROM\s+stdin\b/im,
    'It has rows after COPY … FROM stdin, as PostgreSQL writes them.',
  ],
  [
    'mysql',
    /\)\s*(?:ENGINE|AUTO_INCREMENT)\s*=/i,
    'It has ENGINE or AUTO_INCREMENT after a table, as MySQL writes them.',
  ],
  ['postgresql', /^SELECT pg_catalog\.|^SET (?:statement_timeout|search_path)\b/m, 'It has settings of PostgreSQL.'],
  [
    'tsql',
    /^[ \t]*GO[ \t]*\r?$|\bSET\s+IDENTITY_INSERT\b/im,
    'It has GO or SET IDENTITY_INSERT, as SQL Server writes them.',
  ],
  [
    'tsql',
    /\bIDENTITY\s*\(\s*\d|\bN?VARCHAR\]?\s*\(\s*MAX\s*\)|\[dbo\]|\]\s+\[(?:int|bigint|bit|n?varchar|n?char|datetime2?|date|decimal|money|float)\]|^SET\s+(?:ANSI_NULLS|QUOTED_IDENTIFIER|NOCOUNT)\b/im,
    'It has types or settings of SQL Server.',
  ],
  USES,
  [
    'sqlite',
    /\bAUTOINCREMENT\b|^PRAGMA\s|\bWITHOUT\s+ROWID\b|\bsqlite_(?:sequence|master|schema|stat1)\b|\bCREATE\s+VIRTUAL\s+TABLE\b/im,
    'It has words that only SQLite knows.',
  ],
  ['mysql', /\bAUTO_INCREMENT\b|^(?:UN)?LOCK\s+TABLES\b|^DELIMITER\s/im, 'It has words that only MySQL knows.'],
  [
    'postgresql',
    /^\\(?:c|connect|restrict)\b|[\w"]\s+(?:BIG|SMALL)?SERIAL\s*(?:PRIMARY|NOT|UNIQUE|[,)])|\bGENERATED\s+(?:ALWAYS|BY\s+DEFAULT)\s+AS\s+IDENTITY\b|\bBYTEA\b|\bALTER\s+TABLE\s+ONLY\b|\bTIMESTAMP\s+WITH(?:OUT)?\s+TIME\s+ZONE\b|\bCREATE\s+(?:EXTENSION|SEQUENCE|DOMAIN)\b|\bCREATE\s+TYPE\b|\bnextval\s*\(|::\s*"?[a-z]|\bU&(?:''|")/im,
    'It has words that only PostgreSQL knows.',
  ],
  ['postgresql', /"?\bpublic\b"?\s*\.\s*["\w]|\bE''/i, 'It names the schema “public”, as PostgreSQL does.'],
  ['mysql', /\b(?:INT|INTEGER|TINYINT|SMALLINT|BIGINT)(?:\s*\(\d+\))?\s+UNSIGNED\b/i, 'It has types of MySQL.'],
  [
    'mysql',
    /[\s,(=]_(?:utf8(?:mb[34])?|latin1|ascii|binary) ?''/i,
    'It names the character set of a text (_utf8mb4), as MySQL does.',
  ],
  [
    'mysql',
    /^(?:INSERT|REPLACE)\s+(?:IGNORE\s+)?(?:INTO\s+)?[\w`".]+\s+SET\s/im,
    'It has INSERT … SET, as MySQL writes it.',
  ],
  ['sqlite', /^BEGIN\s+TRANSACTION\b/im, 'It begins a transaction as SQLite does.'],
  ['mysql', /^#|`/m, 'It has # comments or names in back quotes, as MySQL writes them.'],
  ['tsql', /\bINTO\s+\[|\bINSERT\s+\[/i, 'It has INSERT statements of SQL Server.'],
];
/** `'it\'s'`: no other database would end a text there. */
const ESCAPED_QUOTE = /[^\\](?:\\\\)*\\'[A-Za-z0-9 ]/;
/** `INSERT INTO shop.customer`: SQLite has no such database. */
const SCHEMA =
  /\b(?:CREATE\s+TABLE\s(?:\s*IF\s+NOT\s+EXISTS\s)?|INSERT\s+INTO\s)\s*(?!"?(?:main|temp)\b)(?:\w+|"[^"\n]*")\s?\.\s?["\w]/i;

export function detectDialect(beginning: string): DetectedDialect {
  const hasEscapes = ESCAPED_QUOTE.test(beginning);
  const bare = withoutQuoted(beginning, hasEscapes);
  const found =
    MARKS.find(([, sign]) => sign.test(beginning)) ??
    SIGNS.find(([dialect, sign]) => sign.test(bare) && (dialect !== 'tsql' || !bare.includes('`')));
  if (found === USES && !hasEscapes && !bare.includes('`') && SERVER_TEXTS.test(bare))
    return {
      dialect: 'tsql',
      reason: 'It chooses a database (USE), and has texts or names as SQL Server writes them.',
    };
  if (found) return { dialect: found[0], reason: found[2] };
  if (hasEscapes)
    return { dialect: 'mysql', reason: 'It has quotes after backslashes in texts, as MySQL writes them.' };
  // Only SQL Server and MySQL have it, and MySQL writes no such prefix.
  if (/\bN''/.test(bare)) return { dialect: 'tsql', reason: 'Its texts begin with N, as SQL Server writes them.' };
  if (SCHEMA.test(bare))
    return { dialect: 'postgresql', reason: 'It names tables with their schema, as standard SQL does.' };
  return { dialect: 'sqlite', reason: 'The beginning has no sign of another program.' };
}

/** Texts become `''`, and comments with two hyphens and of C are left out. */
function withoutQuoted(text: string, hasEscapes: boolean): string {
  const quoted = hasEscapes
    ? /'(?:[^'\\]|\\[^]|'')*(?:'|$)|--[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)/g
    : /'[^']*(?:'|$)|--[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)/g;
  return text.replace(quoted, (found) => (found.startsWith("'") ? "''" : ''));
}

const BLANK = /\ufeff?(?:\s|--[^\n]*|#[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*/y;
const STATEMENT =
  /(?:PRAGMA\s+\w|BEGIN(?:\s+TRANSACTION)?\s*;|START\s+TRANSACTION|CREATE\s+(?:TEMP\w*\s+|UNIQUE\s+|VIRTUAL\s+|OR\s+REPLACE\s+)*(?:TABLE|INDEX|VIEW|TRIGGER|DATABASE|SCHEMA|EXTENSION|SEQUENCE)\s|INSERT\s+(?:OR\s+\w+\s+)?INTO\s|REPLACE\s+INTO\s|DROP\s+(?:TABLE|VIEW|INDEX)\s|SET\s+[\w@]+|DELETE\s+FROM\s|UPDATE\s+\S+\s+SET\s|ALTER\s+TABLE\s|\\restrict\s|LOCK\s+TABLES|USE\s+(?:\[|(?:`[^`\n]+`|"[^"\n]+"|\w+)\s*;)|INSERT\s+\[)/iy;
const MARKED = /^(?:\s*--[^\n]*\n)*\s*-- (?:MySQL dump|MariaDB dump|phpMyAdmin SQL Dump|PostgreSQL database)/;

/** Checks whether a text begins as SQL does. */
export function isSql(beginning: string): boolean {
  if (MARKED.test(beginning)) return true;
  BLANK.lastIndex = 0;
  BLANK.test(beginning);
  STATEMENT.lastIndex = BLANK.lastIndex;
  return STATEMENT.test(beginning);
}

// The commands of the command line and their options, as data: parsing, `--help` and suggestions all use it.
import type { CommandName } from '#shared/command-names.ts';
import { CIPHERS } from '#shared/cipher-key.ts';
import { NAMED_IMPORT_FORMATS } from '#shared/import-formats.ts';
import { DEFAULT_EXPORT_OPTIONS, type ExportOptionId } from '#shared/protocol/export.ts';
import { SQL_DIALECTS } from '#shared/protocol/transfer.ts';

export interface OptionSpec {
  /** Name as written, without the dashes. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder for its value in `--help`; if missing, the option is a switch, turned off with `--no-NAME`. */
  readonly value?: string;
  /** The value may be left out: before another option, or at the end. */
  readonly isValueOptional?: true;
  /** May be given more than once. */
  readonly several?: true;
  readonly help: string;
}

export interface CommandSpec {
  readonly name: CommandName;
  readonly usage: string;
  readonly about: string;
  /** Names of the operands (words without an option), and their minimum and maximum number. */
  readonly operands: { readonly least: number; readonly most: number; readonly what: string };
  readonly options: readonly OptionSpec[];
}

const COMMON: readonly OptionSpec[] = [
  { name: 'json', help: 'print a summary as JSON to standard output' },
  { name: 'progress', help: 'show progress even if standard error is not a terminal' },
  { name: 'wait', value: 'SECONDS', help: 'how long to wait for a file that another program has locked (10)' },
  { name: 'help', short: 'h', help: 'show this help' },
];

/** A password is never an option itself: others could read it in the list of processes. */
const OF_KEYS: readonly OptionSpec[] = [
  { name: 'key-env', value: 'NAME', help: 'DB is encrypted: the environment variable with its password or raw key' },
  { name: 'key-file', value: 'FILE', help: 'DB is encrypted: the file whose first line is its password or raw key' },
  { name: 'ask-key', help: 'DB is encrypted: ask for its password or raw key in the terminal' },
  {
    name: 'cipher',
    value: 'NAME',
    help: `${CIPHERS.join(', ')} (default: tried in this order, which takes up to a second; a new DB gets the first)`,
  },
  { name: 'cipher-page-size', value: 'BYTES', help: "SQLCipher's cipher_page_size, if DB was made with another one" },
  { name: 'kdf-iterations', value: 'N', help: "the cipher's kdf_iter, if DB was made with another one" },
  {
    name: 'plain-header',
    value: 'BYTES',
    help: "SQLCipher's cipher_plaintext_header_size (32 on iOS); needs a raw key with the salt at its end",
  },
];

const OF_EXTENSIONS: readonly OptionSpec[] = [
  {
    name: 'extension',
    value: 'FILE',
    several: true,
    help: 'load this extension of SQLite, a program that runs with your rights; can be repeated',
  },
  {
    name: 'trust-schema',
    help: 'let views, triggers, and indexes use all functions of the extensions: only for a DB whose origin you trust',
  },
];

const ENTRY: OptionSpec = {
  name: 'entry',
  value: 'NAME',
  help: 'the database in a ZIP file that holds several',
};

const WITHOUT_UNDO: OptionSpec = {
  name: 'without-undo',
  help: 'continue even if the change cannot be undone later',
};

const IMPORT_OPTIONS: readonly OptionSpec[] = [
  { name: 'into', value: 'DB', help: 'the database; created if it does not exist' },
  { name: 'table', short: 't', value: 'NAME', help: 'the table (default: the name of the file)' },
  { name: 'create', help: 'create a new table; fail if it exists' },
  { name: 'append', help: 'add to an existing table; fail if it does not exist' },
  { name: 'replace', help: 'delete all rows of the table first' },
  {
    name: 'upsert',
    value: 'KEY,…',
    help: 'update rows that have the same values in these columns, and add the others',
  },
  {
    name: 'existing',
    value: 'WHAT',
    help: 'with --upsert, what happens to existing rows: overwrite (default), fill (only NULLs), or skip',
  },
  { name: 'strict', help: 'make a new table STRICT' },
  { name: 'by-order', help: 'match columns by position, not by name' },
  { name: 'add-columns', help: 'add columns of the file that the table does not have' },
  { name: 'recipe', value: 'FILE', help: 'import with the choices in this file' },
  { name: 'save-recipe', value: 'FILE', help: 'write the choices of this import to a file' },
  { name: 'max-problems', value: 'N', help: 'stop after this many bad records (10000)' },
  {
    name: 'format',
    short: 'f',
    value: 'FORMAT',
    help: `${NAMED_IMPORT_FORMATS.map(({ id }) => id).join(', ')} (detected)`,
  },
  { name: 'encoding', value: 'NAME', help: 'the text encoding, such as utf-8 or windows-1252 (detected)' },
  { name: 'dialect', value: 'NAME', help: `how a file of SQL is read: ${SQL_DIALECTS.join(', ')} (detected)` },
  { name: 'loose-keys', help: 'add rows of a dump although they refer to rows that do not exist' },
  { name: 'delimiter', value: 'TEXT', help: 'the delimiter between CSV fields (detected)' },
  { name: 'quote', value: 'CHARACTER', help: "the quote around CSV fields, or '' for none (detected)" },
  {
    name: 'escape',
    value: 'CHARACTER',
    help: "what makes a quote or delimiter after it text, such as \\, or '' for none (detected)",
  },
  { name: 'skip-blanks', help: 'blanks after a CSV delimiter are not part of the field (detected)' },
  { name: 'header', help: 'the first record contains the column names (detected)' },
  { name: 'skip-lines', value: 'N', help: 'lines to skip before the header (detected)' },
  { name: 'comment', value: 'TEXT', help: "the text that comment lines begin with, or '' for none (detected)" },
  { name: 'decimal-comma', help: 'numbers have a decimal comma, as in 1,5 (detected)' },
  {
    name: 'null',
    value: 'TEXT',
    several: true,
    help: `unquoted text that means NULL, or '""' for empty cells in quotes (detected)`,
  },
  {
    name: 'part',
    value: 'NAME',
    help: "the sheet of a workbook (default: the first), the list in a JSON object, such as data.items ('' is the whole object), or the table of a dump or SQLite file (default: all)",
  },
  WITHOUT_UNDO,
];

const kebab = (id: string): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const EXPORT_HELP: Partial<Record<ExportOptionId, string>> = {
  header: 'begin with the column names',
  delimiter: 'the delimiter between fields',
  nullText: 'the text for NULL',
  lineEnding: 'the line ending, lf or crlf',
  bom: 'begin with a byte order mark',
  decimal: 'the decimal separator, . or ,',
  blobs: 'hex, base64, or files (one per BLOB, in a folder next to OUT)',
  formulaGuard: 'put an apostrophe before text that a spreadsheet would take for a formula',
  excelDates: 'write columns of nothing but ISO dates as dates of a spreadsheet',
  ddl: 'include CREATE TABLE',
  stable: 'write the same bytes for the same content, a row on each line',
  tableName: 'the table name in INSERT and UPDATE',
};

/** Options that a format accepts, by option name; new format options appear here automatically. */
export const FORMAT_OPTIONS: ReadonlyMap<string, ExportOptionId> = new Map(
  (Object.keys(DEFAULT_EXPORT_OPTIONS) as ExportOptionId[])
    .filter((id) => ['boolean', 'string'].includes(typeof DEFAULT_EXPORT_OPTIONS[id]))
    .map((id) => [kebab(id), id]),
);

const OUTPUT_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'format',
    short: 'f',
    value: 'FORMAT',
    help: 'the format (default: by the extension of OUT, otherwise csv); list prints all formats',
  },
  {
    name: 'output',
    short: 'o',
    value: 'OUT',
    help: 'the file to write, or a folder for a file of each --table; - is standard output (default)',
  },
  ...[...FORMAT_OPTIONS].map(([name, id]): OptionSpec => {
    const value = DEFAULT_EXPORT_OPTIONS[id];
    const preset = typeof value === 'boolean' ? (value ? ' (default)' : '') : value === '' ? '' : ` (${value})`;
    return {
      name,
      ...(typeof value === 'string' && { value: 'TEXT' }),
      help: `${EXPORT_HELP[id] ?? name.replaceAll('-', ' ')}${preset}`,
    };
  }),
];

const EXPORT_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'table',
    short: 't',
    value: 'NAME',
    several: true,
    help: 'a table or view; can be repeated if the format allows it',
  },
  { name: 'where', value: 'SQL', help: 'with one --table, only the rows for which this is true' },
  { name: 'sql', value: 'QUERY', help: 'the rows of one read-only statement' },
  { name: 'schema', help: 'all definitions, no rows' },
  { name: 'database', help: 'all definitions and rows' },
  ...OUTPUT_OPTIONS,
];

const RUN_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'attach',
    value: 'NAME=FILE',
    several: true,
    help: 'attach another database, whose tables SQL reads as NAME.table; can be repeated. It is read-only',
  },
  {
    name: 'attach-writable',
    value: 'NAME=FILE',
    several: true,
    help: 'attach another database that the script may change. What it changes there cannot be undone',
  },
  { name: 'transaction', help: 'all or nothing: the script runs in one transaction' },
  { name: 'format', short: 'f', value: 'FORMAT', help: 'the format of returned rows on standard output (csv)' },
  WITHOUT_UNDO,
];

const QUERY_OPTIONS: readonly OptionSpec[] = OUTPUT_OPTIONS.map((option) =>
  option.name === 'format'
    ? {
        ...option,
        help: 'the format, one of “sidelite export --format list” (default: by the extension of OUT, otherwise csv)',
      }
    : option.name === 'output'
      ? { ...option, help: 'the file to write; - is standard output (default)' }
      : option,
);

const SCHEMA_OPTIONS: readonly OptionSpec[] = [
  { name: 'sql', help: 'print the definitions as SQLite stores them (default)' },
  { name: 'json', help: 'print tables, columns, and keys as JSON' },
  { name: 'typescript', help: 'print an interface for the rows of each table and view' },
  { name: 'kysely', help: 'the same for Kysely, which knows what may be left out of an INSERT' },
  { name: 'drizzle', help: 'print tables and views for Drizzle ORM, with keys and foreign keys' },
];

const GIT_SETUP_OPTIONS: readonly OptionSpec[] = [
  { name: 'yes', help: 'write it; without this, it is only shown' },
  { name: 'undo', help: 'remove what this command has written' },
  {
    name: 'pattern',
    value: 'GLOB',
    several: true,
    help: 'the files, as in .gitattributes (*.db, *.db3, *.sqlite, *.sqlite3); can be repeated',
  },
];

const DUMP_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'stable',
    help: 'write the same bytes for the same content: tables by name, rows by primary key or by all values, a row on each line',
  },
  { name: 'schema-only', help: 'only the definitions' },
  { name: 'output', short: 'o', value: 'OUT', help: 'the file to write; - is standard output (default)' },
];

const DIFF_OPTIONS: readonly OptionSpec[] = [
  { name: 'stat', help: 'only count the rows of each table' },
  { name: 'limit', value: 'N', help: 'print at most N rows of each table, and count the others (20; with --json all)' },
  { name: 'schema-only', help: 'compare no rows' },
  { name: 'table', short: 't', value: 'NAME', several: true, help: 'compare only this table or view; can be repeated' },
  {
    name: 'ignore-column',
    value: 'NAME',
    several: true,
    help: 'leave out a column of all tables, or TABLE.COLUMN of one; can be repeated',
  },
  {
    name: 'color',
    value: 'WHEN',
    help: 'always, never, or auto: only in a terminal, and if NO_COLOR is not set (auto)',
  },
  { name: 'json', help: 'print the differences as JSON' },
  { name: 'sql', help: 'print a script that turns A into B; it has done so to a copy, or nothing is printed' },
];

const MERGE_OPTIONS: readonly OptionSpec[] = [
  { name: 'output', short: 'o', value: 'OUT', help: 'the file to write, which may be OURS' },
  {
    name: 'ours',
    value: '[TABLE]',
    isValueOptional: true,
    several: true,
    help: 'where both sides changed the same in this table, take what OURS has; without TABLE, in all tables',
  },
  {
    name: 'theirs',
    value: '[TABLE]',
    isValueOptional: true,
    several: true,
    help: 'where both sides changed the same in this table, take what THEIRS has; without TABLE, in all tables',
  },
  {
    name: 'limit',
    value: 'N',
    help: 'print at most N conflicts of each table, and count the others (20; with --json 1000)',
  },
  { name: 'json', help: 'print what was done, and the conflicts, as JSON' },
];

const MCP_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'name',
    value: 'NAME=DB',
    several: true,
    help: 'a database, and what the assistant calls it (default for DB: the name of the file); can be repeated',
  },
  {
    name: 'write',
    value: 'WHAT',
    help: 'off: statements that write are refused (default); ask: they can be tried in a copy, and proposed to the person at the running app. Nothing else is written',
  },
  {
    name: 'tables',
    value: 'GLOB',
    several: true,
    help: 'show only tables and views whose names match, such as sales_*; can be repeated',
  },
  {
    name: 'hide-columns',
    value: 'GLOB',
    several: true,
    help: 'hide columns, such as *password* or person.email, and all that could show them; can be repeated',
  },
  { name: 'timeout', value: 'SECONDS', help: 'how long a call may take (30)' },
];

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'import',
    usage: 'sidelite import FILE… --into DB [--table NAME]',
    about:
      'Imports the rows of files into a table, or the tables of SQL dumps and SQLite files. Each file is one transaction. The name - stands for standard input.',
    operands: { least: 1, most: Infinity, what: 'FILE' },
    options: [...IMPORT_OPTIONS, ENTRY, ...OF_KEYS, ...COMMON],
  },
  {
    name: 'export',
    usage: 'sidelite export DB (--table NAME | --sql QUERY | --schema | --database) [--format FORMAT] [-o OUT]',
    about:
      'Exports rows, definitions, or everything. DB is only read, and OUT is replaced only when the export is complete.',
    operands: { least: 1, most: 1, what: 'DB' },
    options: [...EXPORT_OPTIONS, ENTRY, ...OF_EXTENSIONS, ...OF_KEYS, ...COMMON],
  },
  {
    name: 'run',
    usage: 'sidelite run SCRIPT DB [--attach NAME=FILE]',
    about:
      'Runs a file of SQL as an SQL tab does: each statement commits on its own unless the script says BEGIN, and an error ends the script. The name - stands for standard input.',
    operands: { least: 2, most: 2, what: 'SCRIPT and DB' },
    options: [...RUN_OPTIONS, ENTRY, ...OF_EXTENSIONS, ...OF_KEYS, ...COMMON],
  },
  {
    name: 'query',
    usage: 'sidelite query DB SQL [--format FORMAT] [-o OUT]',
    about:
      'Prints the rows of SQL that returns one result and only reads: DB is opened so that nothing can be written to it. SQL is the text itself; the name - stands for standard input.',
    operands: { least: 2, most: 2, what: 'DB and SQL' },
    options: [...QUERY_OPTIONS, ...OF_EXTENSIONS, ...OF_KEYS, ...COMMON],
  },
  {
    name: 'schema',
    usage: 'sidelite schema DB [--sql | --json | --typescript | --kysely | --drizzle]',
    about: 'Prints the definitions of tables, views, indexes, and triggers, or types for the rows in a program.',
    operands: { least: 1, most: 1, what: 'DB' },
    options: [...SCHEMA_OPTIONS, ...OF_EXTENSIONS, ...OF_KEYS, ...COMMON.filter(({ name }) => name !== 'json')],
  },
  {
    name: 'dump',
    usage: 'sidelite dump DB [--stable] [-o OUT]',
    about:
      'Writes the database as SQL that sqlite3 reads. With --stable, as text for version control: “sidelite git-setup” makes git diff show rows by it.',
    operands: { least: 1, most: 1, what: 'DB' },
    options: [...DUMP_OPTIONS, ENTRY, ...OF_EXTENSIONS, ...OF_KEYS, ...COMMON],
  },
  {
    name: 'diff',
    usage: 'sidelite diff A B',
    about:
      "Prints how database B differs from A: definitions by their text, and rows matched by primary key, or as a whole in tables without one. Values are SQL literals, so 1, 1.0, and '1' differ. A and B are only read; an empty file is an empty database. Exit code 0: equal, 1: different, 2: invalid command line, 3: something could not be compared.",
    operands: { least: 2, most: 2, what: 'A and B' },
    options: [...DIFF_OPTIONS, ENTRY, ...OF_EXTENSIONS, ...OF_KEYS, ...COMMON.filter(({ name }) => name !== 'json')],
  },
  {
    name: 'merge',
    usage: 'sidelite merge BASE OURS THEIRS -o OUT [--ours [TABLE]] [--theirs [TABLE]]',
    about:
      'Writes OURS with what THEIRS changed since BASE: rows matched by primary key, value by value, and definitions that only one side changed. A conflict stays as in OURS, and is listed in the table sidelite_conflicts of OUT. OUT is replaced only when SQLite’s check, foreign keys, and a comparison with all three have passed. Exit code 0: merged, 1: conflicts, 2: invalid command line, 3: failed; OUT is as it was.',
    operands: { least: 3, most: 3, what: 'BASE, OURS, and THEIRS' },
    options: [...MERGE_OPTIONS, ...OF_KEYS, ...COMMON.filter(({ name }) => name !== 'json')],
  },
  {
    name: 'git-setup',
    usage: 'sidelite git-setup [--yes] [--undo] [--pattern GLOB]',
    about:
      'Lets Git show and merge databases row by row in this repository: shows what it writes to .gitattributes and to the configuration, and writes it with --yes. Nothing else in either is changed.',
    operands: { least: 0, most: 0, what: '' },
    options: [...GIT_SETUP_OPTIONS, ...COMMON.filter(({ name }) => name !== 'wait' && name !== 'progress')],
  },
  {
    name: 'mcp',
    usage: 'sidelite mcp DB… [--name NAME=DB] [--tables GLOB] [--hide-columns GLOB] [--write off|ask]',
    about:
      'Lets an AI assistant read databases, and propose changes to them with --write ask, over the Model Context Protocol on standard input and output. The assistant starts it: README.md has the configuration.',
    operands: { least: 0, most: Infinity, what: 'DB' },
    options: [
      ...MCP_OPTIONS,
      ...OF_KEYS.filter(({ name }) => name !== 'ask-key'),
      ...COMMON.filter(({ name }) => name === 'wait' || name === 'help'),
    ],
  },
  {
    name: 'completion',
    usage: 'sidelite completion (bash | zsh | fish | powershell)',
    about: 'Prints a script with which a shell completes commands and options. Its first lines say where it goes.',
    operands: { least: 1, most: 1, what: 'a shell: bash, zsh, fish, or powershell' },
    options: COMMON.filter(({ name }) => name === 'help'),
  },
];

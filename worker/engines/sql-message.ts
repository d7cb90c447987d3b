// Turns SQLite's messages into sentences, and extracts the names in them. SQLite has no codes for these errors (sqlite.org/rescode.html:
// all are SQLITE_ERROR), so only this file and `constraint-error.ts` parse its messages.
/* oxlint-disable sidelite/text-decisions -- SQLite's own messages */

/** The groups `missing`, `name`, and `syntax`, if present, become details. */
const REWORDED: readonly (readonly [RegExp, string])[] = [
  [/^near "(?<name>[^]*)": (?<syntax>syntax error)$/, 'Syntax error near “$<name>”.'],
  [
    /^no such (?<missing>column): (?<quoted>")(?<name>[^]*)" - should this be a string literal in single-quotes\?$/,
    'There is no column named “$<name>”, and in double quotes it is a name. If it is meant as text, write it in single quotes.',
  ],
  [
    /^no such (?<missing>table|column|index|view|trigger|function|module|savepoint|collation sequence): (?<name>[^]*)$/,
    'There is no $<missing> named “$<name>”.',
  ],
  [/^(?<syntax>unrecognized token): "(?<name>[^]*)"$/, '“$<name>” is not valid SQL.'],
  [/^(table|view|trigger) "?(?<name>[^]*?)"? already exists$/, 'There is already a $1 named “$<name>”.'],
  [/^index "?(?<name>[^]*?)"? already exists$/, 'There is already an index named “$<name>”.'],
  [
    /^cannot modify (?<name>[^]*) because it is a view$/,
    'The view “$<name>” has no INSTEAD OF trigger for this change. Nothing was changed.',
  ],
  [/^incomplete input$/, 'The statement is not complete.'],
  [/^(?:unknown|no such) (?<missing>tokenizer): (?<name>[^]*)$/, 'SQLite does not have the tokenizer “$<name>” here.'],
  [
    /^unsafe use of ([^]*)$/,
    'Unsafe use of $1: views, triggers, and indexes may use only what is declared harmless (PRAGMA trusted_schema is off). For the extensions of a file, “Health: Extensions” can allow more.',
  ],
  [/^(?<unexplained>SQL logic error)$/, 'SQLite refused the statement without giving a reason ($<unexplained>).'],
  [/^(?<unexplained>no query solution)$/, 'SQLite found no way to run the statement ($<unexplained>).'],
];

/** Kinds whose existing names are known, so that a similar one can be suggested. */
const KNOWN = new Set(['table', 'column', 'function']);
/** Kinds that an extension may provide. Their names have no table or database. */
const PARTS = new Set(['module', 'tokenizer', 'collation sequence']);

export interface SqlFacts {
  readonly message: string;
  /**
   * `name`: the object of the error, as SQLite spells it. `missing`: the kind of object that SQLite did not find; `name` is then without
   * table and database. `isQuoted`: it is in double
   * quotes, and may be meant as a text. `unexplained`: SQLite names nothing. `isSyntax`: the text is not SQL, whatever there is in the database.
   */
  readonly detail?:
    | { readonly name: string; readonly missing?: string; readonly isQuoted?: true; readonly isSyntax?: true }
    | { readonly unexplained: true };
}

/** So much of a message says what is wrong. */
const MOST_CHARACTERS = 2000;

/** A message of SQLite with its beginning and its end: a name or token in it may be as long as a statement. */
export function shortMessage(message: string): string {
  if (message.length <= MOST_CHARACTERS) return message;
  return `${message.slice(0, MOST_CHARACTERS / 2)}…${message.slice(-MOST_CHARACTERS / 2)}`;
}

/** SQLite's message as a sentence. An unknown message stays as SQLite wrote it. */
export function describeSql(message: string): SqlFacts {
  for (const [pattern, text] of REWORDED) {
    const match = pattern.exec(message);
    if (!match) continue;
    const { name, missing = '', syntax, unexplained, quoted } = match.groups ?? {};
    const sentence = message.replace(pattern, text);
    if (unexplained !== undefined) return { message: sentence, detail: { unexplained: true } };
    if (name === undefined) return { message: sentence };
    if (quoted !== undefined) return { message: sentence, detail: { missing, name, isQuoted: true } };
    const detail = KNOWN.has(missing)
      ? { missing, name: name.slice(name.lastIndexOf('.') + 1) }
      : { name, ...(PARTS.has(missing) && { missing }), ...(syntax !== undefined && { isSyntax: true as const }) };
    return { message: sentence, detail };
  }
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return { message: /[.!?]$/.test(sentence) ? sentence : `${sentence}.` };
}

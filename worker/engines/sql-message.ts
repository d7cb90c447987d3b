// Turns SQLite's messages into sentences, and extracts the names in them. SQLite has no codes for these errors (sqlite.org/rescode.html:
// all are SQLITE_ERROR), so only this file and `constraint-error.ts` parse its messages.
/* oxlint-disable sidelite/text-decisions -- SQLite's own messages */

/** The groups `missing` and `name`, if present, become details. */
const REWORDED: readonly (readonly [RegExp, string])[] = [
  [/^near "(?<name>[^]*)": syntax error$/, 'Syntax error near “$<name>”.'],
  [
    /^no such (?<missing>table|column|index|view|trigger|function|module|savepoint|collation sequence): (?<name>[^]*)$/,
    'There is no $<missing> named “$<name>”.',
  ],
  [/^unrecognized token: "(?<name>[^]*)"$/, '“$<name>” is not valid SQL.'],
  [/^(table|view|trigger) "?(?<name>[^]*?)"? already exists$/, 'There is already a $1 named “$<name>”.'],
  [/^index "?(?<name>[^]*?)"? already exists$/, 'There is already an index named “$<name>”.'],
  [/^incomplete input$/, 'The statement is not complete.'],
];

/** Kinds whose existing names are known, so that a similar one can be suggested. */
const KNOWN = new Set(['table', 'column', 'function']);

export interface SqlFacts {
  readonly message: string;
  /**
   * `name`: the object of the error, as SQLite spells it. `missing`: the kind of object that SQLite did not find; `name` is then without
   * table and database.
   */
  readonly detail?: { readonly name: string; readonly missing?: string };
}

/** SQLite's message as a sentence. An unknown message stays as SQLite wrote it. */
export function describeSql(message: string): SqlFacts {
  for (const [pattern, text] of REWORDED) {
    const match = pattern.exec(message);
    if (!match) continue;
    const { name, missing = '' } = match.groups ?? {};
    const sentence = message.replace(pattern, text);
    if (name === undefined) return { message: sentence };
    const detail = KNOWN.has(missing) ? { missing, name: name.slice(name.lastIndexOf('.') + 1) } : { name };
    return { message: sentence, detail };
  }
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return { message: /[.!?]$/.test(sentence) ? sentence : `${sentence}.` };
}

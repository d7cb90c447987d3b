// SQLite's messages as sentences.

const REWORDED: readonly (readonly [RegExp, string])[] = [
  [/^near "([^]*)": syntax error$/, 'Syntax error near “$1”.'],
  [
    /^no such (table|column|index|view|trigger|function|module|savepoint|collation sequence): ([^]*)$/,
    'There is no $1 named “$2”.',
  ],
  [/^unrecognized token: "([^]*)"$/, '“$1” is not a part of SQL.'],
  [/^(table|view|trigger) "?([^]*?)"? already exists$/, 'There is already a $1 named “$2”.'],
  [/^index "?([^]*?)"? already exists$/, 'There is already an index named “$1”.'],
  [/^incomplete input$/, 'The statement is not complete.'],
];

/** SQLite's message as a sentence. What we have no words for stays SQLite's own. */
export function describeSql(message: string): string {
  for (const [pattern, text] of REWORDED) if (pattern.test(message)) return message.replace(pattern, text);
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

export type MissingKind = 'table' | 'column' | 'function';

/** What SQLite looked for in vain, without the names of tables or databases before it; null where its message is about something else. */
export function missingIn(message: string): { readonly missing: MissingKind; readonly name: string } | null {
  const [, kind, name] = /^no such (table|column|function): ([^]*)$/.exec(message) ?? [];
  return kind === undefined ? null : { missing: kind as MissingKind, name: name!.slice(name!.lastIndexOf('.') + 1) };
}

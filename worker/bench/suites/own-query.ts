// The user's own SQL on a copy of their own database, a copy for each sample: whatever it does, each engine does the same.
import { AppError } from '#shared/protocol/errors.ts';
import { trimmedEnd } from '#shared/trimmed.ts';
import { exec, read, run } from '../program.ts';
import type { BenchSuite } from '../suite.ts';

export const ownQuery: BenchSuite = {
  id: 'own-query',
  tests: [
    {
      id: 'query',
      title: 'Your SQL',
      kind: 'throughput',
      unit: 'ms',
      transaction: 'As the SQL says.',
      database: 'fresh',
      program({ own }) {
        if (!own) throw AppError.unavailable('There is no query of your own to measure.');
        const sql = trimmedEnd(own.sql.trim(), ';');
        // Text in quotes may hold a semicolon: a statement mistaken for a script is merely not compared row by row.
        if (sql.includes(';')) return { ...fileOf(own.file), prepare: [], timed: [exec(own.sql)], check: [] };
        const isRead = readsOnly(sql);
        const step = isRead || ANSWERS.test(sql) ? read(sql) : run(sql, [[]]);
        // A fresh copy is in no engine's cache, so a reading statement runs once before it is timed.
        return { ...fileOf(own.file), prepare: isRead ? [step] : [], timed: [step], check: [], readsOnly: isRead };
      },
    },
  ],
};

/** Has rows although it may write. */
const ANSWERS = /^\s*PRAGMA\b|\bRETURNING\b/i;

/** When in doubt, the statement counts as writing. */
function readsOnly(sql: string): boolean {
  const text = sql.replace(/^(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '');
  if (!/^WITH\b/i.test(text)) return /^(SELECT|VALUES|EXPLAIN)\b/i.test(text);
  return !/\b(INSERT|UPDATE|DELETE)\b|\bREPLACE\s+INTO\b/i.test(text);
}

const fileOf = (file: Uint8Array): { readonly file?: Uint8Array } => (file.length > 0 ? { file } : {});

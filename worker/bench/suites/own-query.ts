// The person's own SQL on a copy of their own database, a copy for each sample: whatever it does, each engine does the same.
import { AppError } from '#shared/protocol/errors.ts';
import { exec, read } from '../program.ts';
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
        if (!own) throw new AppError({ code: 'unavailable', message: 'There is no query of your own to measure.' });
        const sql = own.sql.trim().replace(/;+$/, '');
        // Text in quotes may hold a semicolon: what looks like a script by mistake is only not compared row by row.
        if (sql.includes(';')) return { ...fileOf(own.file), prepare: [], timed: [exec(own.sql)], check: [] };
        const query = read(sql);
        const isRead = /^(SELECT|WITH|VALUES|EXPLAIN)\b/i.test(sql);
        // A copy is in nobody's cache: what only reads is done once before.
        return { ...fileOf(own.file), prepare: isRead ? [query] : [], timed: [query], check: [] };
      },
    },
  ],
};

const fileOf = (file: Uint8Array): { readonly file?: Uint8Array } => (file.length > 0 ? { file } : {});

// Shows concurrent work in readable form.
import type { ShownStatement } from '#shared/bench/result.ts';
import { SQL } from './bank.ts';
import type { ConcurrentWork } from './bank.ts';

export function showConcurrent({ readers, windowMs, dialect }: ConcurrentWork): readonly ShownStatement[] {
  const transaction = [dialect === 'sqlite' ? 'BEGIN IMMEDIATE' : 'BEGIN', SQL.pay, SQL.receive, SQL.note, 'COMMIT'];
  const many = readers === 1 ? 'the reader' : `each of ${readers} readers`;
  return [
    {
      part: 'timed',
      sql: `-- the writer, for ${windowMs} ms, each statement prepared once\n${transaction.join(';\n')};`,
      times: 1,
    },
    { part: 'timed', sql: `-- ${many} in the meantime, prepared once\n${SQL.read};`, times: 1 },
    { part: 'checked', sql: `${SQL.ledger};\n${SQL.accounts};`, times: 1 },
    ...(dialect === 'sqlite' ? [{ part: 'checked', sql: 'PRAGMA integrity_check', times: 1 } as const] : []),
  ];
}

// The statements of an SQL file that were not run: where they are, why, and how they begin.
import type { ReactNode } from 'react';
import type { TransferContents } from '#shared/protocol/index.ts';
import { formatCount, plural } from '../../ui/format.ts';

export function LeftStatements({ sql }: { readonly sql: NonNullable<TransferContents['sql']> }): ReactNode {
  const { notUnderstood, statements } = sql;
  if (notUnderstood === 0) return null;
  const hidden = notUnderstood - statements.length;
  return (
    <section className="transfer-left" aria-label="Statements that were not understood">
      <h2>{`${plural(notUnderstood, 'statement')} not understood`}</h2>
      <p className="import-note">
        {`${notUnderstood === 1 ? 'It was' : 'They were'} not run.${hidden > 0 ? ` The first ${formatCount(statements.length)} are shown.` : ''}`}
      </p>
      <ol>
        {statements.map(({ line, reason, text }, at) => (
          <li key={at}>
            <span className="transfer-line">{line > 0 ? `Line ${formatCount(line)}` : 'At the end'}</span>
            <span className="transfer-reason">{reason}</span>
            {text !== '' && <code>{text}</code>}
          </li>
        ))}
      </ol>
    </section>
  );
}

// The transaction of this database, beside the buttons that run SQL: begin, pending changes, commit, roll back, savepoints.
import { ChevronDown } from 'lucide-react';
import { memo } from 'react';
import type { ReactNode } from 'react';
import type { DatabaseId, OpenTransaction } from '#shared/protocol/index.ts';
import { capabilitiesOf } from '#shared/protocol/index.ts';
import { quoteName } from '#shared/ddl/names.ts';
import { visibleName } from '#shared/visible-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatMoment, formatTime, plural } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import type { MenuEntry } from '../../ui/menu.tsx';
import { whyNotWithout } from '../../workbench/databases/no-transactions.ts';
import type { QuerySession } from './query-session.ts';

interface TransactionControlProps {
  readonly session: QuerySession;
  readonly database: DatabaseId;
  readonly isBusy: boolean;
  readonly transaction: OpenTransaction | null;
  readonly isMine: boolean;
}

export const TransactionControl = memo(function TransactionControl({
  session,
  database,
  isBusy,
  transaction,
  isMine,
}: TransactionControlProps): ReactNode {
  if (!transaction)
    return (
      <span className="row gap-6 shrink-x push-end">
        <Button
          size="small"
          disabled={isBusy}
          why={whyNotWithout(database, 'transaction')}
          title={`Begins a transaction. Until you commit it or roll it back, other windows can read but not write${limitOf(database)}`}
          onClick={() => session.control('BEGIN')}
        >
          Begin
        </Button>
      </span>
    );
  return isMine && !transaction.isUnderReview ? (
    <OwnTransaction session={session} database={database} isBusy={isBusy} transaction={transaction} />
  ) : (
    <span className="row gap-6 shrink-x push-end">
      <Badge transaction={transaction} isMine={isMine} />
    </span>
  );
});

/** A transaction that is ended elsewhere: in another window, or where its changes are listed to be kept or discarded. */
function Badge({ transaction, isMine }: Pick<OwnProps, 'transaction'> & { readonly isMine: boolean }): ReactNode {
  const pending = pendingLabel(transaction);
  return isMine ? (
    <span
      className="query-badge"
      title={`${pending}. These changes are kept or discarded where they are listed. Until then, nothing else is written to this database.`}
    >
      {plural(transaction.changes, 'change')} to keep or discard
    </span>
  ) : (
    <span
      className="query-badge"
      title={`${pending}. What it changed is visible here but not committed. This window can read now, and write when that transaction ends.`}
    >
      {transaction.windowTitle} has an open transaction
    </span>
  );
}

/** `sqld` does so after 5 seconds. */
const limitOf = (database: DatabaseId): string =>
  capabilitiesOf(database).lastingTransactions
    ? ''
    : '. If another client waits to write, the server rolls it back after a few seconds';

interface OwnProps extends Pick<TransactionControlProps, 'session' | 'database' | 'isBusy'> {
  readonly transaction: OpenTransaction;
}

function OwnTransaction({ session, database, isBusy, transaction }: OwnProps): ReactNode {
  return (
    <span className="row gap-6 shrink-x push-end" role="group" aria-label="Transaction">
      <span
        className="query-badge"
        title={`Transaction open since ${formatMoment(transaction.sinceMs)}. Its changes are visible in all windows but not saved yet. Closing this window rolls them back${limitOf(database)}.`}
      >
        {pendingLabel(transaction)}
      </span>
      <Menu
        align="end"
        trigger={
          <IconButton label="Savepoints" disabled={isBusy}>
            <ChevronDown size={14} aria-hidden />
          </IconButton>
        }
        entries={savepointEntries(transaction.savepoints, (sql) => session.control(sql))}
      />
      <Button size="small" variant="primary" disabled={isBusy} onClick={() => session.control('COMMIT')}>
        Commit
      </Button>
      <Button size="small" variant="danger" disabled={isBusy} onClick={() => session.control('ROLLBACK')}>
        Roll back
      </Button>
    </span>
  );
}

/** “3 changes since 14:02, savepoints a and b” */
function pendingLabel({ changes, sinceMs, savepoints }: OpenTransaction): string {
  const names = savepoints.map((name) => `“${visibleName(name)}”`).join(', ');
  const what = changes === 0 ? 'Transaction open' : `${plural(changes, 'change')} pending`;
  return `${what} since ${formatTime(sinceMs)}${names && `, ${savepoints.length === 1 ? 'savepoint' : 'savepoints'} ${names}`}`;
}

function savepointEntries(savepoints: readonly string[], run: (sql: string) => void): readonly MenuEntry[] {
  const next = freeName(savepoints);
  return [
    { label: `Set savepoint “${next}”`, run: () => run(`SAVEPOINT ${next}`) },
    ...[...savepoints].reverse().flatMap((name): readonly MenuEntry[] => [
      'separator',
      {
        label: `Roll back to “${visibleName(name)}”`,
        run: () => run(`ROLLBACK TO ${quoteName(name)}`),
        danger: true,
      },
      { label: `Release “${visibleName(name)}”`, run: () => run(`RELEASE ${quoteName(name)}`) },
    ]),
  ];
}

function freeName(taken: readonly string[]): string {
  for (let number = 1; ; number++) if (!taken.includes(`savepoint_${number}`)) return `savepoint_${number}`;
}

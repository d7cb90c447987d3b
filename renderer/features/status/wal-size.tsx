// How much of the current database is only in the WAL, in the status bar: polled after each commit until a checkpoint has emptied it.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { DatabaseFile, DatabaseId, DatabaseState } from '#shared/protocol/index.ts';
import { runCommand } from '../../workbench/commands/commands.ts';
import { client } from '../../connection/database-client.ts';
import { formatBytes, formatMoment } from '../../ui/format.ts';
import { Tooltip } from '../../ui/tooltip.tsx';

/** Minimum time between two queries, however many commits there are. */
const ASK_EVERY_MS = 500;

export function WalSize({ state: { entry, journalMode } }: { readonly state: DatabaseState }): ReactNode {
  const isWal = journalMode === 'wal';
  const file = useWal(entry.id, isWal);
  const size = file === null || file.checkpointed ? 'empty' : formatBytes(file.walSizeBytes);
  return (
    <Tooltip text={isWal ? asText(file) : `Journal mode ${journalMode}: every commit is in the file itself.`}>
      <button
        type="button"
        className="status-button status-optional status-wal"
        aria-label={isWal ? `WAL: ${size}` : `Journal: ${journalMode}`}
        onClick={() => void runCommand('database.file')}
      >
        {isWal ? 'WAL' : 'journal'} <b>{isWal ? size : journalMode}</b>
      </button>
    </Tooltip>
  );
}

function asText(file: DatabaseFile | null): string {
  if (file === null) return 'Journal mode wal.';
  const place = file.checkpointed
    ? 'Everything committed is in the database file; the WAL is empty.'
    : `The last commits (${formatBytes(file.walSizeBytes)}) are safe in the WAL but not in the database file yet.`;
  const last = file.lastCheckpointAtMs;
  return `${place}\n${last === null ? 'No checkpoint since it was opened.' : `Last checkpoint: ${formatMoment(last)}.`}`;
}

function useWal(database: DatabaseId, isWal: boolean): DatabaseFile | null {
  const [known, setKnown] = useState<{ readonly of: DatabaseId; readonly file: DatabaseFile } | null>(null);
  useEffect(() => {
    if (!isWal) return undefined;
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isCurrent = true;
    const askSoon = (): void => {
      timer ??= setTimeout(() => {
        client.call('database.file', { database }).then(take, () => (timer = null));
      }, ASK_EVERY_MS);
    };
    const take = (file: DatabaseFile): void => {
      timer = null;
      if (!isCurrent) return;
      setKnown({ of: database, file });
      // A checkpoint sends no event, so poll.
      if (!file.checkpointed) askSoon();
    };
    askSoon();
    const off = client.on('database.changed', (changed) => {
      if (changed.database === database) askSoon();
    });
    return () => {
      isCurrent = false;
      off();
      if (timer) clearTimeout(timer);
    };
  }, [database, isWal]);
  return known?.of === database ? known.file : null;
}

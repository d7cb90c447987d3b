// Shows where a database is stored, how much of it is only in the WAL, and which other windows have it open.
import { useCallback } from 'react';
import type { ReactNode } from 'react';
import { capabilitiesOf } from '#shared/protocol/index.ts';
import type { DatabaseFile, DatabaseState } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { wordsOf } from '../../workbench/databases/database-words.tsx';
import { connectionOf } from '../../state/slices/remote.ts';
import { useStore } from '../../state/store.ts';
import { usePolled } from '../../ui/use-polled.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatBytes, formatCount, formatMoment, plural } from '../../ui/format.ts';
import './file-dialog.css';
import { sourceLabels } from './source-labels.ts';

const REFRESH_MS = 500;

interface FileDialogProps {
  readonly state: DatabaseState;
  readonly onClose: () => void;
}

export function FileDialog({ state, onClose }: FileDialogProps): ReactNode {
  const file = useFile(state.entry.id);
  const source = useStore(({ sources }) => sources[state.entry.id] ?? null);
  const { entry } = state;
  const address = useStore((store) => connectionOf(store, entry.id)?.address ?? '');
  const words = sourceLabels(source, entry.source?.fileName ?? '');
  return (
    <Dialog
      title={`Where “${entry.name}” lives`}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <dl className="figures flush file-facts">
        <Fact name="Data">{wordsOf(entry.id).data(entry, address)}</Fact>
        {capabilitiesOf(entry.id).sourceFile && (
          <Fact name="Source">
            {entry.source ? `${entry.source.displayPath}\n${words.sentence}` : words.sentence}
            {source?.sameAtMs != null && `\nThey were last the same on ${formatMoment(source.sameAtMs)}.`}
          </Fact>
        )}
        {file && <FileFacts file={file} state={state} />}
      </dl>
    </Dialog>
  );
}

function FileFacts({ file, state }: { readonly file: DatabaseFile; readonly state: DatabaseState }): ReactNode {
  const { sizeBytes, walSizeBytes, checkpointed, lastCheckpointAtMs, windows } = file;
  if (!capabilitiesOf(state.entry.id).file)
    return (
      <>
        <Fact name="Durability">The server decides when a commit is on its disk.</Fact>
        <Fact name="Open in">{windows.join(', ')}</Fact>
      </>
    );
  return (
    <>
      <Fact name="File">
        {formatBytes(sizeBytes)}, {plural(Math.round(sizeBytes / Math.max(1, state.pageSize)), 'page')} of{' '}
        {formatCount(state.pageSize)} bytes
      </Fact>
      <Fact name="WAL">
        {formatBytes(walSizeBytes)}
        {checkpointed ? ', everything is in the file' : ', the latest commits are only here'}
      </Fact>
      <Fact name="Checkpoint">
        {lastCheckpointAtMs === null ? 'none since it was opened' : formatMoment(lastCheckpointAtMs)}
      </Fact>
      <Fact name="Durability">
        {state.durability === 'full'
          ? 'full: on disk after each commit'
          : 'balanced: a power loss can lose the last commits'}
        {`, journal mode ${state.journalMode}`}
      </Fact>
      <Fact name="Open in">{windows.join(', ')}</Fact>
      {state.transaction && (
        <Fact name="Not saved yet">The open transaction in {state.transaction.windowTitle}, until COMMIT.</Fact>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function useFile(database: string): DatabaseFile | null {
  const ask = useCallback(() => client.call('database.file', { database }), [database]);
  return usePolled(ask, REFRESH_MS);
}

// The content of an import tab whose file consists of tables: how it is read on the left, its contents on the right.
import { Import } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { ImportFormatId } from '#shared/import-formats.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, plural } from '../../ui/format.ts';
import { RunBar } from '../../ui/run-bar.tsx';
import { useCommand } from '../../workbench/commands/commands.ts';
import { LeftStatements } from './left-statements.tsx';
import { RunningImport } from './running-import.tsx';
import { chosenRows, whyNoTransfer } from '#shared/import/transfer-choices.ts';
import { TransferOptions } from './transfer-options.tsx';
import { TransferOutcomePart } from './transfer-outcome.tsx';
import type { TransferSession } from './transfer-session.ts';
import { TransferTables } from './transfer-tables.tsx';
import type { TransferView } from './transfer-view.ts';
import './transfer.css';

interface TransferPartProps {
  readonly tabId: string;
  readonly session: TransferSession;
  readonly format: ImportFormatId;
  readonly onFormat: (format: ImportFormatId) => void;
}

export function TransferPart({ tabId, session, format, onFormat }: TransferPartProps): ReactNode {
  const view = useSyncExternalStore(session.subscribe, session.view);
  const isActive = useStore(({ activeTabId }) => activeTabId === tabId);
  const isBusy = view.running !== null || view.reading !== null;
  useCommand('work.stop', () => session.stop(), isActive && isBusy);
  return (
    <div className="tab-page">
      <TransferBar session={session} view={view} />
      {view.problem && (
        <p className="import-problem" role="alert">
          {view.problem}
        </p>
      )}
      {view.outcome ? (
        <TransferOutcomePart session={session} view={view} outcome={view.outcome} />
      ) : (
        <div className="import-body">
          <div className="import-options" role="region" aria-label="Choices" tabIndex={-1} inert={isBusy}>
            <TransferOptions session={session} view={view} format={format} onFormat={onFormat} />
          </div>
          <div className="import-right" inert={isBusy}>
            <Content session={session} view={view} />
          </div>
        </div>
      )}
    </div>
  );
}

function TransferBar({ session, view }: { readonly session: TransferSession; readonly view: TransferView }): ReactNode {
  const { fileName, contents, running, reading, outcome, choices, taken } = view;
  const busy = running ?? reading;
  const chosen = choices.tables.filter(({ isChosen }) => isChosen).length;
  return (
    <RunBar label="Import">
      {busy ? (
        <RunningImport running={busy} onStop={() => session.stop()} />
      ) : (
        <>
          <b className="import-name" title={fileName}>
            {fileName}
          </b>
          {contents && <span className="import-size">{formatBytes(contents.sizeBytes)}</span>}
          {contents && !outcome && (
            <Button
              size="small"
              variant="primary"
              why={whyNoTransfer(choices, taken)}
              onClick={() => void session.run()}
            >
              <Import size={14} aria-hidden /> {`Import ${plural(chosen, 'table')}`}
            </Button>
          )}
          {contents && !outcome && <span className="import-size">{plural(chosenRows(choices), 'row')}</span>}
        </>
      )}
    </RunBar>
  );
}

function Content({ session, view }: { readonly session: TransferSession; readonly view: TransferView }): ReactNode {
  const { contents, failure } = view;
  if (failure !== null)
    return (
      <div className="center-message" role="alert">
        <p>{failure}</p>
        <div className="import-buttons">
          <Button onClick={() => void session.readAgain()}>Read the file again</Button>
        </div>
      </div>
    );
  if (!contents) return <div className="transfer" />;
  return (
    <div className="transfer">
      <TransferTables session={session} view={view} />
      {contents.notes.length > 0 && (
        <ul className="transfer-notes" aria-label="Notes">
          {contents.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {contents.sql && <LeftStatements sql={contents.sql} />}
    </div>
  );
}

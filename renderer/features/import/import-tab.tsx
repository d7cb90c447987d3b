// The content of an import tab: the file on the left, the rows as stored on the right, and the import itself.
import { memo, useEffect, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { Import } from 'lucide-react';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { updateTab, useStore } from '../../state/store.ts';
import type { TabContentProps } from '../../state/tab-kinds.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatCount, plural } from '../../ui/format.ts';
import { amountText, timeLeftText } from '../../ui/progress-text.ts';
import { RunBar } from '../../ui/run-bar.tsx';
import { useElapsed } from '../../ui/use-elapsed.ts';
import { useTimeLeft } from '../../ui/use-time-left.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { importClipboard } from '../../workbench/tabs/import.ts';
import type { ImportTab } from '../../workbench/tabs/import.ts';
import { FileOptions } from './file-options.tsx';
import { importLabel } from './import-label.ts';
import { importSessionOf } from './import-session.ts';
import type { ImportSession } from './import-session.ts';
import { isCounting, isSameButProgress } from './import-view.ts';
import type { ImportView } from './import-view.ts';
import { OutcomePart } from './outcome-part.tsx';
import { PreviewPart } from './preview-part.tsx';
import { Problem } from './problem.tsx';
import { ReadingsPart } from './readings-part.tsx';
import { RecipeBanner } from './recipe-banner.tsx';
import { RunningImport } from './running-import.tsx';
import { TargetOptions } from './target-options.tsx';
import { TransferPart } from './transfer-part.tsx';
import { whyNot } from './why-not.ts';
import './import.css';
import './column-cards.css';
import './import-outcome.css';

export function ImportTabContent({ tab }: TabContentProps<ImportTab>): ReactNode {
  const session = importSessionOf(tab);
  const view = useSyncExternalStore(session.subscribe, session.view);
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  useCommand('work.stop', () => session.runner.stop(), isActive && view.running !== null);
  if (!view.detected || !view.options)
    return view.failure ? <Unreadable tab={tab} session={session} failure={view.failure} /> : <Detecting />;
  if (session.transfer)
    return (
      <TransferPart
        tabId={tab.id}
        session={session.transfer}
        format={view.detected.options.format}
        onFormat={(format) => void session.setOptions({ format })}
      />
    );
  return (
    <div className="tab-page">
      <ImportBar session={session} view={view} />
      {view.recipe && !view.outcome && <RecipeBanner session={session} offered={view.recipe} view={view} />}
      {!view.outcome && <ReadingsPart session={session} view={view} />}
      {view.outcome ? (
        <OutcomePart tabId={tab.id} session={session} outcome={view.outcome} />
      ) : (
        <ChoicesAndPreview tabId={tab.id} session={session} view={view} />
      )}
      <Problem text={view.failure?.message ?? null} />
      <Problem text={view.problem} />
    </div>
  );
}

interface ChoicesAndPreviewProps {
  readonly tabId: string;
  readonly session: ImportSession;
  readonly view: ImportView;
}

/** Redrawing all of it with each report of an import was a third of the window's work. */
const ChoicesAndPreview = memo(
  ({ tabId, session, view }: ChoicesAndPreviewProps): ReactNode => (
    <div className="fill import-body">
      <div className="import-options" role="region" aria-label="Choices" tabIndex={-1} inert={view.running !== null}>
        {/* Starts with what only the user knows; what the file is has been detected, and rarely needs a change. */}
        <TargetOptions session={session} view={view} />
        <FileOptions session={session} detected={view.detected!} options={view.options!} />
      </div>
      <div className="shrink-x shrink-y import-right" inert={view.running !== null}>
        <PreviewPart tabId={tabId} session={session} view={view} />
      </div>
    </div>
  ),
  (before, now) =>
    before.tabId === now.tabId && before.session === now.session && isSameButProgress(before.view, now.view),
);

interface ImportBarProps {
  readonly session: ImportSession;
  readonly view: ImportView;
}

function ImportBar({ session, view }: ImportBarProps): ReactNode {
  const { fileName, detected, running, outcome, analysis } = view;
  return (
    <RunBar label="Import">
      {running ? (
        <RunningImport running={running} onStop={() => session.runner.stop()} />
      ) : (
        <>
          <b className="cut shrink-x import-name" title={fileName}>
            {fileName}
          </b>
          <span className="import-size">{formatBytes(detected!.sizeBytes)}</span>
          {/* Moves nothing when the rows are counted that it names. */}
          {!outcome && (
            <Button
              size="small"
              variant="primary"
              title={findsTypes(view) ? 'The import finds the types of the columns while it reads the file' : undefined}
              why={whyNot(view)}
              onClick={() => void session.run()}
            >
              <Import size={14} aria-hidden /> {importLabel(view)}
            </Button>
          )}
          {analysis?.state === 'running' && !outcome && <Counting analysis={analysis} />}
          {analysis?.state === 'done' && !outcome && (
            <span className="push-end import-size">
              {plural(analysis.analysis.records, 'row')}
              {analysis.analysis.problems > 0 && `, ${formatCount(analysis.analysis.problems)} unreadable`}
            </span>
          )}
          {analysis?.state === 'failed' && (
            <span className="import-bad" title={analysis.message}>
              {analysis.message}
            </span>
          )}
        </>
      )}
    </RunBar>
  );
}

/** The import need not wait until the whole file has been read for its types. */
const findsTypes = ({ analysis, columns, target }: ImportView): boolean =>
  isCounting(analysis) &&
  columns.some(({ isTypeChosen, isNew }) => !isTypeChosen && (target.kind === 'new-table' || isNew));

function Counting({
  analysis: { progress, startedAtMs },
}: {
  readonly analysis: Extract<ImportView['analysis'], { readonly state: 'running' }>;
}): ReactNode {
  const elapsedMs = useElapsed(startedAtMs);
  const leftMs = useTimeLeft(progress, elapsedMs ?? 0);
  if (elapsedMs === null) return null;
  const parts = ['Reading the whole file', progress && amountText(progress), leftMs !== null && timeLeftText(leftMs)];
  return <span className="import-size">{parts.filter(Boolean).join(' · ')}</span>;
}

interface UnreadableProps {
  readonly tab: ImportTab;
  readonly session: ImportSession;
  readonly failure: NonNullable<ImportView['failure']>;
}

function Unreadable({ tab, session, failure }: UnreadableProps): ReactNode {
  const choose = async (): Promise<void> => {
    try {
      const [file] = await shell.chooseFiles('rows');
      if (!file) return;
      updateTab<ImportTab>(tab.id, { token: file.token, fileName: file.fileName });
      await session.setFile(file.token, file.fileName);
    } catch (thrown) {
      notifyFailure(thrown);
    }
  };
  return (
    <div className="center-message" role="alert">
      <p>{failure.message}</p>
      <div className="import-buttons">
        <Button onClick={() => void choose()}>Choose a file…</Button>
        {tab.token === null && <Button onClick={() => void importClipboard(tab.into)}>Import from clipboard</Button>}
      </div>
    </div>
  );
}

/** Shown once detection has taken long enough for the text to be read. */
function Detecting(): ReactNode {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), 400);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="center-message" role="status">
      {isLate && <p>Reading the beginning of the file…</p>}
    </div>
  );
}

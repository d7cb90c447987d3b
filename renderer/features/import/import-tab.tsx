// The content of an import tab: the file on the left, the rows as stored on the right, and the import itself.
import { memo, useEffect, useState, useId, type ReactNode } from 'react';
import { Import } from 'lucide-react';
import { missingIn } from '#shared/import/new-columns.ts';
import { visibleName, visibleLine } from '#shared/visible-text.ts';
import { recipeTitle, type OfferedRecipe } from '#shared/import/recipes.ts';
import type { FileReading } from '#shared/protocol/index.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { updateTab, useStore } from '../../state/store.ts';
import type { TabContentProps } from '../../state/tab-kinds.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatCount, plural, formatWhen } from '../../ui/format.ts';
import { amountText, timeLeftText } from '../../ui/progress-text.ts';
import { RunBar } from '../../ui/run-bar.tsx';
import { useElapsed } from '../../ui/use-elapsed.ts';
import { useTimeLeft } from '../../ui/use-time-left.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { importClipboard, type ImportTab } from '../../workbench/tabs/import.ts';
import { FileOptions } from './file-options.tsx';
import { importLabel, whyNot } from './import-label.ts';
import { importSessionOf, type ImportSession } from './import-session.ts';
import { isCounting, isSameButProgress, type ImportView } from './import-view.ts';
import { readingAt } from './near-readings.ts';
import { OutcomePart } from './outcome-part.tsx';
import { PreviewPart } from './preview-part.tsx';
import { Problem } from './problem.tsx';
import { showRecipes } from './recipes-shown.ts';
import { RunningImport } from './running-import.tsx';
import { TargetOptions } from './target-options.tsx';
import { TransferPart } from './transfer-part.tsx';
import './import.css';

// Offers the choices for an earlier file like this one with one click, and says how the files differ.

interface RecipeBannerProps {
  readonly session: ImportSession;
  readonly offered: OfferedRecipe;
  readonly view: ImportView;
}

function RecipeBanner({ session, offered, view }: RecipeBannerProps): ReactNode {
  const { recipe, differences, isApplied } = offered;
  const { target, savedAtMs } = recipe;
  const name = recipeTitle(recipe);
  const newColumns = addable(view);
  const table = target.kind === 'table' ? target.table : target.newTable;
  const said = isApplied
    ? `The choices for “${name}” are used.`
    : `“${name}” was imported into “${table ?? ''}” ${formatWhen(savedAtMs)}.`;
  return (
    <section className="stack fixed gap-4 import-recipe" aria-label="Choices of an earlier import">
      <div className="row gap-12">
        {/* Stays where it is when it has been pressed, and keeps the focus. */}
        <Button
          size="small"
          why={isApplied ? 'These choices are used.' : null}
          onClick={() => void session.applyRecipe()}
        >
          Use the same choices
        </Button>
        <Button size="small" onClick={() => showRecipes(true)}>
          All recipes…
        </Button>
        <p className="fill-x cut" title={said}>
          {said}
        </p>
        {isApplied && newColumns.length > 0 && (
          <Button size="small" onClick={() => session.addToTable(null)}>
            {`Add ${newColumns.length === 1 ? `“${visibleName(newColumns[0]!)}”` : plural(newColumns.length, 'column')} to the table`}
          </Button>
        )}
      </div>
      <ul aria-label="Differences">
        {differences.length === 0 ? (
          <li>It has the same columns.</li>
        ) : (
          differences.map((difference) => <li key={difference}>{difference}</li>)
        )}
      </ul>
    </section>
  );
}

/** Names in the file of the columns that the existing table could get. */
const addable = ({ columns, detail }: ImportView): readonly string[] =>
  detail?.kind === 'table'
    ? missingIn(
        columns,
        detail.columns.map(({ name }) => name),
      ).map((at) => columns[at]!.source)
    : [];

export function ImportTabContent({ tab }: TabContentProps<ImportTab>): ReactNode {
  const session = importSessionOf(tab);
  const view = session.useView();
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

function ImportBar({ session, view }: Pick<ChoicesAndPreviewProps, 'session' | 'view'>): ReactNode {
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
          <span className="one-line dim">{formatBytes(detected!.sizeBytes)}</span>
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
            <span className="push-end one-line dim">
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
  return <span className="one-line dim">{parts.filter(Boolean).join(' · ')}</span>;
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

// The readings of a file that are near, side by side with some of their rows: the one that is used, and what is also possible.

function ReadingsPart({
  session,
  view: { near, options, running },
}: Pick<ChoicesAndPreviewProps, 'session' | 'view'>): ReactNode {
  const name = useId();
  if (near === null || options === null) return null;
  const used = readingAt(near, options);
  return (
    <fieldset className="gap-8 fixed sunken flush shrink-x import-readings" disabled={running !== null}>
      <legend className="visually-hidden">Ways to read this file</legend>
      {near.readings.map((reading, at) => (
        <ReadingCard
          key={reading.title}
          name={name}
          reading={reading}
          isDetected={at === 0}
          isUsed={at === used}
          onChoose={() => void session.chooseReading(at)}
        />
      ))}
    </fieldset>
  );
}

interface ReadingCardProps {
  /** Name of the group of radio buttons. */
  readonly name: string;
  readonly reading: FileReading;
  readonly isDetected: boolean;
  readonly isUsed: boolean;
  readonly onChoose: () => void;
}

function ReadingCard({ name, reading, isDetected, isUsed, onChoose }: ReadingCardProps): ReactNode {
  const { title, reason, columns, columnCount, rows } = reading;
  const reasonId = useId();
  return (
    <div className={isUsed ? 'import-reading used' : 'import-reading'}>
      <label className="import-reading-title" title={title}>
        <input type="radio" name={name} checked={isUsed} aria-describedby={reasonId} onChange={onChoose} />
        {title} <span className="dim import-reading-count">{plural(columnCount, 'column')}</span>
      </label>
      <p id={reasonId} className="small faint import-reading-reason" title={reason}>
        {isDetected ? 'Detected' : 'Also possible'}: {reason}
      </p>
      <table aria-label={`First rows: ${title}`}>
        <thead>
          <tr>
            {columns.map((column, place) => (
              <th key={place} scope="col">
                {visibleLine(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((texts, row) => (
            <tr key={row}>
              {columns.map((_, place) => (
                <td key={place}>{visibleLine(texts[place] ?? '')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// The content of a tab that fills a table: number of rows, source of values for each column, and the first rows as they will be stored.
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { CircleCheck, Dices } from 'lucide-react';
import type { SuggestedColumn } from '#shared/protocol/index.ts';
import { sourceProblem } from '#shared/sample-rows/source-values.ts';
import { Grid } from '../../grid/grid.tsx';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { PLAIN_VIEW } from '../../grid/layout/geometry.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useStore } from '../../state/store.ts';
import type { TabContentProps } from '../../state/tab-kinds.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CenterMessage } from '../../ui/center-message.tsx';
import { CommittedField } from '../../ui/committed-field.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { amountText, shareOf, timeLeftText } from '../../ui/progress-text.ts';
import { RunBar, RunProgress } from '../../ui/run-bar.tsx';
import { useElapsed } from '../../ui/use-elapsed.ts';
import { useTimeLeft } from '../../ui/use-time-left.ts';
import { commandKeyLabel, useCommand } from '../../workbench/commands/commands.ts';
import { useCopyCommands } from '../../workbench/cells/use-copy-commands.ts';
import { MemorySource } from '../../workbench/rows/memory-source.ts';
import type { SampleRowsTab } from '../../workbench/tabs/sample-rows.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import { ColumnSources } from './column-sources.tsx';
import { outcomeText, perSecond } from './outcome-labels.ts';
import { chosenColumns, sampleRowsSessionOf } from './sample-rows-session.ts';
import type { SampleRowsSession, SampleRowsView } from './sample-rows-session.ts';
import './sample-rows.css';

const MOST_ROWS = 100_000_000;
const MOST_SEED = 2 ** 32 - 1;

export function SampleRowsTabContent({ tab }: TabContentProps<SampleRowsTab>): ReactNode {
  const session = sampleRowsSessionOf(tab);
  const view = session.useView();
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  const { suggested, running } = view;
  const columns = useMemo(() => suggested && chosenColumns(suggested, tab.chosen), [suggested, tab.chosen]);
  useEffect(() => void session.refresh(), [session]);
  useCommand('work.stop', () => session.stop(), isActive && running !== null);
  useCommand('view.refresh', () => void session.refresh(), isActive);
  if (view.failure !== null)
    return <CenterMessage role="alert" text={view.failure} onTryAgain={() => void session.refresh()} />;
  return (
    <div className="tab-page">
      <SampleBar tab={tab} session={session} view={view} columns={columns} />
      <Outcome tab={tab} session={session} view={view} />
      {columns && (
        <div className="stack fill sample-rows-body" inert={running !== null}>
          <ColumnSources session={session} suggested={suggested!} columns={columns} chosen={tab.chosen.length} />
          <Preview tabId={tab.id} view={view} />
        </div>
      )}
    </div>
  );
}

interface PartProps {
  readonly tab: SampleRowsTab;
  readonly session: SampleRowsSession;
  readonly view: SampleRowsView;
}

function SampleBar({
  tab,
  session,
  view,
  columns,
}: PartProps & { readonly columns: readonly SuggestedColumn[] | null }): ReactNode {
  const { running } = view;
  if (running) return <RunBar label="Sample rows">{<Running running={running} session={session} />}</RunBar>;
  const setRows = (text: string): void => {
    const rows = Number(text.replaceAll(/[,_\s]/g, ''));
    if (Number.isSafeInteger(rows) && rows > 0) session.set({ rows: Math.min(rows, MOST_ROWS) });
  };
  const setSeed = (text: string): void => {
    const seed = Number(text);
    if (Number.isSafeInteger(seed) && seed >= 0) session.set({ seed: Math.min(seed, MOST_SEED) });
  };
  return (
    <RunBar label="Sample rows">
      <Button size="small" variant="primary" why={whyNot(columns)} onClick={() => void session.insert()}>
        Insert {plural(tab.rows, 'row')}
      </Button>
      <span className="cut shrink-x" title={tab.table}>
        into {tab.table}
      </span>
      <label className="row-inline gap-6 fixed sample-rows-option">
        Rows
        <CommittedField className="small-field" value={formatCount(tab.rows)} onCommit={setRows} />
      </label>
      <label className="row-inline gap-6 fixed sample-rows-option" title="The same seed always generates the same rows">
        Seed
        <CommittedField className="small-field" value={String(tab.seed)} onCommit={setSeed} />
      </label>
      <IconButton label="Another seed" onClick={() => session.set({ seed: Math.floor(Math.random() * 1_000_000) })}>
        <Dices size={14} aria-hidden />
      </IconButton>
    </RunBar>
  );
}

function whyNot(columns: readonly SuggestedColumn[] | null): string | null {
  if (!columns) return 'Sidelite is still reading the table.';
  const wrong = columns.find(({ source }) => sourceProblem(source) !== null);
  return wrong ? `${wrong.name}: ${sourceProblem(wrong.source)}` : null;
}

interface RunningProps {
  readonly running: NonNullable<SampleRowsView['running']>;
  readonly session: SampleRowsSession;
}

function Running({ running, session }: RunningProps): ReactNode {
  const { progress, startedAtMs, stopping } = running;
  const elapsedMs = useElapsed(startedAtMs) ?? 0;
  const leftMs = useTimeLeft(progress, elapsedMs);
  const parts = [
    progress?.phase ?? 'Inserting',
    progress && amountText(progress),
    progress && progress.done > 0 && perSecond(progress.done, elapsedMs),
    leftMs !== null && timeLeftText(leftMs),
  ];
  return (
    <RunProgress
      text={parts.filter(Boolean).join(' · ')}
      share={shareOf(progress)}
      elapsedMs={elapsedMs}
      stopping={stopping}
      stopTitle={`Stop and leave the table unchanged (${commandKeyLabel('work.stop') ?? ''})`}
      onStop={() => session.stop()}
    />
  );
}

function Outcome({ tab, session, view: { outcome, problem } }: PartProps): ReactNode {
  if (problem !== null)
    return (
      <p className="ruled-bar break-words error-note sample-rows-problem" role="alert">
        {problem}
      </p>
    );
  if (!outcome) return null;
  return (
    <div className="ruled-bar break-words row wrap sample-rows-outcome">
      <p role="status">
        <CircleCheck size={15} aria-hidden />
        {outcome.isUndone ? 'The rows were removed again.' : outcomeText(outcome)}
      </p>
      <Button size="small" onClick={() => openTable(tab.database, outcome.table)}>
        Open table
      </Button>
      {outcome.step && !outcome.isUndone && (
        <Button size="small" onClick={() => void session.undo()}>
          Undo
        </Button>
      )}
    </div>
  );
}

function Preview({
  tabId,
  view: { preview, previewProblem },
}: {
  readonly tabId: string;
  readonly view: SampleRowsView;
}): ReactNode {
  const grid = useRef<GridHandle>(null);
  const [widths, setWidths] = useState<Readonly<Record<number, number>>>({});
  const isActive = useStore(({ activeTabId }) => activeTabId === tabId);
  useCopyCommands(() => grid.current, isActive);
  const source = useMemo(
    () =>
      preview &&
      new MemorySource(
        preview.columns.map((name) => ({ name, typeLabel: '' })),
        preview.rows.length,
        (row, column) => preview.rows[row]?.[column] ?? null,
      ),
    [preview],
  );
  const count = preview?.rows.length ?? 0;
  return (
    <section className="stack sample-rows-preview" aria-label="Preview">
      {(preview || previewProblem === null) && (
        <p className="fixed dim sample-rows-note" role="status">
          {preview ? `First ${plural(count, 'row')}, as stored` : 'Generating the first rows…'}
        </p>
      )}
      {previewProblem !== null && (
        <p className="ruled-bar break-words error-note sample-rows-problem" role="alert">
          {previewProblem}
        </p>
      )}
      {source && count > 0 && (
        <div className="fill anchor">
          <Grid
            ref={grid}
            source={source}
            view={{ ...PLAIN_VIEW, widths }}
            sort={[]}
            label="Rows as they will be stored"
            onViewChange={(change) => setWidths(change.widths)}
            onError={notifyFailure}
          />
        </div>
      )}
    </section>
  );
}

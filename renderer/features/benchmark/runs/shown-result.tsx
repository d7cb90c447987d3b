// A run on screen: the one in progress, one that could not be saved, or a saved one, by itself or compared with another.
import { useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useStore } from '../../../state/store.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { formatWhen, plural, formatElapsed } from '../../../ui/format.ts';
import { CenterMessage } from '../../../ui/center-message.tsx';
import { ChoiceRow } from '../../../ui/choice-row.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { commandKeyLabel, useCommand } from '../../../workbench/commands/commands.ts';
import type { Choose, ScreenProps } from '../choice.ts';
import { ResultScreen } from '../results/result-screen.tsx';
import { rerunOf, keepResult, useRuns, pauseRun, resumeRun, stopRun, type CurrentRun } from '../run/run-store.ts';
import { ArrowLeft, Pause, Play, Square } from 'lucide-react';
import type { BenchResult } from '#shared/bench/result.ts';
import { useRowWindow } from '../../../ui/use-row-window.ts';
import { engineLabel, formatRatio, formatTime, sizeText, suiteTitle, threeDigits } from '../results/labels.ts';
import { compareRuns, titleOf } from './run-facts.ts';
import type { ComparedCell, Verdict } from './run-facts.ts';
import { useRun, useRunLibrary } from './run-library.ts';
import { compareEntries } from './runs-screen.tsx';

const ROW_HEIGHT = 34;

interface ComparedRun {
  readonly title: string;
  /** “yesterday”: two runs may have the same title. */
  readonly when: string;
  readonly result: BenchResult;
}

interface CompareScreenProps extends ScreenProps {
  readonly before: ComparedRun;
  readonly now: ComparedRun;
}

const SHOWN = [
  { id: 'all', label: 'All' },
  { id: 'changed', label: 'Changed' },
] as const;

/**
 * Two runs compared: the regressions and improvements first, each with its interval, and which conditions
 * differed.
 */
function CompareScreen({ before, now, choice, choose }: CompareScreenProps): ReactNode {
  const { threshold } = choice;
  const [old, fresh] = [before.result, now.result];
  const comparison = useMemo(() => compareRuns(old, fresh, threshold), [old, fresh, threshold]);
  const [shown, setShown] = useState<(typeof SHOWN)[number]['id']>('all');
  const { counts, differences } = comparison;
  const cells = shown === 'all' ? comparison.cells : comparison.cells.filter(isChange);
  return (
    <>
      <div className="row gap-8 ruled-bar sunken bench-bar" role="toolbar" aria-label="Comparison">
        <IconButton label="Back to the result" onClick={() => choose({ against: null })}>
          <ArrowLeft size={15} />
        </IconButton>
        <span
          className="cut fill-x"
          title={`${now.title} (${now.when})\ncompared with ${before.title} (${before.when})`}
        >
          Kept {now.when}, compared with <b>{before.title}</b>, kept {before.when}
        </span>
        <Button size="small" onClick={() => choose({ run: choice.against, against: choice.run })}>
          Swap
        </Button>
        <ThresholdField threshold={threshold} onChange={(value) => choose({ threshold: value })} />
        <ChoiceRow role="radio" label="Show" choices={SHOWN} chosen={shown} onChoose={setShown} />
      </div>
      <p className="row gap-6 wrap bench-pad" role="status">
        <span className="small strong bench-badge bench-slower">{counts.regressed} regressed</span>
        <span className="small strong bench-badge bench-faster">{counts.improved} improved</span>
        <span className="small strong bench-badge bench-same">{counts.same} no difference</span>
        {counts['not-comparable'] > 0 && (
          <span className="small strong bench-badge bench-same">{counts['not-comparable']} not comparable</span>
        )}
      </p>
      {differences.length > 0 && (
        <details className="small warn-note bench-aside">
          <summary>{plural(differences.length, 'other difference')} between the two runs</summary>
          <ul>
            {differences.map((difference) => (
              <li key={difference}>{difference}</li>
            ))}
          </ul>
        </details>
      )}
      <ComparedTable cells={cells} />
    </>
  );
}

const isChange = ({ verdict }: ComparedCell): boolean => verdict === 'regressed' || verdict === 'improved';

interface ThresholdProps {
  readonly threshold: number;
  readonly onChange: (threshold: number) => void;
}

function ThresholdField({ threshold, onChange }: ThresholdProps): ReactNode {
  return (
    <label
      className="row-inline gap-5 one-line note"
      title="Smaller changes, and changes whose interval is not conclusive, count as no difference"
    >
      threshold{' '}
      <input
        className="text-field bench-number-field"
        type="number"
        min={0}
        max={100}
        step={1}
        value={Math.round(threshold * 100)}
        onChange={({ target }) => onChange(Math.min(1, Math.max(0, Number(target.value) / 100)))}
      />
      %
    </label>
  );
}

function ComparedTable({ cells }: { readonly cells: readonly ComparedCell[] }): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to } = useRowWindow(scroller, cells.length, ROW_HEIGHT);
  if (cells.length === 0) return <p className="dim bench-pad">No changes of that size.</p>;
  return (
    <div
      ref={scroller}
      className="fill scroll anchor inner-focus"
      role="table"
      aria-label="Comparison"
      aria-rowcount={cells.length}
      tabIndex={0}
    >
      <div className="gap-12 full-width note strong sunken bench-compare-row bench-compare-head" role="row">
        {['Test', 'Engine', 'Before', 'Now', 'Change', 'Verdict'].map((name) => (
          <span key={name} className="cut" role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div className="anchor" role="presentation" style={{ height: cells.length * ROW_HEIGHT }}>
        {cells.slice(from, to).map((cell, at) => (
          <ComparedRow key={cell.key} compared={cell} top={(from + at) * ROW_HEIGHT} />
        ))}
      </div>
    </div>
  );
}

const VERDICTS: Readonly<Record<Verdict, readonly [variant: string, text: string]>> = {
  regressed: ['bench-slower', 'regressed'],
  improved: ['bench-faster', 'improved'],
  same: ['bench-same', 'no difference'],
  'not-comparable': ['bench-same', 'not comparable'],
};

function ComparedRow({ compared, top }: { readonly compared: ComparedCell; readonly top: number }): ReactNode {
  const { before, now, change, verdict, why } = compared;
  const cell = (now ?? before)!;
  const [variant, text] = VERDICTS[verdict];
  const time = (of: ComparedCell['now']): string =>
    of?.status === 'ok' && of.median !== null ? formatTime(of.median, of.unit) : '–';
  return (
    <div
      className="gap-12 full-width figures bench-compare-row"
      role="row"
      style={{ transform: `translateY(${top}px)` }}
      title={why ?? undefined}
    >
      <Cell title={suiteTitle(cell.suite)}>
        <b>{cell.test}</b> <small className="fine-print">{sizeText(cell.suite, cell.size)}</small>
      </Cell>
      <Cell>{engineLabel(cell.engine)}</Cell>
      <Cell>{time(before)}</Cell>
      <Cell>{time(now)}</Cell>
      <Cell>
        {change && formatRatio(change.value)}{' '}
        <small className="fine-print">{change ? `${threeDigits(change.low)}–${threeDigits(change.high)}` : why}</small>
      </Cell>
      <Cell>
        <span className={`strong bench-ratio ${variant}`}>{text}</span>
      </Cell>
    </div>
  );
}

function Cell({ title, children }: { readonly title?: string; readonly children: ReactNode }): ReactNode {
  return (
    <span className="cut" role="cell" title={title}>
      {children}
    </span>
  );
}

export function CurrentResult({ choice, choose }: ScreenProps): ReactNode {
  const { current, unkept } = useRuns();
  const result = current?.result ?? unkept;
  if (!result) return null;
  const strip = current && <RunStrip current={current} />;
  if (result.cells.length === 0) {
    return (
      <>
        {strip}
        <CenterMessage
          text={
            current
              ? 'Measuring the first test. A cell appears as soon as all engines have finished it.'
              : 'The run was stopped before anything was measured.'
          }
        />
      </>
    );
  }
  return (
    <ResultScreen
      result={result}
      title={titleOf(result)}
      choice={choice}
      choose={choose}
      rerun={{
        why: current ? 'A benchmark is running. Wait for it to finish, or stop it.' : 'This run is not kept yet.',
        cell: () => undefined,
      }}
      progress={strip}
      actions={
        unkept &&
        !current && (
          <Button
            size="small"
            variant="primary"
            onClick={() => void keepResult(unkept, { id: null, origin: null, title: titleOf(unkept) })}
          >
            Keep this run
          </Button>
        )
      }
    />
  );
}

export function KeptResult({ id, choice, choose }: ScreenProps & { readonly id: string }): ReactNode {
  const { run, result, error } = useRun(id);
  const other = useRun(choice.against);
  const runs = useRunLibrary((state) => state.runs) ?? [];
  const current = useRuns((state) => state.current);
  const elsewhere = useStore((state) => state.measuringElsewhere);
  const failed = error ?? (choice.against === null ? null : other.error);
  if (failed !== null) return <Message text={failed} choose={choose} />;
  if (!run || !result) return <div className="fill" />;
  if (choice.against !== null) {
    if (!other.run || !other.result) return <div className="fill" />;
    return (
      <CompareScreen
        before={{ title: other.run.title, when: formatWhen(other.run.savedAtMs), result: other.result }}
        now={{ title: run.title, when: formatWhen(run.savedAtMs), result }}
        choice={choice}
        choose={choose}
      />
    );
  }
  const entries = compareEntries(run, runs, choose).filter((entry) => entry !== 'separator');
  return (
    <ResultScreen
      key={id}
      result={result}
      title={run.title}
      choice={choice}
      choose={choose}
      rerun={rerunOf(run, result, current ? 'here' : elsewhere)}
      progress={current?.again === id && <RunStrip current={current} />}
      actions={
        entries.length > 0 && <Menu align="end" entries={entries} trigger={<Button size="small">Compare</Button>} />
      }
    />
  );
}

function Message({ text, choose }: { readonly text: string; readonly choose: Choose }): ReactNode {
  return (
    <div className="center-message">
      <h2>This run cannot be shown</h2>
      <p>{text}</p>
      <Button onClick={() => choose({ screen: 'runs', run: null, against: null })}>Kept runs</Button>
    </div>
  );
}

// Progress of the run: what is being measured, time left, pause and Stop.

const TICK_MS = 1_000;

function RunStrip({ current }: { readonly current: CurrentRun }): ReactNode {
  const { progress, isPaused, isStopping, startedAtMs } = current;
  const nowMs = useNow(TICK_MS);
  useCommand('work.stop', stopRun, !isStopping);
  const left = progress?.secondsLeft;
  const time = isStopping
    ? 'stopping…'
    : isPaused
      ? 'paused'
      : [
          formatElapsed(nowMs - startedAtMs),
          left === null || left === undefined ? null : `about ${formatElapsed(left * 1000)} left`,
        ]
          .filter(Boolean)
          .join(', ');
  return (
    <div className="stack gap-6 ruled sunken bench-pad" role="group" aria-label="Run">
      <div className="row gap-8">
        <span className="cut fill-x">{progress?.text ?? 'Starting the engines…'}</span>
        <span className="note one-line figures">{time}</span>
        {isPaused ? (
          <Button size="small" onClick={resumeRun} disabled={isStopping}>
            <Play size={12} aria-hidden /> Resume
          </Button>
        ) : (
          <Button size="small" onClick={pauseRun} disabled={isStopping}>
            <Pause size={12} aria-hidden /> Pause
          </Button>
        )}
        <Button
          size="small"
          variant="danger"
          onClick={stopRun}
          disabled={isStopping}
          title={`Stop (${commandKeyLabel('work.stop')})`}
        >
          <Square size={11} aria-hidden /> Stop
        </Button>
      </div>
      <ProgressBar label="Benchmark" share={progress?.share ?? 0} />
      <p className="note">
        You can keep using the app, but using it or hiding its window affects the measurements. If you stop, the results
        so far are kept.
      </p>
    </div>
  );
}
